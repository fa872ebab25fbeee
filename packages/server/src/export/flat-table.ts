// Writes records of trials to a file: JSON lines, or the lines that become a CSV or Parquet file.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { ParquetColumn } from "@assay/adapters-duckdb/internal";
import type { Json } from "@assay/base";
import { lineSplitter, timeSlice } from "@assay/base/internal";
import { ABOUT, type TrialRecord } from "./flat-trials.ts";

/** The number of characters per write. */
const PIECE = 2 ** 16;

/** The records as JSON lines, in chunks. */
export async function* jsonLines(records: AsyncIterable<TrialRecord>): AsyncGenerator<string> {
  let lines = "";
  for await (const record of records) {
    lines += `${wellFormed(JSON.stringify(Object.fromEntries(record)))}\n`;
    if (lines.length > PIECE) {
      yield lines;
      lines = "";
    }
  }
  yield lines;
}

/** A column of a flat table. */
export interface FlatColumn extends ParquetColumn {
  /** The index of its value in each line. */
  readonly index: number;
}

/**
 * Writes records to `path`, each as a JSON list of the texts of its values, with null for a missing one. A Parquet
 * column gets the type of its values, or text if they have several types; in CSV every cell is text. Yields after each
 * chunk, and returns the columns.
 */
export async function* writeFlatLines(
  records: AsyncIterable<TrialRecord>,
  path: string,
  format: "csv" | "parquet",
): AsyncGenerator<void, readonly FlatColumn[]> {
  const cellOf = format === "csv" ? csvCell : parquetCell;
  const columns = new Map<string, { readonly index: number; type: FlatColumn["type"] | undefined }>();
  for (const name of [...ABOUT.before, ...ABOUT.after])
    columns.set(name, { index: columns.size, type: undefined });
  const lineOf = (record: TrialRecord): string => {
    const cells: (string | null)[] = [];
    for (const [name, value] of record) {
      const type = format === "csv" ? "text" : typeOf(value);
      const column = columns.get(name) ?? { index: columns.size, type };
      columns.set(name, column);
      if (value === null) continue;
      column.type = column.type === undefined || column.type === type ? type : "text";
      while (cells.length < column.index) cells.push(null);
      cells[column.index] = cellOf(value);
    }
    return wellFormed(JSON.stringify(cells));
  };

  const file = await open(path, "wx");
  try {
    let lines = "";
    for await (const record of records) {
      lines += `${lineOf(record)}\n`;
      if (lines.length < PIECE) continue;
      await file.appendFile(lines);
      lines = "";
      yield;
    }
    await file.appendFile(lines);
  } finally {
    await file.close();
  }
  return inOrder(columns);
}

/** The lines of `writeFlatLines` as CSV, in chunks, each with its fields in the order of the columns. */
export async function* csvLines(
  path: string,
  columns: readonly FlatColumn[],
  fieldOf: (text: string | null) => string,
): AsyncGenerator<string> {
  const pause = timeSlice();
  const splitter = lineSplitter();
  let csv = "";
  for await (const piece of createReadStream(path, "utf8")) {
    for (const line of splitter.push(piece as string)) {
      const cells = JSON.parse(line!) as readonly (string | null)[];
      csv += `${columns.map(({ index }) => fieldOf(cells[index] ?? null)).join(",")}\n`;
      if (csv.length < PIECE) continue;
      yield csv;
      csv = "";
      await pause();
    }
  }
  if (csv !== "") yield csv;
}

/** A text as a CSV field (RFC 4180), quoted only if necessary; null is empty. */
export function csvField(text: string | null): string {
  return text !== null && /[",\r\n]/.test(text) ? quotedField(text) : (text ?? "");
}

/** The same, quoted unless it is null. */
export function quotedField(text: string | null): string {
  return text === null ? "" : `"${text.replaceAll('"', '""')}"`;
}

/** The columns in reading order: the trial, its row, output and scores, then the rest. */
function inOrder(
  columns: ReadonlyMap<string, { readonly index: number; type: FlatColumn["type"] | undefined }>,
): readonly FlatColumn[] {
  const about: readonly string[] = [...ABOUT.before, ...ABOUT.after];
  const fields = [...columns.keys()].filter((name) => !about.includes(name));
  const part = (of: string) => fields.filter((name) => name.split(".")[0] === of);
  const names = [...ABOUT.before, ...part("inputs"), ...part("outputs"), ...part("scores"), ...ABOUT.after];
  return names.map((name) => {
    const { index, type = "text" } = columns.get(name)!;
    return { name, type, index };
  });
}

function typeOf(value: Json): FlatColumn["type"] {
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "text";
}

/**
 * The characters that start a formula in a spreadsheet: plain, full-width or small, also after spaces, control or
 * invisible characters. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u;
/** How a reader interprets a CSV cell that is not a text. */
const NO_TEXT = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|)$/;

/**
 * A value as a CSV cell. A text that a reader or spreadsheet would interpret as something else is prefixed with `'`,
 * as in a spreadsheet: values keep their types, and no text becomes a formula.
 */
function csvCell(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return FORMULA.test(value) || NO_TEXT.test(value) || isMarked(value) ? `'${value}` : value;
}

/** A list is written as its JSON text; a text that looks like one gets a `'`. */
function parquetCell(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isMarked(value) ? `'${value}` : value;
}

function isMarked(text: string): boolean {
  return text.startsWith("'") || text.startsWith("[");
}

/** A lone surrogate is not valid Unicode; one of them would make readers reject the whole file. */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (found) =>
    found.startsWith("\\ud") ? "\\ufffd" : found,
  );
}
