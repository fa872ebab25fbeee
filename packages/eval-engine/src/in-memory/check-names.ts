// Refuses names that do not exist: if they were ignored, a misspelt option or column would give another answer.

import { didYouMean, nearest } from "../query/suggest-names.ts";

/** The members of an object, and whether each is required. */
export type Members<Of extends object> = { readonly [name in keyof Required<Of>]: boolean };

/**
 * Throws a TypeError that begins with `what` if the value is not an object, misses a required member, or has an unknown
 * one.
 */
export function checkMembers<Of extends object>(what: string, value: Of, members: Members<Of>): void {
  if (typeof value !== "object" || value === null) throw new TypeError(`${what} must be an object`);
  for (const name in value)
    if (!Object.hasOwn(members, name))
      throw new TypeError(`${what}: unknown ${hinted(name, Object.keys(members))}`);
  for (const name in members)
    if (members[name] && value[name] === undefined) throw new TypeError(`${what}: ${name} is missing`);
}

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
      throw new TypeError(`no record has a column ${hinted(name, there)}`);
  }
}

/** A name, and which of the known ones it may stand for. */
function hinted(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant.length > 0 ? didYouMean(meant) : `; there is ${known.join(", ") || "none"}`;
  return `${JSON.stringify(name)}${hint}`;
}
