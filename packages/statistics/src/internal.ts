/**
 * Exports of `@assay/statistics` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export { bonettPriceTest } from "./comparisons/paired-proportions.ts";
export { mayFlip } from "./comparisons/sign-flip.ts";
export type { Proportion } from "./comparisons/unpaired.ts";
export { quantile } from "./distributions/quantile.ts";
export { bootstrapSteps } from "./intervals/bootstrap.ts";
export { SEQUENCE_FROM } from "./intervals/confidence-sequence.ts";
export type { IntervalMethod } from "./intervals/interval.ts";
export { dyadicSums, isExact, momentsOfSums } from "./samples/dyadic-sums.ts";
export { correlationOfSums } from "./samples/moments.ts";
export { joinMeans, meanOfPart, type PartialMean, partialMean } from "./samples/partial-mean.ts";
