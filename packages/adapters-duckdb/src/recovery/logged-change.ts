// Checks the changes of a redo log. A log can come with a backup from anywhere: each change is checked to be one that
// this program writes before it is applied.

import { deserialize } from "node:v8";
import { inflateRawSync } from "node:zlib";
import { isJsonObject } from "@assay/base/internal";
import { type Column, type Parameter, rowsIn } from "../database/database.ts";
import { TABLES } from "../database/schema.ts";
import { numberOf, STATEMENTS, type Statement } from "../database/statements.ts";
import { decodeColumns, type EncodedColumns, MAX_ROWS } from "./column-encoding.ts";

/** A change that can be applied. */
export type ReplayableChange =
  | { readonly sql: Statement; readonly parameters: readonly Parameter[] }
  | { readonly table: string; readonly columns: readonly Column[] };

/** The maximum size of a frame, or of packed content in it, once decompressed. The program never writes more. */
export const MOST_BYTES: number = 2 ** 30;

/** The change in a log, or a phrase for what is wrong with it. */
export function readChange(change: unknown): ReplayableChange | string {
  if (!isJsonObject(change)) return "is not a change";
  if ("statement" in change || "sql" in change) return readStatement(change);
  if ("table" in change) return readRows(change);
  return "is not a change";
}

function readStatement({
  statement,
  sql,
  parameters,
}: Readonly<Record<string, unknown>>): ReplayableChange | string {
  // Logs of older versions have the text of the statement.
  const number = typeof sql === "string" ? numberOf(sql) : statement;
  const listed = typeof number === "number" ? STATEMENTS[number] : undefined;
  if (listed === undefined) {
    const what = typeof sql === "string" ? ` (${JSON.stringify(sql.slice(0, 100))})` : "";
    return `holds a statement that assay does not write${what}`;
  }
  if (!Array.isArray(parameters) || !parameters.every(isParameter))
    return `has values that ${JSON.stringify(listed)} does not take`;
  const wanted = listed.split("?").length - 1;
  if (parameters.length !== wanted)
    return `has ${parameters.length} values, where ${JSON.stringify(listed)} takes ${wanted}`;
  return { sql: listed, parameters };
}

function readRows(change: Readonly<Record<string, unknown>>): ReplayableChange | string {
  const { table } = change;
  if (typeof table !== "string" || !isLoggedTable(table))
    return "adds rows to a table that assay does not have";
  const columns = columnsIn(change);
  if (!Array.isArray(columns) || columns.length === 0 || !columns.every(isColumn))
    return `has rows of ${table} that cannot be read`;
  const rows = rowsIn(columns[0]!);
  if (rows > MAX_ROWS) return `adds ${rows} rows to ${table} in one change`;
  if (columns.some((column) => rowsIn(column) !== rows))
    return `has columns of ${table} of different lengths`;
  return { table, columns };
}

/** Whether a transaction may append to a table: those of the store, and the staging table for usage. */
export function isLoggedTable(table: string): boolean {
  return TABLES.has(table) || table === "usage_batch";
}

function columnsIn({ columns, coded, packed }: Readonly<Record<string, unknown>>): unknown {
  try {
    if (coded instanceof Uint8Array) return decodeColumns(deserialize(coded) as EncodedColumns);
    if (packed instanceof Uint8Array)
      return deserialize(inflateRawSync(packed, { maxOutputLength: MOST_BYTES }));
    return columns;
  } catch {
    return undefined;
  }
}

function isParameter(value: unknown): value is Parameter {
  if (!Array.isArray(value)) return value === null || isScalar(value);
  return value.every((one) => typeof one === "string") || value.every((one) => typeof one === "number");
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The JavaScript type of cells of each column type, except for nulls. */
const CELLS: Readonly<Record<Column["type"], "string" | "number" | "boolean">> = {
  VARCHAR: "string",
  DOUBLE: "number",
  INTEGER: "number",
  UINTEGER: "number",
  BOOLEAN: "boolean",
};

function isColumn(column: unknown): column is Column {
  if (!isJsonObject(column) || typeof column["type"] !== "string" || !Object.hasOwn(CELLS, column["type"]))
    return false;
  const cell = CELLS[column["type"] as Column["type"]];
  const isCell = (value: unknown): boolean => value === null || typeof value === cell || Number.isNaN(value);
  const { values, same, count, different, places } = column;
  if ("values" in column)
    return values instanceof Float64Array ? cell === "number" : Array.isArray(values) && values.every(isCell);
  if ("same" in column) return isCell(same) && Number.isSafeInteger(count) && (count as number) >= 0;
  return (
    Array.isArray(different) &&
    different.every(isCell) &&
    places instanceof Uint8Array &&
    places.every((place) => place < different.length)
  );
}
