// Reads the rows of a Parquet file, a few pages at a time.

import type { Json } from "@assay/base";
import { type Compressors, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import type { ImportFile } from "../import-file.ts";
import { isoTime } from "../iso-time.ts";
import type { JsonObject } from "../json-text.ts";
import { type Compression, decompressedPiece, expansionOf } from "../pieces.ts";
import { Unreadable } from "../unreadable.ts";
import { groupPages, LARGEST_PAGE, type PageLocation } from "./parquet-pages.ts";

const COMPRESSORS: Compressors = {
  ZSTD: (bytes, length) => page(bytes, "zstd", length),
  GZIP: (bytes, length) => page(bytes, "gzip", length),
};

/** The rows as objects, with dates and large integers as JSON values. */
export async function* parquetRecords(file: ImportFile): AsyncGenerator<JsonObject> {
  const buffer = {
    byteLength: file.size,
    async slice(start: number, end: number = file.size): Promise<ArrayBuffer> {
      const bytes = await file.read(start, Math.min(end, file.size));
      return new Uint8Array(bytes).buffer;
    },
  };
  const attempt = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      // The Parquet reader's own errors do not refer to the file.
      const isStumble = error instanceof TypeError || error instanceof RangeError;
      const reason = isStumble ? "its bytes are not valid" : (error as Error).message.slice(0, 200);
      throw new Unreadable(`not a valid Parquet file: ${reason}`);
    }
  };
  const metadata = await attempt(() => parquetMetadataAsync(buffer));
  const count = Number(metadata.num_rows);
  if (count * metadata.schema.length > expansionOf(file.size)) {
    throw new Unreadable(`${count} rows stated, which is more than its bytes can hold`);
  }
  let read = 0;
  for (const [index, group] of metadata.row_groups.entries()) {
    const { locations, stops } = await attempt(() => groupPages(buffer, group));
    const pageLocationsByGroup: Record<string, PageLocation[]>[] = [];
    pageLocationsByGroup[index] = locations;
    const first = read;
    for (const stop of stops) {
      const rowEnd = first + stop;
      const options = { file: buffer, metadata, compressors: COMPRESSORS, rowStart: read, rowEnd };
      const rows = await attempt(() => parquetReadObjects({ ...options, ...{ pageLocationsByGroup } }));
      // A file may claim to have more rows than it holds.
      if (rows.length !== rowEnd - read) throw new Unreadable(`fewer rows than the stated ${count}`);
      for (const row of rows) yield jsonOf(row) as JsonObject;
      read = rowEnd;
    }
  }
  if (read !== count) throw new Unreadable(`${read} rows instead of the stated ${count}`);
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
