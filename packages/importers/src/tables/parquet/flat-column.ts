// Reads a column of a Parquet file that is neither nested nor a list, page by page. Texts stay bytes, and a value of a
// dictionary is converted once, not once per row.

import type { AsyncBuffer, FileMetaData } from "hyparquet";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { getSchemaPath } from "hyparquet/src/schema.js";
import { FastPathError } from "../cells/cell-rows.ts";
import type { Entries, JsonValues } from "./json-values.ts";
import type { PageLocation } from "./parquet-pages.ts";
import { checkedPage, LENGTH, lengthAt } from "./parquet-runs.ts";

type Decoder = Parameters<typeof readDataPageV2>[2];
type Values = ReturnType<typeof convert>;
type ColumnMetaData = NonNullable<FileMetaData["row_groups"][number]["columns"][number]["meta_data"]>;

/** A page that is being read. */
interface Page {
  readonly rows: number;
  /** For each row, whether it has a value: then the level is `most`. Undefined if all have one. */
  readonly levels: ArrayLike<number> | undefined;
  /** The values, or their numbers in the dictionary. */
  readonly values: ArrayLike<unknown>;
  readonly dictionary: Values | undefined;
  /** The bytes of texts instead, each after its length in four bytes. */
  readonly texts?: Uint8Array;
}

const NO_PAGE: Page = { rows: 0, levels: undefined, values: [], dictionary: undefined };

/** A file and its schema. */
interface ParquetSource {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly compressors: NonNullable<Decoder["compressors"]>;
}

/** A column of a row group. */
export class FlatColumn {
  private readonly file: AsyncBuffer;
  private readonly decoder: Decoder;
  private readonly start: number;
  private readonly pages: readonly PageLocation[];
  private readonly most: number;
  /** Whether its bytes are texts without a further meaning. */
  private readonly isOfTexts: boolean;
  private dictionary: Values | undefined;
  private next = 0;
  private page = NO_PAGE;
  /** How many rows, and how many values or bytes, of the page were read. */
  private row = 0;
  private value = 0;

  constructor(
    { file, metadata, compressors }: ParquetSource,
    column: ColumnMetaData,
    pages: readonly PageLocation[],
  ) {
    const schemaPath = getSchemaPath(metadata.schema, column.path_in_schema);
    const { element } = schemaPath.at(-1)!;
    const parsers = { ...DEFAULT_PARSERS, stringFromBytes: (bytes: Uint8Array) => bytes };
    const { type, codec, path_in_schema: pathInSchema } = column;
    this.decoder = { pathInSchema, type, element, schemaPath, codec, compressors, parsers };
    this.file = file;
    this.start = Number(column.dictionary_page_offset || column.data_page_offset);
    this.pages = pages;
    const last = pages.at(-1);
    const end = last === undefined ? this.start : Number(last.offset) + last.compressed_page_size;
    if (end > this.start + Number(column.total_compressed_size)) throw new FastPathError();
    const { converted_type: converted, logical_type: logical } = element;
    const isText = (converted ?? "UTF8") === "UTF8" && (logical?.type ?? "STRING") === "STRING";
    this.isOfTexts = type === "BYTE_ARRAY" && isText;
    this.most = element.repetition_type === "REQUIRED" ? 0 : 1;
  }

  /** Adds the values of the next rows. */
  async addTo(json: JsonValues, column: number, rows: number): Promise<void> {
    const isText = this.decoder.type === "BYTE_ARRAY";
    let entries: Entries = { values: [], places: new Uint32Array(0) };
    for (let row = 0; row < rows; ) {
      if (this.row === this.page.rows) await this.turn();
      const { page, most } = this;
      const { levels, values, dictionary, texts } = page;
      if (dictionary !== undefined && dictionary !== entries.values)
        entries = { values: dictionary, places: new Uint32Array(dictionary.length) };
      for (const end = Math.min(rows, row + page.rows - this.row); row < end; row++, this.row++) {
        if (levels !== undefined && levels[this.row] !== most) json.add(row, column, null, isText);
        else if (texts !== undefined) {
          const start = this.value + LENGTH;
          this.value = start + lengthAt(texts, this.value);
          if (this.value > texts.length) throw new FastPathError();
          json.addText(row, column, texts, start, this.value);
        } else if (dictionary === undefined) json.add(row, column, values[this.value++], isText);
        else json.addEntry(row, column, values[this.value++] as number, entries, isText);
      }
    }
  }

  /** Turns to the next page. */
  private async turn(): Promise<void> {
    const { decoder, pages, start } = this;
    const location = pages[this.next];
    if (location === undefined) throw new FastPathError();
    const offset = Number(location.offset);
    if (this.next === 0 && offset > start) {
      const reader = { view: new DataView(await this.file.slice(start, offset)), offset: 0 };
      const header = parquetHeader(reader);
      if (header.type !== "DICTIONARY_PAGE") throw new FastPathError();
      const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
      if (data === undefined) throw new FastPathError();
      this.dictionary = convert(data, decoder);
    }
    const first = Number(location.first_row_index);
    const after = pages[++this.next]?.first_row_index;
    const view = new DataView(await this.file.slice(offset, offset + location.compressed_page_size));
    this.page = this.pageOf(view);
    if (after !== undefined && this.page.rows !== Number(after) - first) throw new FastPathError();
    [this.row, this.value] = [0, 0];
  }

  private pageOf(view: DataView<ArrayBuffer>): Page {
    const { decoder } = this;
    const reader = { view, offset: 0 };
    const header = parquetHeader(reader);
    const bytes = new Uint8Array(view.buffer, reader.offset, header.compressed_page_size);
    const { data_page_header: data } = header;
    const { encoding } = (data ?? header.data_page_header_v2)!;
    const page = checkedPage(bytes, header, decoder);
    if (page !== undefined && encoding === "PLAIN" && this.isOfTexts)
      return this.textPage(page, data!.num_values);
    const { definitionLevels, dataPage } =
      page === undefined ? readDataPageV2(bytes, header, decoder) : readDataPage(page, data!, decoder);
    const levels = definitionLevels?.length ? definitionLevels : undefined;
    const isCoded = this.dictionary !== undefined && encoding.endsWith("_DICTIONARY");
    return {
      rows: levels?.length ?? dataPage.length,
      levels,
      values: isCoded ? dataPage : convert(dataPage, decoder),
      dictionary: isCoded ? this.dictionary : undefined,
    };
  }

  private textPage(bytes: Uint8Array, rows: number): Page {
    if (this.most === 0) return { ...NO_PAGE, rows, texts: bytes };
    const levels = new Array<number>(rows);
    const reader = {
      view: new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length),
      offset: 0,
    };
    readRleBitPackedHybrid(reader, 1, levels);
    return {
      ...NO_PAGE,
      rows,
      levels: hasOther(levels, 1) ? levels : undefined,
      texts: bytes.subarray(reader.offset),
    };
  }
}

/** Whether a number is missing or another. */
function hasOther(numbers: readonly number[], one: number): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== one) return true;
  return false;
}
