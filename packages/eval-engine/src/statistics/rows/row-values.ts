// The values of an evaluation's rows at one measure: plain columns, computed from the trials.

import { dyadicScale } from "@assay/statistics/exact";

/**
 * The values of an evaluation's rows at one measure. Rows that agree in everything may share a state, which reduces
 * statistics to counting when there are few states.
 */
export interface RowValues {
  /** The state of each row by its place. Default: the place itself. */
  readonly stateOf: Uint8Array | undefined;
  /** By state: the value; NaN without one. */
  readonly values: Float64Array;
  /** By state: the number of trials with a known value. */
  readonly known: Uint32Array;
  /** By state: the sample variance of the known values; NaN for fewer than two. */
  readonly within: Float64Array;
  /** By state: 1 if some known value is a number and not a boolean. */
  readonly numeric: Uint8Array;
  /** The largest of `known`; 0 if no row has a value. */
  readonly mostKnown: number;
  /** Whether any state is numeric. */
  readonly anyNumeric: boolean;
  /**
   * Powers of two that make all of `values` and `within` whole, if rows share no states and such powers exist: plain
   * additions then round nothing.
   */
  readonly scales: { readonly values: number; readonly within: number } | undefined;
}

/** The columns that determine the other members. */
export type RowColumns = Omit<RowValues, "mostKnown" | "anyNumeric" | "scales">;

/** Row values from their columns. */
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
