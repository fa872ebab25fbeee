/**
 * Exact sums, moments, and a row's trials as one value: the part of the statistics that needs no special functions and
 * loads quickly.
 *
 * @packageDocumentation
 */

export { dyadicScale } from "./samples/dyadic-sums.ts";
export { exactMean, exactSum } from "./samples/exact-sum.ts";
export {
  addAll,
  addExactly,
  addTotal,
  clearTotal,
  meanOf,
  newTotal,
  type Total,
  totalOf,
} from "./samples/exact-total.ts";
export { correlation, moments } from "./samples/moments.ts";
export {
  passAtK,
  passHatK,
  type Reducer,
  type Reduction,
  readReducer,
  rowValue,
} from "./samples/row-value.ts";
export type { Moments, Pairs, Sample } from "./samples/sample.ts";
