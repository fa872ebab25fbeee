// Refuses columns that do not exist: if it were ignored, a misspelt one would change the answer.

import { hintedName, nearest } from "@assay/base/internal";

/**
 * Throws a TypeError if a record is not an object, or one of the columns is in none of them. Records may all lack a
 * `sparse` one, unless they have a column with a similar name.
 */
export function checkColumns(
  table: readonly object[],
  columns: readonly string[],
  sparse: readonly (string | undefined)[],
): void {
  const stray = table.findIndex((record) => typeof record !== "object" || record === null);
  if (stray !== -1) throw new TypeError(`record ${stray} must be an object`);
  const [first] = table;
  if (first === undefined) return;
  const there = Object.keys(first);
  for (const name of columns) {
    if (typeof name !== "string") throw new TypeError(`columns: ${String(name)} is not the name of a column`);
    if (name in first || table.some((record) => name in record)) continue;
    if (!sparse.includes(name) || nearest(name, there).length > 0)
      throw new TypeError(`no record has a column ${hintedName(name, there)}`);
  }
}
