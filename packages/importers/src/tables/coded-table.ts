// A table read in one pass, with its columns as codes.

import { fileHead } from "../file-head.ts";
import type { ImportFile } from "../import-file.ts";
import type { JsonObject } from "../json-text.ts";
import { Unreadable } from "../unreadable.ts";
import { CodedColumn, cellText } from "./coded-column.ts";
import { NotPlain, plainRows } from "./plain-cells.ts";
import { recordsOf, uniqueNames } from "./records.ts";

/** A table by its columns. */
export interface CodedTable {
  /** In the order of an object's members. */
  readonly columns: ReadonlyMap<string, CodedColumn>;
  readonly records: number;
  /** Comment lines before it, which are skipped. */
  readonly comments: number;
  /** Whether `plainRows` can read its cells again. */
  readonly isPlain: boolean;
}

/** Reads a table; `flat` returns the columns of a record. */
export async function codedTable(
  file: ImportFile,
  flat: (record: JsonObject) => JsonObject,
): Promise<CodedTable> {
  const table = (await plainTable(file)) ?? (await recordTable(file, flat));
  if (table.records === 0) throw new Unreadable("a table without records");
  for (const { codes } of table.columns.values()) codes.extend(table.records);
  return table;
}

async function plainTable(file: ImportFile): Promise<CodedTable | undefined> {
  if ((await fileHead(file)).format !== "table") return undefined;
  let columns: readonly CodedColumn[] = [];
  let [records, comments] = [0, 0];
  try {
    for await (const { bytes, cells, first, comments: before } of plainRows(file, false)) {
      const { starts, ends, doubled } = cells;
      comments = before;
      if (first === 1) {
        const names = Array.from({ length: cells.columns }, (_, i) =>
          cellText(bytes, starts[i]!, ends[i]!, doubled[i] === 1),
        );
        columns = uniqueNames(names).map((name, place) => new CodedColumn(name, place));
      }
      for (let c = 0; c < columns.length; c++) {
        const column = columns[c]!;
        let [record, cell] = [records, first * columns.length + c];
        for (let row = first; row < cells.rows; row++, record++, cell += columns.length)
          column.takeCell(record, bytes, starts[cell]!, ends[cell]!, doubled[cell] === 1);
      }
      records += cells.rows - first;
    }
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
  const byName = Object.fromEntries(columns.map((column) => [column.name, column]));
  return { columns: new Map(Object.entries(byName)), records, comments, isPlain: true };
}

async function recordTable(file: ImportFile, flat: (record: JsonObject) => JsonObject): Promise<CodedTable> {
  const columns = new Map<string, CodedColumn>();
  let count = 0;
  const { records, comments } = await recordsOf(file, "numbers");
  for await (const some of records) {
    for (const given of some) {
      const record = flat(given);
      for (const name of Object.keys(record)) {
        let column = columns.get(name);
        if (column === undefined) {
          column = new CodedColumn(name, undefined);
          columns.set(name, column);
        }
        column.takeMember(count, record);
      }
      count++;
    }
  }
  return { columns, records: count, comments, isPlain: false };
}

/** One code per record from a column's codes; 0 stands for no information. */
export function codesOf(
  { columns, records }: CodedTable,
  name: string,
  as: "value" | "key" | "name",
): Uint32Array {
  const column = columns.get(name)!;
  const codes = column.codes.array.subarray(0, records);
  if (as === "value") return codes;
  const of = Uint32Array.from({ length: column.size }, (_, code) =>
    as === "key" ? column.keyOf(code) : column.nameOf(code),
  );
  return codes.map((code) => of[code]!);
}
