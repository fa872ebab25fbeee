// Finds the pages of a Parquet file by their headers, so that a row group of a million rows can be read in parts, and
// so that no memory is reserved for a page that only claims to be large.

import type { AsyncBuffer, FileMetaData, RowGroup } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { getSchemaPath } from "hyparquet/src/schema.js";
import { Unreadable } from "../../files/errors.ts";
import { LONGEST } from "../../files/text-pieces.ts";

/** The most bytes that a page may decompress to. */
export const LARGEST_PAGE: number = 4 * LONGEST;
// A few bytes can claim that a page holds any number of equal values.
const MOST_VALUES = 8 * 1024 * 1024;
const [HEADER, LONG_HEADER] = [8 * 1024, 1024 * 1024];

/** The location of a page, as in an offset index. */
export interface PageLocation {
  readonly offset: bigint;
  /** Including its header. */
  readonly compressed_page_size: number;
  readonly first_row_index: bigint;
}

/** The pages of a row group. */
export interface GroupPages {
  /** For each column that is neither nested nor a list, the locations of its pages. */
  readonly locations: Record<string, PageLocation[]>;
  /** Row numbers, relative to the group, at which a batch can end. */
  readonly stops: readonly number[];
}

/** The uncompressed size of rows that are read together. */
const WINDOW = 4 * 1024 * 1024;

/** Reads the header of every page of a row group. */
export async function groupPages(
  file: AsyncBuffer,
  { schema }: FileMetaData,
  { columns, num_rows, total_byte_size }: RowGroup,
): Promise<GroupPages> {
  const locations: Record<string, PageLocation[]> = {};
  const rows = Number(num_rows);
  let largest: { readonly size: number; readonly pages: readonly PageLocation[] } | undefined;
  let nested = 0;
  for (const { meta_data: column } of columns) {
    if (column === undefined) throw new Unreadable("a column without data");
    const { path_in_schema: path } = column;
    // The reader begins with all columns. If one is not in the schema, or twice, nothing awaits the others, and their
    // failure would end the process.
    getSchemaPath(schema, path);
    if (path.length === 1 && Object.hasOwn(locations, path[0]!))
      throw new Unreadable(`two columns ${path[0]}`);
    const pages = await dataPages(file, column);
    const size = Number(column.total_uncompressed_size);
    // Pages of lists count the items of the lists: their header does not state which rows they have.
    if (path.length !== 1) nested += size;
    else {
      if (pages.rows !== rows) throw new Unreadable(`${pages.rows} rows instead of the stated ${rows}`);
      locations[path[0]!] = pages.locations;
      if (largest === undefined || size > largest.size) largest = { size, pages: pages.locations };
    }
  }
  const whole = Number(total_byte_size);
  // Columns without known pages are decoded from the start each time.
  if (largest === undefined || nested > whole / 4) return { locations, stops: [rows] };
  const wanted = Math.max(1, Math.floor((WINDOW * rows) / Math.max(1, whole)));
  const stops: number[] = [];
  for (const { first_row_index } of largest.pages) {
    const at = Number(first_row_index);
    if (at - (stops.at(-1) ?? 0) >= wanted && at < rows) stops.push(at);
  }
  return { locations, stops: [...stops, rows] };
}

type ColumnMetaData = NonNullable<FileMetaData["row_groups"][number]["columns"][number]["meta_data"]>;

/** The data pages of a column; its dictionary comes before the first. */
async function dataPages(
  file: AsyncBuffer,
  column: ColumnMetaData,
): Promise<{ readonly locations: PageLocation[]; readonly rows: number }> {
  const locations: PageLocation[] = [];
  let rows = 0;
  for await (const { header, values, at, end } of columnPages(file, column)) {
    if (header.type !== "DATA_PAGE" && header.type !== "DATA_PAGE_V2") continue;
    locations.push({
      offset: BigInt(at),
      compressed_page_size: end - at,
      first_row_index: BigInt(rows),
    });
    rows += values;
  }
  return { locations, rows };
}

/** A page in a file. */
interface ColumnPage {
  readonly header: ReturnType<typeof parquetHeader>;
  /** How many values it states. */
  readonly values: number;
  /** Where its header begins, its data begin, and it ends. */
  readonly at: number;
  readonly data: number;
  readonly end: number;
}

/** The pages of a column. */
export async function* columnPages(file: AsyncBuffer, column: ColumnMetaData): AsyncGenerator<ColumnPage> {
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const last = start + Number(column.total_compressed_size);
  if (!(start >= 0 && last <= file.byteLength)) throw new Unreadable("a truncated column");
  for (let at = start; at < last; ) {
    const { header, length } = await pageHeader(file, at, last);
    const { data_page_header, data_page_header_v2, dictionary_page_header } = header;
    const stated = data_page_header ?? data_page_header_v2 ?? dictionary_page_header;
    const values = stated?.num_values ?? 0;
    // A damaged header may lack what every page has, in spite of its type.
    const [size, becomes] = [header.compressed_page_size, header.uncompressed_page_size].map(Number);
    if (!(size! >= 0 && becomes! >= 0)) throw new Unreadable("a page that does not state its length");
    if (becomes! > LARGEST_PAGE || values > MOST_VALUES)
      throw new Unreadable(`a page of ${becomes} bytes and ${values} values is too large`);
    const end = at + length + size!;
    yield { header, values, at, data: at + length, end };
    at = end;
  }
}

async function pageHeader(
  file: AsyncBuffer,
  at: number,
  end: number,
): Promise<{ readonly header: ReturnType<typeof parquetHeader>; readonly length: number }> {
  for (const length of [HEADER, LONG_HEADER]) {
    const reader = { view: new DataView(await file.slice(at, Math.min(end, at + length))), offset: 0 };
    try {
      return { header: parquetHeader(reader), length: reader.offset };
    } catch (error) {
      // The header holds the smallest and largest values of a page, which may be long texts.
      if (length === LONG_HEADER || at + length >= end) throw error;
    }
  }
  throw new Unreadable("a page without a header");
}
