// Checks the runs of equal values in the pages of a Parquet file before its reader repeats them: the damaged length of a
// run would become an array of a billion values, at which the process ends.

import type { AsyncBuffer, Compressors, FileMetaData, RowGroup } from "hyparquet";
import type { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from "hyparquet/src/schema.js";
import { Unreadable } from "../../files/errors.ts";
import { columnPages } from "./parquet-pages.ts";

/** The last bit-packed values of a page are padded with at most this many. */
const PADDING = 512;

/** How the pages of a column are written. */
interface PageFormat {
  readonly schemaPath: ReturnType<typeof getSchemaPath>;
  readonly type: string | undefined;
  readonly codec: Parameters<typeof decompressPage>[2];
  readonly compressors?: Compressors | undefined;
}

/** Checks all pages of a row group. */
export async function checkGroup(
  file: AsyncBuffer,
  { schema }: FileMetaData,
  { columns }: RowGroup,
  compressors: Compressors,
): Promise<void> {
  for (const { meta_data: column } of columns) {
    const { type, codec, path_in_schema: path } = column!;
    const format = { schemaPath: getSchemaPath(schema, path), type, codec, compressors };
    for await (const { header, data, end } of columnPages(file, column!))
      checkedPage(new Uint8Array(await file.slice(data, end)), header, format);
  }
}

/**
 * Checks a page, given in the form in the file. Returns its decompressed bytes; undefined for a page of version 2,
 * which its reader decompresses.
 */
export function checkedPage(
  bytes: Uint8Array,
  header: ReturnType<typeof parquetHeader>,
  { schemaPath, type, codec, compressors }: PageFormat,
): Uint8Array | undefined {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  if (second === undefined && first === undefined) return undefined;
  const { num_values: values, encoding } = (second ?? first)!;
  const levels = [getMaxRepetitionLevel(schemaPath), getMaxDefinitionLevel(schemaPath)];
  const [isBoolean, isCoded] = [type === "BOOLEAN", encoding.endsWith("_DICTIONARY")];
  if (second !== undefined) {
    const { repetition_levels_byte_length: start, definition_levels_byte_length: length } = second;
    const ends = [start, start + length];
    for (const [i, most] of levels.entries())
      if (most > 0) checkRuns(bytes.subarray(i === 0 ? 0 : start, ends[i]), widthOf(most), values);
    if (!isCoded && encoding !== "RLE") return undefined;
    const rest = bytes.subarray(start + length);
    const isPlain = second.is_compressed === false;
    const page = isPlain ? rest : decompressPage(rest, Number(size) - start - length, codec, compressors);
    if (isCoded) checkRuns(page.subarray(1), page[0]!, values);
    else checkRuns(page.subarray(LENGTH), 1, values);
    return undefined;
  }
  const page = decompressPage(bytes, Number(size), codec, compressors);
  let at = 0;
  for (const most of levels) {
    if (most === 0) continue;
    const end = at + LENGTH + lengthAt(page, at);
    checkRuns(page.subarray(at + LENGTH, end), widthOf(most), values);
    at = end;
  }
  if (isBoolean && (isCoded || encoding === "RLE")) checkRuns(page.subarray(at + LENGTH), 1, values);
  else if (isCoded) checkRuns(page.subarray(at + 1), page[at]!, values);
  return page;
}

/** Throws if these bytes have a run that is longer than a page with this many values. */
function checkRuns(bytes: Uint8Array, bitWidth: number, values: number): void {
  let at = 0;
  for (let seen = 0; seen < values && at < bytes.length; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80 || shift > 28) break;
    }
    const isPacked = (header & 1) === 1;
    const count = (header >>> 1) * (isPacked ? 8 : 1);
    if (count > values + PADDING) throw new Unreadable(`a run of ${count} values in a page of ${values}`);
    at += isPacked ? (count / 8) * bitWidth : Math.ceil(bitWidth / 8);
    seen += count;
  }
}

/** The number of bits of a level up to `most`. */
function widthOf(most: number): number {
  return 32 - Math.clz32(most);
}

/** The number of bytes of a length, which precedes the counted bytes. */
export const LENGTH = 4;

export function lengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
