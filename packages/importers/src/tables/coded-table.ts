// A table read in one pass, with its columns as codes.

import { fileHead } from "../file-head.ts";
import type { ImportFile } from "../import-file.ts";
import type { JsonObject } from "../json-text.ts";
import { Unreadable } from "../unreadable.ts";
import { CodedColumn, cellText } from "./coded-column.ts";
import { jsonRows } from "./json-cells.ts";
import { parquetRows } from "./parquet-records.ts";
import { type CellRows, NotPlain, plainRows } from "./plain-cells.ts";
import { recordsOf, uniqueNames } from "./records.ts";
import type { CellForm } from "./table-values.ts";

const SEMICOLON = 0x3b;

/** A table by its columns. */
export interface CodedTable {
  /** In the order of an object's members. */
  readonly columns: ReadonlyMap<string, CodedColumn>;
  readonly records: number;
  /** The notation of its values. */
  readonly form: CellForm;
  /** Comment lines before it, which are skipped. */
  readonly comments: number;
  /** Reads its cells again; undefined if they cannot be read one by one. */
  readonly cells: (() => AsyncIterable<CellRows>) | undefined;
}

/** Reads a table; `flat` returns the columns of a record. */
export async function codedTable(
  file: ImportFile,
  flat: (record: JsonObject) => JsonObject,
): Promise<CodedTable> {
  const table = (await cellTable(file)) ?? (await recordTable(file, flat));
  if (table.records === 0) throw new Unreadable("a table without records");
  for (const { codes } of table.columns.values()) codes.extend(table.records);
  return table;
}

async function cellTable(file: ImportFile): Promise<CodedTable | undefined> {
  const { format } = await fileHead(file);
  try {
    if (format === "table") return await plainTable(file);
    if (format === "json-lines")
      return await jsonTable((names, isChecked) => jsonRows(file, names, isChecked));
    if (format === "parquet")
      return await jsonTable((names, isChecked) => parquetRows(file, names, isChecked));
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  return undefined;
}

async function plainTable(file: ImportFile): Promise<CodedTable> {
  let columns: readonly CodedColumn[] = [];
  let [records, comments, decimalComma] = [0, 0, false];
  for await (const { bytes, cells, first, comments: before } of plainRows(file, false)) {
    const { starts, ends, doubled } = cells;
    [comments, decimalComma] = [before, cells.delimiter === SEMICOLON];
    if (first === 1) {
      const names = Array.from({ length: cells.columns }, (_, i) =>
        cellText(bytes, starts[i]!, ends[i]!, doubled[i] === 1),
      );
      columns = uniqueNames(names).map((name, place) => new CodedColumn(name, "cells", place));
    }
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      let [record, cell] = [records, first * columns.length + c];
      for (let row = first; row < cells.rows; row++, record++, cell += columns.length)
        column.takeCell(record, bytes, starts[cell]!, ends[cell]!, doubled[cell] === 1);
    }
    records += cells.rows - first;
  }
  const form = { areTexts: true, decimalComma };
  return { columns: byName(columns), records, form, comments, cells: () => plainRows(file, true) };
}

async function jsonTable(
  read: (names: string[], isChecked: boolean) => AsyncIterable<CellRows>,
): Promise<CodedTable> {
  const columns: CodedColumn[] = [];
  const names: string[] = [];
  let records = 0;
  for await (const { bytes, cells, count } of read(names, false)) {
    const { starts, ends } = cells;
    for (let c = columns.length; c < names.length; c++) columns.push(new CodedColumn(names[c]!, "json", c));
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      for (let row = 0, cell = c; row < count; row++, cell += columns.length)
        if (ends[cell] !== 0) column.takeJson(records + row, bytes, starts[cell]!, ends[cell]!);
    }
    records += count;
  }
  const form = { areTexts: false, decimalComma: false };
  return { columns: byName(columns), records, form, comments: 0, cells: () => read(names, true) };
}

/** The columns in the order of an object's members. */
function byName(columns: readonly CodedColumn[]): ReadonlyMap<string, CodedColumn> {
  return new Map(Object.entries(Object.fromEntries(columns.map((column) => [column.name, column]))));
}

async function recordTable(file: ImportFile, flat: (record: JsonObject) => JsonObject): Promise<CodedTable> {
  const columns = new Map<string, CodedColumn>();
  let count = 0;
  const { records, comments, areTexts, decimalComma } = await recordsOf(file, "numbers");
  for await (const some of records) {
    for (const given of some) {
      const record = flat(given);
      for (const name of Object.keys(record)) {
        let column = columns.get(name);
        if (column === undefined) {
          column = new CodedColumn(name, "values");
          columns.set(name, column);
        }
        column.takeMember(count, record);
      }
      count++;
    }
  }
  const form = { areTexts, decimalComma };
  return { columns, records: count, form, comments, cells: undefined };
}

/** One code per record from a column's codes; 0 stands for no information. */
export function codesOf(
  { columns, records }: CodedTable,
  name: string,
  as: "value" | "key" | "name",
): Uint32Array {
  const column = columns.get(name)!;
  const codes = column.codes.array.subarray(0, records);
  if (as === "value" && !column.hasNotations) return codes;
  const of = Uint32Array.from({ length: column.size }, (_, code) =>
    as === "key" ? column.keyOf(code) : as === "name" ? column.nameOf(code) : column.plainOf(code),
  );
  return codes.map((code) => of[code]!);
}
