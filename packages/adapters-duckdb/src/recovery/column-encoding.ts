// Encodes columns compactly at little cost: the rows of an import have one project, few names and mostly nulls, their
// records follow one another, and their other numbers are hashes, which cannot be compressed.

import {
  type Cell,
  type Column,
  type ConstantCells,
  cellsOf,
  type DictionaryCells,
  type PlainCells,
  rowsIn,
} from "../database/database.ts";

/** A column with equal cells, few different cells, or numbers. */
type EncodedColumn = { readonly type: Column["type"] } & (
  | ConstantCells
  | DictionaryCells
  | WholeNumbers
  | EncodedOffsets
  | { readonly numbers: Float64Array | Uint32Array }
);

/** Whole numbers from `least` on, of which `bytes` has `width` bytes each, the lowest first. */
interface WholeNumbers {
  readonly least: number;
  readonly width: number;
  readonly bytes: Uint8Array;
}

/**
 * Places of records in a file: each begins one byte after the end of the one before it, whose size is in column `sizes`.
 * At `rows` are others.
 */
interface EncodedOffsets {
  readonly sizes: number;
  readonly rows: Uint32Array;
  readonly others: Float64Array;
}

/** Encoded columns. */
export type EncodedColumns = readonly EncodedColumn[];

/** The maximum of rows appended together. */
export const MAX_ROWS: number = 2 ** 24;

/** An index fits in a byte. */
const MOST_DIFFERENT = 256;

/** Represents each column by its few different cells, if there are few. */
export function dictionaryEncoded(columns: readonly Column[]): readonly Column[] {
  return columns.map((column) => {
    if (!("values" in column)) return column;
    const few = fewDifferent(column.values);
    if (few === undefined) return column;
    const { type } = column;
    return few.different.length === 1
      ? { type, same: few.different[0]!, count: rowsIn(column) }
      : { type, ...few };
  });
}

/** Encodes narrowed columns; undefined if one of them has many different texts, which compression makes smaller. */
export function encodeColumns(columns: readonly Column[]): EncodedColumns | undefined {
  const encoded = columns.map((column) => encodeOffsets(column, columns) ?? encodeColumn(column));
  return encoded.every((column) => column !== undefined) ? encoded : undefined;
}

/** Decodes the columns. Throws for some that were not encoded by this program. */
export function decodeColumns(encoded: EncodedColumns): readonly Column[] {
  const decoded = encoded.map((column) => ("sizes" in column ? undefined : decodeColumn(column)));
  return encoded.map((column, i) =>
    "sizes" in column
      ? { type: column.type, values: decodeOffsets(column, decoded[column.sizes]!) }
      : decoded[i]!,
  );
}

function decodeColumn(column: Exclude<EncodedColumn, EncodedOffsets>): Column {
  if ("numbers" in column) return { type: column.type, values: Float64Array.from(column.numbers) };
  return "width" in column ? { type: column.type, values: decodeWhole(column) } : column;
}

function encodeColumn(column: Column): EncodedColumn | undefined {
  if (!("values" in column)) return column;
  const { type, values } = column;
  if (!(values instanceof Float64Array)) return undefined;
  return { type, ...(encodeWhole(values) ?? { numbers: values }) };
}

function encodeWhole(values: Float64Array): WholeNumbers | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isSafeInteger(value)) return undefined;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!Number.isSafeInteger(most - least)) return undefined;
  let width = 1;
  while (256 ** width <= most - least) width++;
  const bytes = new Uint8Array(values.length * width);
  for (let i = 0, at = 0; i < values.length; i++) {
    let rest = values[i]! - least;
    for (let k = 0; k < width; k++) {
      bytes[at++] = rest;
      rest = Math.floor(rest / 256);
    }
  }
  return { least, width, bytes };
}

function decodeWhole({ least, width, bytes }: WholeNumbers): Float64Array {
  if (!(Number.isInteger(width) && width > 0 && bytes.length % width === 0))
    throw new Error(`${bytes.length} bytes of numbers of ${width} bytes`);
  const values = new Float64Array(bytes.length / width);
  for (let i = 0; i < values.length; i++) {
    let value = 0;
    for (let at = (i + 1) * width - 1; at >= i * width; at--) value = value * 256 + bytes[at]!;
    values[i] = least + value;
  }
  return values;
}

/** The column as places of records whose sizes are in another one, if most of them follow one another. */
function encodeOffsets(column: Column, columns: readonly Column[]): EncodedColumn | undefined {
  if (!("values" in column && column.values instanceof Float64Array)) return undefined;
  const { type, values } = column;
  for (const [sizes, other] of columns.entries()) {
    if (other === column || other.type !== "UINTEGER") continue;
    const rows = rowsElsewhere(values, other);
    if (rows !== undefined)
      return {
        type,
        sizes,
        rows: Uint32Array.from(rows),
        others: Float64Array.from(rows, (i) => values[i]!),
      };
  }
  return undefined;
}

/** Rows whose records do not follow those before them; undefined if they are many. */
function rowsElsewhere(values: Float64Array, sizes: Column): readonly number[] | undefined {
  const sizeOf = cellsOf(sizes, 0);
  const rows = [0];
  for (let i = 1; i < values.length; i++)
    if (values[i] !== values[i - 1]! + Number(sizeOf(i - 1)) + 1 && rows.push(i) > values.length * ELSEWHERE)
      return undefined;
  return rows;
}

/** The share of records that may be elsewhere: of those of an import, one in a hundred begins a block. */
const ELSEWHERE = 1 / 8;

function decodeOffsets({ rows, others }: EncodedOffsets, sizes: Column): Float64Array {
  if (rowsIn(sizes) > MAX_ROWS) throw new Error("places of too many records");
  const sizeOf = cellsOf(sizes, 0);
  const values = new Float64Array(rowsIn(sizes));
  for (let i = 0, k = 0; i < values.length; i++) {
    if (rows[k] === i) values[i] = others[k++]!;
    else values[i] = values[i - 1]! + Number(sizeOf(i - 1)) + 1;
  }
  return values;
}

function fewDifferent(values: Float64Array | readonly Cell[]): DictionaryCells | undefined {
  const known = new Map<Cell, number>();
  const places = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    let place = known.get(value);
    if (place === undefined) {
      if (known.size === MOST_DIFFERENT) return undefined;
      place = known.size;
      known.set(value, place);
    }
    places[i] = place;
  }
  return { different: [...known.keys()], places };
}

/** The column with a value for each row, as all versions of the log store columns that are not encoded. */
export function plainColumn(column: Column): Column & PlainCells {
  if ("values" in column) return column;
  const { type } = column;
  if ("same" in column) return { type, values: new Array<Cell>(column.count).fill(column.same) };
  return { type, values: Array.from(column.places, (place) => column.different[place]!) };
}
