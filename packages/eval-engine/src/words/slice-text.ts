// Slices in words, and which of them divide the rows.

import { fieldText } from "../query/field-text.ts";
import type { Slice, SliceField } from "../statistics/wire/response.ts";
import { cutText } from "./cut-text.ts";

/** A field with fewer rows than this in its average slice identifies rows instead of grouping them. */
const ROWS_OF_SLICE = 2;

/** Slices without those of fields that only identify rows, such as an id, unless they were tested; and their names. */
export function dividingSlices(slices: readonly Slice[]): {
  readonly dividing: readonly Slice[];
  readonly apart: readonly string[];
} {
  const nameOf = ({ fields }: Slice): string => fields.map(({ field }) => rowFieldName(field)).join(" and ");
  const counts = new Map<string, { rows: number; slices: number }>();
  for (const slice of slices) {
    const { rows, slices: before } = counts.get(nameOf(slice)) ?? { rows: 0, slices: 0 };
    counts.set(nameOf(slice), { rows: rows + slice.rows, slices: before + 1 });
  }
  const apart = new Set(
    [...counts].flatMap(([name, of]) => (of.rows < ROWS_OF_SLICE * of.slices ? [name] : [])),
  );
  return {
    dividing: slices.filter((slice) => isTested(slice) || !apart.has(nameOf(slice))),
    apart: [...apart],
  };
}

/** Whether a slice has enough rows to be tested. */
export function isTested({ q_value: q, interval }: Slice): boolean {
  return q !== null || interval !== null;
}

/** Whether a slice is better, worse or, if neither direction is better, just different. */
export function differs({ verdict, q_value: q, interval }: Slice, level: number): boolean {
  if (verdict !== "no_direction") return verdict === "improved" || verdict === "regressed";
  return q !== null && q <= 1 - level && interval !== null && (interval.low > 0 || interval.high < 0);
}

/** What the rows of a slice have in common: `kind is thousands`. */
export function sliceText({ fields }: Pick<Slice, "fields">): string {
  return fields.map(sliceFieldText).join(" and ");
}

/** The part of one field: `kind is thousands`, `level is 2 to 5`, both included. */
export function sliceFieldText({ field, value, low, high }: SliceField): string {
  const name = cutText(rowFieldName(field));
  if (value !== null) return `${name} is ${cutText(String(value))}`;
  const bounds = new Set([low, high].map(boundText));
  return `${name} is ${[...bounds].join(" to ")}`;
}

/** A bound, precise enough for the numbers of rows and years. */
function boundText(bound: number | null): string {
  return bound === null ? "" : String(Number(bound.toPrecision(8)));
}

/** A field of the row, without `inputs.` if it is unambiguous. */
function rowFieldName(field: string): string {
  const text = fieldText(field);
  return text.startsWith("inputs.") &&
    !/^inputs\.[\p{N}]|^inputs\.(scores|outputs?|inputs|row_digest)\b/u.test(text)
    ? text.slice("inputs.".length)
    : text;
}
