// The names of a table's columns as its file has them.

import type { Json } from "@assay/base";
import { isObject } from "../../json/json-text.ts";

/** The name of a column: of several levels if it is a list, and with its type if it is an object. */
export function columnName(name: Json): string {
  if (Array.isArray(name)) return name.map(columnName).join(",");
  if (!isObject(name)) return String(name);
  return typeof name["name"] === "string" ? name["name"] : JSON.stringify(name);
}

/** Unique names of columns: repeated names get a number, empty ones their place. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((original, i) => {
    const name = original.trim() || `column ${i + 1}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

const [UNNAMED_FIRST] = uniqueNames([""]);

/** Whether a column of texts is the index of pandas, which has no name, or was read back without one. */
export function isIndexColumn(name: string): boolean {
  return name === UNNAMED_FIRST || /^Unnamed: \d+$/.test(name);
}
