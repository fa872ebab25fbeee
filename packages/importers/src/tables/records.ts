// Reads a table as records, in any format: CSV and similar, JSON lines, JSON documents in several forms, Parquet.

import type { Json } from "@assay/base";
import { setMember } from "@assay/base/internal";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { LONGEST, textPieces } from "../files/text-pieces.ts";
import { jsonLines } from "../json/json-lines.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { isObject, type JsonObject, type LargeIntegers, parseJson } from "../json/json-text.ts";
import { yamlValue } from "../json/yaml-value.ts";
import { delimitedRows } from "./cells/delimited-rows.ts";
import { fileHead } from "./file-head.ts";

import { parquetRecords } from "./parquet/parquet-records.ts";
import { columnName, uniqueNames } from "./shapes/column-names.ts";
import { recordsOfDocument } from "./shapes/json-shapes.ts";
import { rowRecord } from "./shapes/listed-rows.ts";
import { isNamed, merged } from "./shapes/record-roles.ts";
import { resultsIn } from "./shapes/several-results.ts";

/** A table. */
export interface Records {
  /** Whether all values are texts, as in CSV, where an empty one may be a missing value. */
  readonly areTexts: boolean;
  /** Whether numbers have decimal commas. */
  readonly decimalComma: boolean;
  /** Comment lines before the table, which are skipped. */
  readonly comments: number;
  /** The records, in batches. */
  readonly records: AsyncGenerator<readonly JsonObject[]>;
}

/** Opens a table. `large`: how to read JSON integers that a double cannot hold. */
export async function recordsOf(file: ImportFile, large?: LargeIntegers): Promise<Records> {
  const { fileType, keys, text } = await fileHead(file);
  if (fileType === "table") return delimitedRecords(file);
  const typed = (records: AsyncGenerator<JsonObject>): Records => ({
    areTexts: false,
    decimalComma: false,
    comments: 0,
    records: batched(records),
  });
  if (fileType === "parquet") return typed(parquetRecords(file));
  if (fileType === "json-lines") return typed(objects(jsonLines(file, large)));
  if (fileType === "json" && keys.has("columns") && keys.has("data")) return typed(splitRecords(file, large));
  if (fileType === "json")
    return typed(
      /^\s*\[(?!\s*\[)/.test(text) ? objects(elements(file, large)) : documentRecords(file, large),
    );
  if (fileType === "yaml") return typed(yamlRecords(file));
  throw new Unreadable("not a table");
}

/** The elements of a file that is a list of objects or has one object per line. */
export async function* jsonRecords(file: ImportFile): AsyncGenerator<JsonObject> {
  const { text } = await fileHead(file);
  yield* objects(text.trimStart()[0] === "[" ? elements(file) : jsonLines(file));
}

/** Records passed on together, so that the cost of a batch becomes negligible. */
const BATCH = 64;

async function* batched(records: AsyncIterable<JsonObject>): AsyncGenerator<readonly JsonObject[]> {
  let some: JsonObject[] = [];
  for await (const record of records) {
    for (const one of resultsIn(record) ?? [record]) some.push(one);
    if (some.length < BATCH) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

async function* elements(file: ImportFile, large?: LargeIntegers): AsyncGenerator<Json> {
  for await (const { value } of jsonSlices(file, { take: [["*"]], large })) yield value;
}

/** A document that is not a list must be complete before its form is known. */
async function* documentRecords(
  file: ImportFile,
  large: LargeIntegers | undefined,
): AsyncGenerator<JsonObject> {
  const texts: string[] = [];
  let size = 0;
  for await (const text of textPieces(file)) {
    texts.push(text);
    size += text.length;
    if (size > LONGEST)
      throw new Unreadable(`one JSON document longer than ${LONGEST} characters; write it as JSON lines`);
  }
  yield* recordsOfDocument(parseJson(texts.join(""), "the document", large));
}

async function* yamlRecords(file: ImportFile): AsyncGenerator<JsonObject> {
  yield* recordsOfDocument(await yamlValue(file));
}

async function* objects(values: AsyncIterable<Json>): AsyncGenerator<JsonObject> {
  let count = 0;
  for await (const value of values) {
    count++;
    if (!isObject(value)) {
      const hint = Array.isArray(value) ? "; a list has no column names: write objects" : "";
      throw new Unreadable(`record ${count}: not a JSON object${hint}`);
    }
    yield value;
  }
}

/** The message for a line that repeats the names of the columns. */
export const REPEATED_NAMES =
  "the column names again, as if two tables were joined: remove this line, or put each table in its own file";

async function delimitedRecords(file: ImportFile): Promise<Records> {
  const { rows, delimiter, comments } = await delimitedRows(file);
  const records = async function* (): AsyncGenerator<readonly JsonObject[]> {
    let columns: readonly string[] | undefined;
    let next = 0;
    for await (const some of rows) {
      const found: JsonObject[] = [];
      for (const { line, cells, isCut } of some) {
        if (columns === undefined) columns = uniqueNames(cells);
        else if (cells.length !== columns.length) {
          const isLonger = cells.length > columns.length;
          const written = delimiter === "\t" ? "a tab" : delimiter;
          const why = isLonger
            ? `; a cell with ${written} in it is written in double quotes`
            : isCut
              ? "; the file is truncated there"
              : line > next
                ? "; put what follows the table after an empty line in another file"
                : "";
          const counted = `${cells.length} ${cells.length === 1 ? "cell" : "cells"}`;
          if (found.length > 0) yield found;
          throw new Unreadable(`line ${line}: ${counted} for ${columns.length} columns${why}`);
        } else if (cells.every((cell, i) => cell === columns![i])) {
          if (found.length > 0) yield found;
          throw new Unreadable(`line ${line}: ${REPEATED_NAMES}`);
        } else found.push(recordOf(columns, cells));
        next = line + cells.reduce((count, cell) => count + cell.split("\n").length - 1, 1);
      }
      if (found.length > 0) yield found;
    }
  };
  return { areTexts: true, decimalComma: delimiter === ";", comments, records: records() };
}

/** An object of named cells: setting members one by one takes a fraction of the time of a list of pairs. */
function recordOf(columns: readonly string[], cells: readonly string[]): JsonObject {
  const record: { [column: string]: Json } = {};
  for (let i = 0; i < columns.length; i++) setMember(record, columns[i]!, cells[i]!);
  return record;
}

async function* splitRecords(file: ImportFile, large: LargeIntegers | undefined): AsyncGenerator<JsonObject> {
  let [columns, ids]: [readonly string[], readonly Json[]] = [[], []];
  for await (const { value, path } of jsonSlices(file, { take: [["columns"], ["index"]] })) {
    if (path[0] === "index") ids = Array.isArray(value) ? value : [];
    else if (Array.isArray(value)) columns = uniqueNames(value.map(columnName));
    else throw new Unreadable("columns: not a list of names");
  }
  // Texts in the index of pandas are ids, unless a column has them.
  const isIndexed = !isNamed(columns) && ids.some((id) => typeof id === "string");
  let count = 0;
  for await (const { value } of jsonSlices(file, { take: [["data", "*"]], large })) {
    const record = rowRecord(columns, value, `data: row ${count + 1}`);
    yield isIndexed ? merged({ id: ids[count] ?? null }, record) : record;
    count++;
  }
}
