// Pieces of an answer put together: the values of each field, joined once, at the end.

import type { Fields } from "@assay/base/internal";

/** The values of each field, in the order in which they came. */
export type Gathered = Map<string, unknown[]>;

/** Adds the values of `fields`. Null adds nothing to a field that already has a value. */
export function gather(into: Gathered, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const values = into.get(name);
    if (values === undefined) into.set(name, [value]);
    else if (value !== null) values.push(value);
  }
}

/** Lists are appended, and so are texts where they are fragments; of other values the last one stands. */
export function joined(gathered: Gathered, fragments: boolean): Fields {
  const fields = [...gathered].map(([name, all]): [string, unknown] => {
    const values = all.filter((value) => value !== null);
    if (values.length > 0 && values.every((value) => Array.isArray(value))) return [name, values.flat()];
    if (fragments && values.every((value) => typeof value === "string")) {
      return [name, values.length === 0 ? null : values.join("")];
    }
    return [name, values.at(-1) ?? null];
  });
  return Object.fromEntries(fields);
}
