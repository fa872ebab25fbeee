// Tables as lists: a list of the names of columns, and a list of the cells of each row.

import type { Json } from "@assay/base";
import { Unreadable } from "../../files/errors.ts";
import { isObject, type JsonObject, objectOf } from "../../json/json-text.ts";
import { roleOf } from "../columns/column-roles.ts";
import { columnName, uniqueNames } from "./column-names.ts";

/** The records of rows of cells below the names of their columns; undefined if it is something else. */
export function recordsOfRows(value: readonly Json[] | JsonObject): readonly JsonObject[] | undefined {
  if (!isObject(value)) {
    const [names, ...rows] = value;
    return isNames(names) && isRows(rows) ? recordsBelow(names, rows, "list", 2) : undefined;
  }
  const members = Object.entries(value);
  const names = members.find(([, member]) => isNames(member))?.[1];
  const rows = members.find(([, member]) => isRows(member));
  if (names === undefined || rows === undefined) return undefined;
  return recordsBelow(names as readonly Json[], rows[1] as readonly Json[], `${rows[0]}: row`, 1);
}

function recordsBelow(
  names: readonly Json[],
  rows: readonly Json[],
  what: string,
  first: number,
): readonly JsonObject[] {
  const columns = uniqueNames(names.map(columnName));
  return rows.map((cells, i) => rowRecord(columns, cells, `${what} ${i + first}`));
}

/** A record of named cells. Throws if they are not a list of as many. */
export function rowRecord(columns: readonly string[], cells: Json, where: string): JsonObject {
  if (!Array.isArray(cells) || cells.length !== columns.length) {
    const found = Array.isArray(cells) ? `has ${cells.length} cells` : "is not a list";
    throw new Unreadable(`${where} ${found}, where ${columns.length} columns are named`, "asked");
  }
  return objectOf(columns.map((column, i) => [column, cells as readonly Json[], String(i)]));
}

/** Whether a list has different names of columns, with one that is known. */
function isNames(value: Json | undefined): value is readonly Json[] {
  if (!Array.isArray(value) || value.length < 2) return false;
  const isName = (one: Json) => typeof one === "string" || (isObject(one) && typeof one["name"] === "string");
  if (!(value as readonly Json[]).every(isName)) return false;
  const names = (value as readonly Json[]).map(columnName);
  return new Set(names).size === names.length && names.some((name) => roleOf(name) !== undefined);
}

function isRows(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(Array.isArray);
}
