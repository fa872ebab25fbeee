// The slices of a selection: its rows by the values of a field, by ranges of its numbers, or by two fields at once.

import { asText, compareText, type FieldPath, type Json, printFieldPath } from "@assay/query-lang";
import { quantile } from "@assay/statistics";
import type { EvalQuery } from "../request.ts";
import type { Slice, SliceField } from "./response.ts";
import type { SelectedRows } from "./selected-rows.ts";

/** What a field is in a slice, and how a filter says it. */
export interface SlicePart extends SliceField {
  readonly expr: object;
}

/** One slice. */
export interface RowGroup {
  readonly parts: readonly SlicePart[];
  /** Its rows, as places in the selection, ascending. */
  readonly rows: Int32Array;
  /** All other rows of the selection. */
  outside(): Int32Array;
}

/** A field with its parts, and each selected row's; -1 for none. */
interface Division {
  readonly parts: readonly SlicePart[];
  readonly partOf: Int32Array;
}

/** Slices that are looked at; of fields that would make more no pair is looked at, and then no field. */
const MOST_SLICES = 5000;

/** The slices by each of the fields and, at depth 2, by each two of them; how many fields or pairs were left out. */
export function sliceGroups(
  selection: SelectedRows,
  fields: readonly FieldPath[],
  depth: 1 | 2,
): { readonly groups: readonly RowGroup[]; readonly leftOut: number } {
  const divisions = fields.map((field) => divisionBy(selection, field));
  const groups: RowGroup[] = [];
  let leftOut = 0;
  const add = (found: readonly RowGroup[] | undefined): void => {
    if (found === undefined || groups.length + found.length > MOST_SLICES) leftOut++;
    else groups.push(...found);
  };
  for (const division of divisions)
    add(
      groupsOf(
        selection.length,
        division.parts.length,
        (row) => division.partOf[row]!,
        (part) => [division.parts[part]!],
      ),
    );
  if (depth === 1) return { groups, leftOut };
  for (const [i, first] of divisions.entries()) {
    for (const second of divisions.slice(i + 1)) {
      const width = second.parts.length;
      const of = (row: number): number => {
        const [p, q] = [first.partOf[row]!, second.partOf[row]!];
        return p === -1 || q === -1 ? -1 : p * width + q;
      };
      add(
        groupsOf(selection.length, first.parts.length * width, of, (part) => [
          first.parts[Math.floor(part / width)]!,
          second.parts[part % width]!,
        ]),
      );
    }
  }
  return { groups, leftOut };
}

/** The groups that have rows; undefined when there would be too many. */
function groupsOf(
  length: number,
  count: number,
  groupOf: (row: number) => number,
  parts: (group: number) => readonly SlicePart[],
): RowGroup[] | undefined {
  if (count > 16 * MOST_SLICES) return undefined;
  const of = new Int32Array(length);
  const sizes = new Uint32Array(count);
  for (let row = 0; row < length; row++) {
    of[row] = groupOf(row);
    if (of[row] !== -1) sizes[of[row]!]!++;
  }
  const found: RowGroup[] = [];
  for (let group = 0; group < count; group++) {
    if (sizes[group] === 0) continue;
    found.push({
      parts: parts(group),
      rows: rowsWhere(of, (one) => one === group, sizes[group]!),
      outside: () => rowsWhere(of, (one) => one !== group, length - sizes[group]!),
    });
  }
  return found;
}

function rowsWhere(of: Int32Array, holds: (group: number) => boolean, size: number): Int32Array {
  const rows = new Int32Array(size);
  for (let row = 0, n = 0; row < of.length; row++) if (holds(of[row]!)) rows[n++] = row;
  return rows;
}

/** A field's parts: each value of booleans and of texts, the quarters of numbers. */
function divisionBy(selection: SelectedRows, path: FieldPath): Division {
  const { codes, values } = selection.field(path);
  const field = printFieldPath(path);
  if (values.length > 0 && values.every((value) => typeof value === "number"))
    return quarters(field, codes, values as readonly number[]);
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

/** Half-open ranges between the quartiles of the selected rows; the last is closed. */
function quarters(field: string, codes: Int32Array, values: readonly number[]): Division {
  const numbers = Float64Array.from(
    codes.filter((code) => code !== -1),
    (code) => values[code]!,
  ).sort();
  const bounds = [...new Set([0, 0.25, 0.5, 0.75, 1].map((p) => quantile(numbers, p)))].filter(
    (x) => x !== null,
  );
  const ranges =
    bounds.length === 1
      ? [[bounds[0]!, bounds[0]!] as const]
      : bounds.slice(1).map((high, i) => [bounds[i]!, high] as const);
  return {
    parts: ranges.map(([low, high], k) => {
      const below = k === ranges.length - 1 ? "$lte" : "$lt";
      const side = (op: string, bound: number) => ({ [op]: [{ $getField: field }, { $literal: bound }] });
      return { field, value: null, low, high, expr: { $and: [side("$gte", low), side(below, high)] } };
    }),
    partOf: codes.map((code) => {
      if (code === -1) return -1;
      const above = ranges.findIndex(([, high]) => values[code]! < high);
      return above === -1 ? ranges.length - 1 : above;
    }),
  };
}

/**
 * The filter that selects a slice's rows beside the query's own. It applies to every evaluation, as long as some filter
 * of the query does or it has none; else to the evaluation that the first of them is for, because a filter for every
 * evaluation would let in rows that the query leaves out.
 */
export function filterOf(parts: readonly SlicePart[], { filters }: EvalQuery): Slice["filter"] {
  const everywhere = filters.length === 0 || filters.some(({ evaluation }) => evaluation === null);
  const exprs = parts.map(({ expr }) => expr);
  return {
    evaluation_call_id: everywhere ? null : filters[0]!.evaluation,
    query: { $expr: exprs.length === 1 ? exprs[0]! : { $and: exprs } },
  };
}
