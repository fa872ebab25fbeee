// The values of an evaluation's rows at one measure: plain columns, filled in from the trials.

import { dyadicScale } from "@assay/statistics/exact";

/**
 * The values of an evaluation's rows at one measure. Rows that agree in everything may share a state: few states make
 * statistics a matter of counting.
 */
export interface RowValues {
  /** The state of each row by its place; its place itself when not given. */
  readonly stateOf: Uint8Array | undefined;
  /** By state: the value; NaN when the row has none. */
  readonly values: Float64Array;
  /** By state: how many trials have a known value. */
  readonly known: Uint32Array;
  /** By state: the sample variance of the known values; NaN for fewer than two. */
  readonly within: Float64Array;
  /** By state: 1 when some known value is a number and not a boolean. */
  readonly numeric: Uint8Array;
  /** The largest of `known`; 0 when no row has a value. */
  readonly mostKnown: number;
  /** Whether any state is numeric. */
  readonly anyNumeric: boolean;
  /**
   * Powers of two that make all of `values` and of `within` whole, where rows share no states and there are such: then
   * plain additions round nothing.
   */
  readonly scales: { readonly values: number; readonly within: number } | undefined;
}

/** The columns that the others are told from. */
export type RowColumns = Omit<RowValues, "mostKnown" | "anyNumeric" | "scales">;

/** Row values with what is told of all of them at once. */
export function rowValues(columns: RowColumns): RowValues {
  let mostKnown = 0;
  for (let state = 0; state < columns.known.length; state++)
    if (columns.known[state]! > mostKnown) mostKnown = columns.known[state]!;
  return { ...columns, mostKnown, anyNumeric: columns.numeric.includes(1), scales: scalesOf(columns) };
}

function scalesOf({ stateOf, values, within }: RowColumns): RowValues["scales"] {
  if (stateOf !== undefined) return undefined;
  const scales = { values: dyadicScale(values), within: dyadicScale(within) };
  return Number.isFinite(scales.values) && Number.isFinite(scales.within) ? scales : undefined;
}
