// The values of rows of a Parquet file as JSON.

import type { Json } from "@assay/base";
import { ByteWriter } from "../../collections/byte-writer.ts";
import { LONGEST } from "../../files/text-pieces.ts";
import { isoTime } from "../../json/iso-time.ts";
import { type Cells, FastPathError } from "../cells/cell-rows.ts";

/** The values of a dictionary. */
export interface Entries {
  readonly values: ArrayLike<unknown>;
  /** For each value, a cell with it plus 1; 0 if there is none yet. */
  readonly places: Uint32Array;
}

const NONE = Symbol("no value");

/** The JSON of the values of some rows. */
export class JsonValues implements Cells {
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  readonly doubled: undefined = undefined;
  private readonly text = new ByteWriter(1024 * 1024);
  private readonly columns: number;
  /** The last value that was written, and its cell. */
  private last: unknown = NONE;
  private lastCell = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  get bytes(): Uint8Array {
    return this.text.bytes.subarray(0, this.text.size);
  }

  /** Begins with other rows, in the same memory. */
  begin(rows: number): void {
    this.text.size = 0;
    this.last = NONE;
    const cells = this.columns * rows;
    if (cells > this.starts.length)
      [this.starts, this.ends] = [new Uint32Array(cells), new Uint32Array(cells)];
  }

  /** Adds a value, column by column. */
  add(row: number, column: number, value: unknown, isText: boolean): void {
    const { text, starts, ends, columns } = this;
    const cell = row * columns + column;
    if (value === this.last && this.lastCell % columns === column) {
      this.repeat(cell, this.lastCell);
      return;
    }
    [this.last, this.lastCell] = [value, cell];
    starts[cell] = text.size;
    if (isText && value instanceof Uint8Array)
      text.quoted(value, afterMark(value, 0, value.length), value.length);
    else if (ArrayBuffer.isView(value)) throw new FastPathError();
    else {
      const json = jsonOf(value);
      if (typeof json === "object" && json !== null) throw new FastPathError();
      text.text(JSON.stringify(json));
    }
    ends[cell] = text.size;
    if (text.size > LONGEST) throw new FastPathError();
  }

  /** Adds a value of a dictionary, column by column. */
  addEntry(row: number, column: number, entry: number, { values, places }: Entries, isText: boolean): void {
    const known = places[entry];
    if (known === undefined) throw new FastPathError();
    const cell = row * this.columns + column;
    if (known > 0) {
      this.repeat(cell, known - 1);
      return;
    }
    this.add(row, column, values[entry], isText);
    places[entry] = cell + 1;
  }

  /** Adds a text, column by column. */
  addText(row: number, column: number, bytes: Uint8Array, start: number, end: number): void {
    const { text } = this;
    const cell = row * this.columns + column;
    this.starts[cell] = text.size;
    text.quoted(bytes, afterMark(bytes, start, end), end);
    this.ends[cell] = text.size;
    if (text.size > LONGEST) throw new FastPathError();
  }

  private repeat(cell: number, as: number): void {
    this.starts[cell] = this.starts[as]!;
    this.ends[cell] = this.ends[as]!;
  }
}

/** Where a text begins: after a byte order mark, which the reader of Parquet files drops. */
function afterMark(bytes: Uint8Array, start: number, end: number): number {
  const hasMark =
    bytes[start] === 0xef && end - start >= 3 && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return hasMark ? start + 3 : start;
}

/** A value with dates and large integers as JSON values. */
export function jsonOf(value: unknown): Json {
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
