// Columns as few bytes as can be had in no time: the rows of an import have one project, few names and mostly nulls, and
// their numbers are hashes, which no compressor makes smaller.

import type { Cell, Column } from "../database.ts";

/** A column whose cells are all the same, few different ones, or numbers. */
type CodedColumn = { readonly type: Column["type"] } & (
  | { readonly same: Cell; readonly count: number }
  | { readonly different: readonly Cell[]; readonly places: Uint8Array }
  | { readonly numbers: Float64Array | Uint32Array }
);

/** Columns that are coded. */
export type CodedColumns = readonly CodedColumn[];

/** Places fit a byte. */
const MOST_DIFFERENT = 256;

/** Codes columns; undefined when one of them holds many different texts, which a compressor makes smaller. */
export function codedColumns(columns: readonly Column[]): CodedColumns | undefined {
  const coded = columns.map(codedColumn);
  return coded.every((column) => column !== undefined) ? coded : undefined;
}

/** The columns again. */
export function decodedColumns(coded: CodedColumns): readonly Column[] {
  return coded.map((column) => ({ type: column.type, values: valuesOf(column) }));
}

function codedColumn({ type, values }: Column): CodedColumn | undefined {
  const few = fewDifferent(values);
  if (few !== undefined) {
    const { different, places } = few;
    return different.length === 1
      ? { type, same: different[0]!, count: values.length }
      : { type, different, places };
  }
  if (!(values instanceof Float64Array)) return undefined;
  const isWhole = type === "UINTEGER" && !values.includes(Number.NaN);
  return { type, numbers: isWhole ? Uint32Array.from(values) : values };
}

function fewDifferent(
  values: Column["values"],
): { readonly different: readonly Cell[]; readonly places: Uint8Array } | undefined {
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

function valuesOf(column: CodedColumn): Column["values"] {
  if ("numbers" in column) return Float64Array.from(column.numbers);
  if ("same" in column) return new Array<Cell>(column.count).fill(column.same);
  return Array.from(column.places, (place) => column.different[place]!);
}
