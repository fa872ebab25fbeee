// Merges the pieces of an answer: the values of each field are joined once, at the end.

import type { Fields } from "@assay/base/internal";

/** Collects the values of each field, in order of arrival. */
export type MergedDeltas = Map<string, unknown[]>;

/** Adds the values of `fields`. Null does not replace an existing value. */
export function mergeDelta(into: MergedDeltas, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const values = into.get(name);
    if (values === undefined) into.set(name, [value]);
    else if (value !== null) values.push(value);
  }
}

/** Lists and text fragments are appended; of other values, the last one counts. */
export function joined(gathered: MergedDeltas, fragments: boolean): Fields {
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
