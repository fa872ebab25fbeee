// Encodes columns compactly at little cost: the rows of an import have one project, few names and mostly nulls, and
// their numbers are hashes, which cannot be compressed.

import {
  type Cell,
  type Column,
  type FewCells,
  type PlainCells,
  rowsIn,
  type SameCells,
} from "../database.ts";

/** A column with equal cells, few different cells, or numbers. */
type EncodedColumn = { readonly type: Column["type"] } & (
  | SameCells
  | FewCells
  | { readonly numbers: Float64Array | Uint32Array }
);

/** Encoded columns. */
export type EncodedColumns = readonly EncodedColumn[];

/** An index fits in a byte. */
const MOST_DIFFERENT = 256;

/** Represents each column by its few different cells, if there are few. */
export function narrowed(columns: readonly Column[]): readonly Column[] {
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
  const encoded = columns.map(encodeColumn);
  return encoded.every((column) => column !== undefined) ? encoded : undefined;
}

/** Decodes the columns. */
export function decodeColumns(encoded: EncodedColumns): readonly Column[] {
  return encoded.map((column) =>
    "numbers" in column ? { type: column.type, values: Float64Array.from(column.numbers) } : column,
  );
}

function encodeColumn(column: Column): EncodedColumn | undefined {
  if (!("values" in column)) return column;
  const { type, values } = column;
  if (!(values instanceof Float64Array)) return undefined;
  const isWhole = type === "UINTEGER" && !values.includes(Number.NaN);
  return { type, numbers: isWhole ? Uint32Array.from(values) : values };
}

function fewDifferent(values: Float64Array | readonly Cell[]): FewCells | undefined {
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
