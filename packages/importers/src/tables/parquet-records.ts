// Reads the rows of a Parquet file, a few pages at a time.

import type { Json } from "@assay/base";
import {
  type ColumnData,
  type Compressors,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
} from "hyparquet";
import { ByteWriter } from "../byte-writer.ts";
import type { ImportFile } from "../import-file.ts";
import { isoTime } from "../iso-time.ts";
import type { JsonObject } from "../json-text.ts";
import { type Compression, decompressedPiece, expansionOf } from "../pieces.ts";
import { LONGEST } from "../text-pieces.ts";
import { Unreadable } from "../unreadable.ts";
import { UNORDERED } from "./json-cells.ts";
import { groupPages, LARGEST_PAGE, type PageLocation } from "./parquet-pages.ts";
import { type CellRows, type Cells, isUtf8, NotPlain } from "./plain-cells.ts";

const COMPRESSORS: Compressors = {
  ZSTD: (bytes, length) => page(bytes, "zstd", length),
  GZIP: (bytes, length) => page(bytes, "gzip", length),
};

/** The rows as objects, with dates and large integers as JSON values. */
export async function* parquetRecords(file: ImportFile): AsyncGenerator<JsonObject> {
  const { metadata, batches } = await openParquet(file);
  for await (const { options, rows: expected } of batches) {
    const rows = await attempt(() => parquetReadObjects(options));
    // A file may claim to have more rows than it holds.
    if (rows.length !== expected)
      throw new Unreadable(`fewer rows than the stated ${Number(metadata.num_rows)}`);
    for (const row of rows) yield jsonOf(row) as JsonObject;
  }
}

/** The rows as the JSON of their values, if none is a list or an object. Throws `NotPlain`. */
export async function* parquetRows(
  file: ImportFile,
  names: string[],
  isChecked: boolean,
): AsyncGenerator<CellRows> {
  const { metadata, batches } = await openParquet(file);
  const columns = plainColumns(metadata);
  if (names.length === 0) names.push(...columns.keys());
  const values = new JsonValues(columns.size);
  for await (const { options, rows } of batches) {
    const chunks: ColumnData[] = [];
    const parsers = { stringFromBytes: (bytes: Uint8Array) => bytes };
    await attempt(() => parquetRead({ ...options, parsers, onChunk: (chunk) => chunks.push(chunk) }));
    values.begin(rows);
    for (const [column, [name, isText]] of [...columns].entries()) {
      let filled = 0;
      for (const { columnName, columnData, rowStart } of chunks) {
        if (columnName !== name) continue;
        const first = rowStart - options.rowStart;
        const [from, to] = [Math.max(0, -first), Math.min(columnData.length, rows - first)];
        for (let i = from; i < to; i++) values.add(first + i, column, columnData[i], isText);
        filled += Math.max(0, to - from);
      }
      if (filled !== rows) throw new NotPlain();
    }
    const { bytes } = values;
    if (!isChecked && !isUtf8(bytes)) throw new NotPlain();
    yield { bytes, cells: values, first: 0, count: rows };
  }
}

/** The names of the columns, and whether their bytes are texts. */
function plainColumns({ schema }: FileMetaData): ReadonlyMap<string, boolean> {
  const columns = new Map<string, boolean>();
  for (const { name, type, num_children, repetition_type } of schema.slice(1)) {
    const isPlain = !num_children && repetition_type !== "REPEATED" && !UNORDERED.test(name);
    if (!isPlain || columns.has(name)) throw new NotPlain();
    columns.set(name, type === "BYTE_ARRAY");
  }
  return columns;
}

/** The JSON of the values of some rows. */
class JsonValues implements Cells {
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  readonly doubled: undefined = undefined;
  private readonly text = new ByteWriter(1024 * 1024);
  private readonly columns: number;
  private last: unknown;

  constructor(columns: number) {
    this.columns = columns;
  }

  get bytes(): Uint8Array {
    return this.text.bytes.subarray(0, this.text.size);
  }

  /** Begins with other rows, in the same memory. */
  begin(rows: number): void {
    this.text.size = 0;
    const cells = this.columns * rows;
    if (cells > this.starts.length)
      [this.starts, this.ends] = [new Uint32Array(cells), new Uint32Array(cells)];
  }

  /** Adds a value, column by column. */
  add(row: number, column: number, value: unknown, isText: boolean): void {
    const { text, starts, ends, columns } = this;
    const cell = row * columns + column;
    if (row > 0 && value === this.last) {
      starts[cell] = starts[cell - columns]!;
      ends[cell] = ends[cell - columns]!;
      return;
    }
    this.last = value;
    starts[cell] = text.size;
    if (isText && value instanceof Uint8Array) text.quoted(value, hasMark(value) ? 3 : 0, value.length);
    else if (ArrayBuffer.isView(value)) throw new NotPlain();
    else {
      const json = jsonOf(value);
      if (typeof json === "object" && json !== null) throw new NotPlain();
      text.text(JSON.stringify(json));
    }
    ends[cell] = text.size;
    // A long text of a dictionary may be the value of many rows.
    if (text.size > LONGEST) throw new NotPlain();
  }
}

/** Whether a text begins with a byte order mark, which is no part of it. */
function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Rows to read together. */
interface Batch {
  readonly options: Pick<ParquetReadOptions, "file" | "metadata" | "compressors" | "rowEnd"> & {
    readonly rowStart: number;
  };
  readonly rows: number;
}

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The Parquet reader's own errors do not refer to the file.
    const isStumble = error instanceof TypeError || error instanceof RangeError;
    const reason = isStumble ? "its bytes are not valid" : (error as Error).message.slice(0, 200);
    throw new Unreadable(`not a valid Parquet file: ${reason}`);
  }
}

async function openParquet(
  file: ImportFile,
): Promise<{ readonly metadata: FileMetaData; readonly batches: AsyncGenerator<Batch> }> {
  const buffer = {
    byteLength: file.size,
    async slice(start: number, end: number = file.size): Promise<ArrayBuffer> {
      const bytes = await file.read(start, Math.min(end, file.size));
      return new Uint8Array(bytes).buffer;
    },
  };
  const metadata = await attempt(() => parquetMetadataAsync(buffer));
  const count = Number(metadata.num_rows);
  if (count * metadata.schema.length > expansionOf(file.size)) {
    throw new Unreadable(`${count} rows stated, which is more than its bytes can hold`);
  }
  const batches = async function* (): AsyncGenerator<Batch> {
    let read = 0;
    for (const [index, group] of metadata.row_groups.entries()) {
      const { locations, stops } = await attempt(() => groupPages(buffer, group));
      const pageLocationsByGroup: Record<string, PageLocation[]>[] = [];
      pageLocationsByGroup[index] = locations;
      const first = read;
      for (const stop of stops) {
        const rowEnd = first + stop;
        const options = { file: buffer, metadata, compressors: COMPRESSORS, rowStart: read, rowEnd };
        yield { options: { ...options, ...{ pageLocationsByGroup } }, rows: rowEnd - read };
        read = rowEnd;
      }
    }
    if (read !== count) throw new Unreadable(`${read} rows instead of the stated ${count}`);
  };
  return { metadata, batches: batches() };
}

function page(bytes: Uint8Array, compression: Compression, length: number): Uint8Array {
  if (length > LARGEST_PAGE) throw new Unreadable(`a page of ${length} bytes is too large to be read`);
  return decompressedPiece(bytes, compression, length);
}

function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Date) return isoTime(value.getTime()) ?? null;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number | bigint>, jsonOf);
  if (Array.isArray(value)) return value.map(jsonOf);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, jsonOf(inner)]));
}
