// Reads the rows of a Parquet file, a few pages at a time.

import {
  type Compressors,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from "hyparquet";
import {
  type Compression,
  decompressedBrotli,
  decompressedPiece,
  expansionOf,
} from "../../files/decompress.ts";
import { Unreadable } from "../../files/errors.ts";
import type { ImportFile } from "../../files/import-file.ts";
import { decompressedLz4Block } from "../../files/lz4-block.ts";
import { isObject, type JsonObject, jsonOrText, listAt } from "../../json/json-text.ts";
import { type CellRows, FastPathError, isUtf8 } from "../cells/cell-rows.ts";
import { UNORDERED } from "../cells/json-cells.ts";
import { FlatColumn } from "./flat-column.ts";
import { JsonValues, jsonOf } from "./json-values.ts";
import { groupPages, LARGEST_PAGE, type PageLocation } from "./parquet-pages.ts";
import { checkGroup } from "./parquet-runs.ts";

const COMPRESSORS: Compressors = {
  ZSTD: (bytes, length) => page(bytes, "zstd", length),
  GZIP: (bytes, length) => page(bytes, "gzip", length),
  LZ4_RAW: (bytes, length) => decompressedLz4Block(bytes, checkedLength(length)),
  ...(decompressedBrotli !== undefined && {
    BROTLI: (bytes, length) => decompressedBrotli!(bytes, checkedLength(length)),
  }),
};
/** All compressions that can be read; the Parquet reader has the first two. */
const CODECS: readonly string[] = ["UNCOMPRESSED", "SNAPPY", ...Object.keys(COMPRESSORS)];
/** The types that the Parquet reader does not have. */
const UNREAD_TYPES: readonly (string | undefined)[] = ["INTERVAL", "BSON"];

/** The columns of a Parquet file. */
export interface ParquetColumns {
  /** Those that are read; none if there is no row. */
  readonly names: readonly string[];
  /** Those that cannot be read, each with its type. */
  readonly unread: readonly string[];
  /** Those that pandas wrote its index to. */
  readonly index: readonly string[];
}

/** The rows as objects, with dates and large integers as JSON values. */
export async function* parquetRecords(file: ImportFile): AsyncGenerator<JsonObject> {
  const { metadata, batches } = await openParquet(file);
  let checked: RowGroup | undefined;
  for await (const { options, rows: expected, group } of batches) {
    if (group !== checked)
      await attempt(() => checkGroup(options.file, metadata, group, options.compressors));
    checked = group;
    const rows = await attempt(() => parquetReadObjects(options));
    // A file may claim to have more rows than it holds.
    if (rows.length !== expected)
      throw new Unreadable(`fewer rows than the stated ${Number(metadata.num_rows)}`);
    for (const row of rows) yield jsonOf(row) as JsonObject;
  }
}

/** The columns of a file. */
export async function parquetColumns(file: ImportFile): Promise<ParquetColumns> {
  return (await openParquet(file)).columns;
}

/** The rows as the JSON of their values, if none is a list or an object. Throws `FastPathError`. */
export async function* parquetRows(
  file: ImportFile,
  names: string[],
  isChecked: boolean,
): AsyncGenerator<CellRows> {
  const opened = await openParquet(file);
  const { metadata, batches } = opened;
  const columns = flatColumns(metadata).filter((name) => opened.columns.names.includes(name));
  if (names.length === 0) names.push(...columns);
  const values = new JsonValues(columns.length);
  let [group, readers]: [RowGroup | undefined, readonly FlatColumn[]] = [undefined, []];
  for await (const { options, rows, group: own, locations } of batches) {
    values.begin(rows);
    try {
      if (own !== group) {
        const parts = own.columns.map(({ meta_data }) => meta_data!);
        const named = (name: string) => parts.find(({ path_in_schema: [first] }) => first === name)!;
        readers = columns.map(
          (name) => new FlatColumn({ ...options, metadata }, named(name), locations[name]!),
        );
        group = own;
      }
      for (const [column, reader] of readers.entries()) await reader.addTo(values, column, rows);
    } catch {
      // The reader of records reports the error, if there is one.
      throw new FastPathError();
    }
    const { bytes } = values;
    if (!isChecked && !isUtf8(bytes)) throw new FastPathError();
    yield { bytes, cells: values, first: 0, count: rows };
  }
}

/** The names of the columns. */
function flatColumns({ schema }: FileMetaData): readonly string[] {
  const names = schema.slice(1).map(({ name, num_children, repetition_type }) => {
    if (num_children || repetition_type === "REPEATED" || UNORDERED.test(name)) throw new FastPathError();
    return name;
  });
  if (new Set(names).size < names.length) throw new FastPathError();
  return names;
}

/** Rows to read together. */
interface Batch {
  readonly options: Pick<ParquetReadOptions, "file" | "metadata" | "rowStart" | "rowEnd" | "columns"> & {
    readonly compressors: Compressors;
  };
  readonly rows: number;
  readonly group: RowGroup;
  readonly locations: Readonly<Record<string, readonly PageLocation[]>>;
}

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The Parquet reader's own errors do not refer to the file.
    const isParserError = error instanceof TypeError || error instanceof RangeError;
    const reason = isParserError ? "its bytes are not valid" : (error as Error).message.slice(0, 200);
    throw new Unreadable(`not a valid Parquet file: ${reason}`);
  }
}

async function openParquet(file: ImportFile): Promise<{
  readonly metadata: FileMetaData;
  readonly columns: ParquetColumns;
  readonly batches: AsyncGenerator<Batch>;
}> {
  const buffer = {
    byteLength: file.size,
    async slice(start: number, end: number = file.size): Promise<ArrayBuffer> {
      const bytes = await file.read(start, Math.min(end, file.size));
      return new Uint8Array(bytes).buffer;
    },
  };
  const { metadata, columns } = await attempt(async () => {
    // Without marking GeoParquet's columns, which never ends if a damaged schema states a negative number of columns.
    const read = await parquetMetadataAsync(buffer, { geoparquet: false });
    return { metadata: read, columns: columnsOf(read) };
  });
  checkCodecs(metadata);
  const count = Number(metadata.num_rows);
  if (count * metadata.schema.length > expansionOf(file.size)) {
    throw new Unreadable(`${count} rows stated, which is more than its bytes can hold`);
  }
  const batches = async function* (): AsyncGenerator<Batch> {
    let read = 0;
    for (const [index, group] of metadata.row_groups.entries()) {
      const { locations, stops } = await attempt(() => groupPages(buffer, metadata, group));
      const pageLocationsByGroup: Record<string, PageLocation[]>[] = [];
      pageLocationsByGroup[index] = locations;
      const first = read;
      for (const stop of stops) {
        const rowEnd = first + stop;
        const selected = columns.unread.length === 0 ? {} : { columns: [...columns.names] };
        const options = {
          file: buffer,
          metadata,
          compressors: COMPRESSORS,
          rowStart: read,
          rowEnd,
          ...selected,
        };
        yield { options: { ...options, ...{ pageLocationsByGroup } }, rows: rowEnd - read, group, locations };
        read = rowEnd;
      }
    }
    if (read !== count) throw new Unreadable(`${read} rows instead of the stated ${count}`);
  };
  return { metadata, columns, batches: batches() };
}

function columnsOf(metadata: FileMetaData): ParquetColumns {
  const [names, unread]: [string[], string[]] = [[], []];
  for (const column of parquetSchema(metadata).children) {
    const type = unreadTypeIn(column);
    if (type !== undefined) unread.push(`${column.element.name} (${type})`);
    else if (metadata.num_rows > 0n) names.push(column.element.name);
  }
  const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
  const described = pandas === undefined ? undefined : jsonOrText(pandas);
  const index = isObject(described) ? listAt(described, "index_columns") : [];
  return { names, unread, index: index.filter((name) => typeof name === "string") };
}

/** A type in a column that cannot be read, if there is one. */
function unreadTypeIn({ element, children }: SchemaTree): string | undefined {
  const { converted_type: type } = element;
  return UNREAD_TYPES.includes(type) ? type : children.map(unreadTypeIn).find((found) => found !== undefined);
}

function checkCodecs({ row_groups }: FileMetaData): void {
  for (const { columns } of row_groups)
    for (const { meta_data } of columns) {
      if (meta_data === undefined || CODECS.includes(meta_data.codec)) continue;
      const [last, ...others] = CODECS.toReversed();
      throw new Unreadable(
        `compressed with ${meta_data.codec}, which cannot be read; ${others.toReversed().join(", ")} and ${last} can`,
      );
    }
}

function page(bytes: Uint8Array, compression: Compression, length: number): Uint8Array {
  return decompressedPiece(bytes, compression, checkedLength(length));
}

function checkedLength(length: number): number {
  if (length > LARGEST_PAGE) throw new Unreadable(`a page of ${length} bytes is too large to be read`);
  return length;
}
