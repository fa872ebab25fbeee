/**
 * What other Assay packages need from `@assay/statistics`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { bootstrapSteps } from "./bootstrap.ts";
export { SEQUENCE_FROM } from "./confidence-sequence.ts";
export { dyadicSums, isExact, momentsOfSums } from "./dyadic-sums.ts";
export type { IntervalMethod } from "./interval.ts";
export { correlationOfSums } from "./moments.ts";
export { bonettPriceTest } from "./paired-proportions.ts";
export { joinMeans, meanOfPart, type PartialMean, partialMean } from "./partial-mean.ts";
export { quantile } from "./quantile.ts";
export { mayFlip } from "./sign-flip.ts";
export type { Proportion } from "./unpaired.ts";
