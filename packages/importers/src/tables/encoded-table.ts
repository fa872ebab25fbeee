// A table read in one pass, with its columns as codes.

import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { pieces } from "../files/pieces.ts";
import { type CellRows, FastPathError } from "./cells/cell-rows.ts";
import { delimitedCells } from "./cells/delimited-cells.ts";
import { linesOfRecords } from "./cells/delimited-rows.ts";
import { jsonRows } from "./cells/json-cells.ts";
import { listLines } from "./cells/list-lines.ts";
import { recordRows } from "./cells/record-cells.ts";
import type { ColumnProfile } from "./columns/column-profile.ts";
import { cellText, EncodedColumn } from "./encoded-column.ts";
import { fileHead } from "./file-head.ts";
import { parquetColumns, parquetRows } from "./parquet/parquet-records.ts";
import { REPEATED_NAMES, recordsOf } from "./records.ts";
import { isIndexColumn, uniqueNames } from "./shapes/column-names.ts";
import type { CellForm } from "./table-values.ts";

const SEMICOLON = 0x3b;

/** A table by its columns. */
export interface EncodedTable {
  /** In the order of an object's members. */
  readonly columns: ReadonlyMap<string, EncodedColumn>;
  /** The profile of each column, in the same order. */
  readonly profiles: readonly ColumnProfile[];
  readonly records: number;
  /** The notation of its values. */
  readonly form: CellForm;
  /** Comment lines before it, which are skipped. */
  readonly comments: number;
  /** Its columns that cannot be read, each with its type. */
  readonly unread: readonly string[];
  /** Reads its cells again. */
  readonly cells: () => AsyncIterable<CellRows>;
}

/** Reads a table. */
export async function encodedTable(file: ImportFile): Promise<EncodedTable> {
  const table = (await fastTable(file)) ?? (await recordTable(file));
  const { columns, records, form } = table;
  if (records === 0) throw new Unreadable("a table without records", "asked");
  const isParquet = (await fileHead(file)).fileType === "parquet";
  const { index = [], unread = [] } = isParquet ? await parquetColumns(file) : {};
  const profiles = Array.from(columns.values(), (column) => {
    const isIndex = form.areTexts ? isIndexColumn(column.name) : index.includes(column.name);
    return { ...column.finish(records), isIndex, isJudged: isJudged(column.name, columns) };
  });
  return { ...table, profiles, unread };
}

/**
 * Whether a column is the label next to a score of the same judge: `eval.correctness.label`, `eval.correctness.score`.
 */
function isJudged(name: string, columns: ReadonlyMap<string, unknown>): boolean {
  const [, judge] = /^(.+[._/ ])label$/i.exec(name) ?? [];
  return judge !== undefined && ["score", "Score", "SCORE"].some((score) => columns.has(judge + score));
}

/** A table whose columns are not finished. */
type ReadTable = Omit<EncodedTable, "profiles" | "unread">;

/** A table that is read as the bytes of its values; undefined if that is not possible. */
async function fastTable(file: ImportFile): Promise<ReadTable | undefined> {
  const { fileType, text } = await fileHead(file);
  const isList = fileType === "json" && text.trimStart()[0] === "[";
  try {
    if (fileType === "table") return await delimitedTable(file);
    if (fileType === "parquet")
      return await jsonTable((names, isChecked) => parquetRows(file, names, isChecked));
    if (fileType !== "json-lines" && !isList) return undefined;
    const lines = isList ? () => listLines(pieces(file)) : () => pieces(file);
    return await jsonTable((names, isChecked) => jsonRows(lines(), names, isChecked));
  } catch (error) {
    if (!(error instanceof FastPathError)) throw error;
    return undefined;
  }
}

async function delimitedTable(file: ImportFile): Promise<ReadTable> {
  let columns: readonly EncodedColumn[] = [];
  let heads: readonly Uint8Array[] = [];
  let [records, comments, decimalComma] = [0, 0, false];
  for await (const { bytes, cells, first, comments: before } of delimitedCells(file, false)) {
    const { starts, ends, doubled } = cells;
    [comments, decimalComma] = [before, cells.delimiter === SEMICOLON];
    if (first === 1) {
      heads = Array.from({ length: cells.columns }, (_, i) => bytes.slice(starts[i], ends[i]));
      const names = Array.from({ length: cells.columns }, (_, i) =>
        cellText(bytes, starts[i]!, ends[i]!, doubled[i] === 1),
      );
      columns = uniqueNames(names).map((name, place) => new EncodedColumn(name, "cells", place));
    }
    for (let row = first; row < cells.rows; row++) {
      const from = row * heads.length;
      if (heads.every((head, i) => isCell(head, bytes, starts[from + i]!, ends[from + i]!)))
        throw new Unreadable(
          `line ${(await linesOfRecords(file, [records + row - first + 1]))[0]}: ${REPEATED_NAMES}`,
        );
    }
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      let [record, cell] = [records, first * columns.length + c];
      for (let row = first; row < cells.rows; row++, record++, cell += columns.length)
        column.addCell(record, bytes, starts[cell]!, ends[cell]!, doubled[cell] === 1);
    }
    records += cells.rows - first;
  }
  const inOrder = Object.entries(Object.fromEntries(columns.map((column) => [column.name, column])));
  const form = { areTexts: true, decimalComma };
  return { columns: new Map(inOrder), records, form, comments, cells: () => delimitedCells(file, true) };
}

function isCell(text: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[start + i]) return false;
  return true;
}

const TYPED: Pick<EncodedTable, "form" | "comments"> = {
  form: { areTexts: false, decimalComma: false },
  comments: 0,
};

async function jsonTable(
  read: (names: string[], isChecked: boolean) => AsyncIterable<CellRows>,
  notation: Pick<EncodedTable, "form" | "comments"> = TYPED,
): Promise<ReadTable> {
  const columns: EncodedColumn[] = [];
  const names: string[] = [];
  let records = 0;
  for await (const { bytes, cells, count } of read(names, false)) {
    const { starts, ends } = cells;
    for (let c = columns.length; c < names.length; c++) columns.push(new EncodedColumn(names[c]!, "json", c));
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      for (let row = 0, cell = c; row < count; row++, cell += columns.length)
        if (ends[cell] !== 0) column.addJson(records + row, bytes, starts[cell]!, ends[cell]!);
    }
    records += count;
  }
  const byName = new Map(columns.map((column) => [column.name, column]));
  return { ...notation, columns: byName, records, cells: () => read(names, true) };
}

async function recordTable(file: ImportFile): Promise<ReadTable> {
  const { areTexts, decimalComma, comments } = await recordsOf(file, "numbers");
  const read = async function* (names: string[]): AsyncGenerator<CellRows> {
    yield* recordRows((await recordsOf(file, "numbers")).records, names);
  };
  return jsonTable(read, { form: { areTexts, decimalComma }, comments });
}

/** One code per record from a column's codes; 0 stands for no information. */
export function codesOf({ columns }: EncodedTable, name: string, as: "value" | "key" | "name"): Uint32Array {
  const column = columns.get(name)!;
  const codes = column.codes.toArray();
  if ((as === "value" && !column.hasNotations) || (as === "key" && column.areKeys)) return codes;
  // Loops, since `from` and `map` take several times as long.
  const of = new Uint32Array(column.size);
  for (let code = 0; code < of.length; code++)
    of[code] =
      as === "key" ? column.keyOf(code) : as === "name" ? column.nameOf(code) : column.canonicalOf(code);
  for (let i = 0; i < codes.length; i++) codes[i] = of[codes[i]!]!;
  return codes;
}
