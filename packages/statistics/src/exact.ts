/**
 * Exact sums, moments, and a row's trials as one value: the part of the statistics that needs no special functions, and
 * loads in no time.
 *
 * @packageDocumentation
 */
export { exactSum } from "./exact-sum.ts";
export { addAll, addExactly, addTotal, clearTotal, newTotal, type Total, totalOf } from "./exact-total.ts";
export { passAtK, passHatK, type Reducer, type Reduction, readReducer, rowValue } from "./row-value.ts";
export { correlation, type Moments, moments, type Pairs, type Sample } from "./sample.ts";
