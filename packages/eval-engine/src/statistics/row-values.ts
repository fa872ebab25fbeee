// What the rows of an evaluation are worth at one measure: plain columns, which whoever has the trials fills in.

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
}

/** Row values with what is told of all of them at once. */
export function rowValues(columns: Omit<RowValues, "mostKnown" | "anyNumeric">): RowValues {
  let mostKnown = 0;
  for (let state = 0; state < columns.known.length; state++)
    if (columns.known[state]! > mostKnown) mostKnown = columns.known[state]!;
  return { ...columns, mostKnown, anyNumeric: columns.numeric.includes(1) };
}
