// Records of trials as a file: JSON lines, or the lines that a CSV or Parquet file is made of.

import { type FileHandle, open } from "node:fs/promises";
import type { FileColumn } from "@assay/adapters-duckdb/internal";
import type { Json } from "@assay/base";
import { ABOUT, type TrialRecord } from "./flat-trials.ts";

/** Lines that are written together. */
const TOGETHER = 200;

/** The records as JSON lines, some at a time. */
export async function* jsonLines(records: AsyncIterable<TrialRecord>): AsyncGenerator<string> {
  let lines = "";
  for await (const record of records) {
    lines += `${wellFormed(JSON.stringify(Object.fromEntries(record)))}\n`;
    if (lines.length > 2 ** 16) {
      yield lines;
      lines = "";
    }
  }
  yield lines;
}

/**
 * Writes records to `path`, each as a JSON list of the values of the columns. In Parquet a column has the type of its
 * values, and is text when they are of several; in CSV every cell is text. Gives the columns, and where the value of each
 * stands in a line.
 */
export async function writeFlatLines(
  records: AsyncIterable<TrialRecord>,
  path: string,
  format: "csv" | "parquet",
): Promise<readonly FileColumn[]> {
  const cellOf = format === "csv" ? csvCell : parquetCell;
  const columns = new Map<string, { readonly index: number; type: FileColumn["type"] | undefined }>();
  for (const name of [...ABOUT.before, ...ABOUT.after])
    columns.set(name, { index: columns.size, type: undefined });
  const lineOf = (record: TrialRecord): string => {
    const cells: Json[] = [];
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
    let lines: string[] = [];
    for await (const record of records) {
      lines.push(lineOf(record));
      if (lines.length === TOGETHER) lines = await append(file, lines);
    }
    await append(file, lines);
  } finally {
    await file.close();
  }
  return inOrder(columns);
}

async function append(file: FileHandle, lines: readonly string[]): Promise<string[]> {
  if (lines.length > 0) await file.appendFile(`${lines.join("\n")}\n`);
  return [];
}

/** The columns as a person reads them: what the trial is, its row, its output, its scores, and what else is known. */
function inOrder(
  columns: ReadonlyMap<string, { readonly index: number; type: FileColumn["type"] | undefined }>,
): readonly FileColumn[] {
  const about: readonly string[] = [...ABOUT.before, ...ABOUT.after];
  const fields = [...columns.keys()].filter((name) => !about.includes(name));
  const part = (of: string) => fields.filter((name) => name.split(".")[0] === of);
  const names = [...ABOUT.before, ...part("inputs"), ...part("outputs"), ...part("scores"), ...ABOUT.after];
  return names.map((name) => {
    const { index, type = "text" } = columns.get(name)!;
    return { name, type, index };
  });
}

function typeOf(value: Json): FileColumn["type"] {
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
function parquetCell(value: Json): Json {
  if (typeof value === "string") return isMarked(value) ? `'${value}` : value;
  return typeof value === "object" ? JSON.stringify(value) : value;
}

function isMarked(text: string): boolean {
  return text.startsWith("'") || text.startsWith("[");
}

/** Half of a surrogate pair is no Unicode, and what reads the lines refuses all of them for one. */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (found) =>
    found.startsWith("\\ud") ? "\\ufffd" : found,
  );
}
