// The slices of a selection: its rows by values of a field, by ranges of its numbers, or by two fields together.

import { compareText } from "@assay/base/internal";
import type { FieldPath, Json } from "@assay/query-lang";
import { asText, printFieldPath } from "@assay/query-lang/internal";
import { quantile } from "@assay/statistics/internal";
import { evaluationOfAdded } from "../query/added-filter.ts";
import type { EvalQuery } from "../query/request.ts";
import type { SelectedRows } from "./rows/selected-rows.ts";
import type { Slice, SliceField } from "./wire/response.ts";

/** One part of a field, with its filter. */
export interface SlicePart extends SliceField {
  readonly expr: object;
}

/** One or two fields, with the slices that they divide the rows into. */
export interface Division {
  /** The slices that have rows. */
  readonly slices: readonly { readonly parts: readonly SlicePart[]; readonly rows: number }[];
  /** The slice of each selected row; -1 for none. */
  readonly sliceOf: Int32Array;
}

/** A field with its parts, and the part of each selected row; -1 for none. */
interface FieldParts {
  readonly parts: readonly SlicePart[];
  readonly partOf: Int32Array;
}

/** The most slices. Beyond it, pairs of fields are skipped, then fields. */
const MOST_SLICES = 5000;

/**
 * The rows divided by each of the fields and, at depth 2, by each pair of them; undefined for those that were skipped.
 */
export function* divisionsBy(
  selection: SelectedRows,
  fields: readonly FieldPath[],
  depth: 1 | 2,
): Generator<Division | undefined, void> {
  const all = fields.map((field) => partsOf(selection, field));
  let slices = 0;
  const counted = (division: Division | undefined): Division | undefined => {
    if (division === undefined || slices + division.slices.length > MOST_SLICES) return undefined;
    slices += division.slices.length;
    return division;
  };
  for (const { parts, partOf } of all)
    yield counted(
      divisionOf(
        selection.length,
        parts.length,
        (row) => partOf[row]!,
        (part) => [parts[part]!],
      ),
    );
  if (depth === 1) return;
  for (const [i, first] of all.entries()) {
    for (const second of all.slice(i + 1)) {
      const width = second.parts.length;
      const of = (row: number): number => {
        const p = first.partOf[row]!;
        const q = second.partOf[row]!;
        return p === -1 || q === -1 ? -1 : p * width + q;
      };
      yield counted(
        divisionOf(selection.length, first.parts.length * width, of, (part) => [
          first.parts[Math.floor(part / width)]!,
          second.parts[part % width]!,
        ]),
      );
    }
  }
}

/** The division into the parts that have rows; undefined if there would be too many. */
function divisionOf(
  length: number,
  count: number,
  partOf: (row: number) => number,
  parts: (part: number) => readonly SlicePart[],
): Division | undefined {
  if (count > 16 * MOST_SLICES) return undefined;
  const sliceOf = new Int32Array(length);
  const sizes = new Uint32Array(count);
  for (let row = 0; row < length; row++) {
    const part = partOf(row);
    sliceOf[row] = part;
    if (part !== -1) sizes[part]!++;
  }
  const places = new Int32Array(count);
  const slices: { readonly parts: readonly SlicePart[]; readonly rows: number }[] = [];
  for (let part = 0; part < count; part++) {
    if (sizes[part] === 0) continue;
    places[part] = slices.length;
    slices.push({ parts: parts(part), rows: sizes[part]! });
  }
  for (let row = 0; row < length; row++) if (sliceOf[row] !== -1) sliceOf[row] = places[sliceOf[row]!]!;
  return { slices, sliceOf };
}

/** The parts of a field: each value of booleans and texts, ranges of numbers. */
function partsOf(selection: SelectedRows, path: FieldPath): FieldParts {
  const { codes, values } = selection.field(path);
  const field = printFieldPath(path);
  if (values.length > 0 && values.every((value) => typeof value === "number"))
    return rangesOf(field, codes, values as readonly number[]);
  const booleans = values.length > 0 && values.every((value) => typeof value === "boolean");
  // A text literal reads every value as text, so values that read alike are one part.
  const keyOf = (value: Json): string => asText(value)!;
  const keys = [...new Set(values.map(keyOf))].sort(compareText);
  const partOfKey = new Map(keys.map((key, part) => [key, part]));
  const partOfCode = Int32Array.from(values, (value) => partOfKey.get(keyOf(value))!);
  return {
    parts: keys.map((key) => {
      const value = booleans ? key === "true" : key;
      return {
        field,
        value,
        low: null,
        high: null,
        expr: { $eq: [{ $getField: field }, { $literal: value }] },
      };
    }),
    partOf: codes.map((code) => (code === -1 ? -1 : partOfCode[code]!)),
  };
}

/** The most parts of a field of numbers. */
const MOST_RANGES = 4;

/** Each number if there are few, otherwise the quarters of the selected rows, from their least to their greatest number. */
function rangesOf(field: string, codes: Int32Array, values: readonly number[]): FieldParts {
  const numbers = Float64Array.from(
    codes.filter((code) => code !== -1),
    (code) => values[code]!,
  ).sort();
  const distinct = [...new Set(numbers)];
  const quartiles = [0.25, 0.5, 0.75].map((p) => quantile(numbers, p)!);
  // Where a part begins, other than at the least number; never at the greatest only because many rows have it.
  const beginnings =
    distinct.length <= MOST_RANGES ? distinct : quartiles.filter((number) => number < distinct.at(-1)!);
  const ranges: { readonly low: number; high: number }[] = [];
  for (const number of distinct) {
    const last = ranges.at(-1);
    if (last === undefined || beginnings.some((beginning) => last.low < beginning && beginning <= number))
      ranges.push({ low: number, high: number });
    else last.high = number;
  }
  const partOfCode = Int32Array.from(values, (number) => ranges.findIndex(({ high }) => number <= high));
  const side = (op: string, bound: number) => ({ [op]: [{ $getField: field }, { $literal: bound }] });
  return {
    parts: ranges.map(({ low, high }) => {
      const expr = low === high ? side("$eq", low) : { $and: [side("$gte", low), side("$lte", high)] };
      return { field, value: null, low, high, expr };
    }),
    partOf: codes.map((code) => (code === -1 ? -1 : partOfCode[code]!)),
  };
}

/** The filter that selects a slice's rows when added to the query's own; null if no single filter does. */
export function filterOf(parts: readonly SlicePart[], query: EvalQuery): Slice["filter"] {
  const evaluation = evaluationOfAdded(query);
  if (evaluation === undefined) return null;
  const exprs = parts.map(({ expr }) => expr);
  return {
    evaluation_call_id: evaluation,
    query: { $expr: exprs.length === 1 ? exprs[0]! : { $and: exprs } },
  };
}
