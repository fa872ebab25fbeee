// Records of trials as a file: JSON lines, or the lines that a CSV or Parquet file is made of.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { ParquetColumn } from "@assay/adapters-duckdb/internal";
import type { Json } from "@assay/base";
import { givingWay, lineSplitter } from "@assay/base/internal";
import { ABOUT, type TrialRecord } from "./flat-trials.ts";

/** Characters that are written together. */
const PIECE = 2 ** 16;

/** The records as JSON lines, some at a time. */
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
  /** Where its value stands in each line. */
  readonly index: number;
}

/**
 * Writes records to `path`, each as a JSON list of the texts of its values, null where it has none. In Parquet a column
 * has the type of its values, and is text when they are of several; in CSV every cell is text. Gives the columns once all
 * are written, some at a time.
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

/** The lines of `writeFlatLines` as CSV, some at a time: each list in the order of the columns. */
export async function* csvLines(
  path: string,
  columns: readonly FlatColumn[],
  fieldOf: (text: string | null) => string,
): AsyncGenerator<string> {
  const pause = givingWay();
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

/** A text as a field of CSV (RFC 4180), in quotes only where it must be; null is empty. */
export function csvField(text: string | null): string {
  return text !== null && /[",\r\n]/.test(text) ? quotedField(text) : (text ?? "");
}

/** The same, in quotes unless it is null. */
export function quotedField(text: string | null): string {
  return text === null ? "" : `"${text.replaceAll('"', '""')}"`;
}

/** The columns as a person reads them: what the trial is, its row, its output, its scores, and what else is known. */
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
 * What a spreadsheet may take for a formula, which must not become a program: the signs that one begins with, plain,
 * full-width or small, also behind spaces, control characters and what is invisible.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u;
/** What a cell of CSV is read as when it is not a text. */
const NO_TEXT = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|)$/;

/**
 * A value as a cell of CSV. A text that would be read as something else, also by a spreadsheet, has a `'` before it, as
 * in a spreadsheet: so every cell says what it is, and no text is a formula.
 */
function csvCell(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return FORMULA.test(value) || NO_TEXT.test(value) || isMarked(value) ? `'${value}` : value;
}

/** A list is the text of it, and a text that would be read as one has a `'` before it. */
function parquetCell(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isMarked(value) ? `'${value}` : value;
}

function isMarked(text: string): boolean {
  return text.startsWith("'") || text.startsWith("[");
}

/** A lone surrogate is not valid Unicode, and readers of the lines would refuse all of them for one. */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (found) =>
    found.startsWith("\\ud") ? "\\ufffd" : found,
  );
}
