// The rows of a Parquet file, a row group at a time.

import type { Json } from "@assay/base";
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import { type Compressors, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import type { ImportFile } from "../import-file.ts";
import type { JsonObject } from "../json-text.ts";
import { LONGEST } from "../text-pieces.ts";
import { Unreadable } from "../unreadable.ts";

// Rows that are assembled at once: row groups can hold a million.
const ROWS = 4096;
const LARGEST_PAGE = 4 * LONGEST;

const COMPRESSORS: Compressors = {
  ZSTD: (bytes, length) => page(length, () => decompress(bytes)),
  GZIP: (bytes, length) => page(length, () => gunzipSync(bytes, { out: new Uint8Array(length) })),
};

/** The rows as objects, with JSON values in place of dates and large integers. */
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
      throw new Unreadable(
        `is not a Parquet file that can be read: ${(error as Error).message.slice(0, 200)}`,
      );
    }
  };
  const metadata = await attempt(() => parquetMetadataAsync(buffer));
  const count = Number(metadata.num_rows);
  for (let from = 0; from < count; from += ROWS) {
    const rowEnd = Math.min(count, from + ROWS);
    const rows = await attempt(() =>
      parquetReadObjects({ file: buffer, metadata, rowStart: from, rowEnd, compressors: COMPRESSORS }),
    );
    // A file may say that it has more rows than it holds, and then go on for ever.
    if (rows.length === 0) throw new Unreadable(`has fewer rows than the ${count} that it says`);
    for (const row of rows) yield jsonOf(row) as JsonObject;
  }
}

function page(length: number, decompressed: () => Uint8Array): Uint8Array {
  if (length > LARGEST_PAGE) throw new Unreadable(`a page of ${length} bytes is too large to be read`);
  return decompressed();
}

function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number | bigint>, jsonOf);
  if (Array.isArray(value)) return value.map(jsonOf);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, jsonOf(inner)]));
}
