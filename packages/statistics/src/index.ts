/**
 * Statistics of comparisons between evaluations: intervals, paired tests and corrections for multiple testing. Pure
 * functions over numbers, without I/O or randomness of their own.
 *
 * @packageDocumentation
 */
export { type Adjustment, adjusted, benjaminiHochberg, holm } from "./adjust.ts";
export { bootstrapBca } from "./bootstrap.ts";
export { confidenceSequence } from "./confidence-sequence.ts";
export { designEffect, effectiveProportion } from "./effective-size.ts";
export type { Interval } from "./interval.ts";
export { clusterEstimate, type Estimate, meanEstimate, tInterval, tTest } from "./mean-interval.ts";
export { correlation, moments, skewness } from "./moments.ts";
export { varianceComponents } from "./noise.ts";
export { bonettPrice, mcnemar } from "./paired-proportions.ts";
export { minimumDetectable, rowsNeeded } from "./power.ts";
export { clopperPearson, jeffreys, wilson } from "./proportion.ts";
export { rankIntervals, shrunkenMeans, tiedGroups } from "./ranking.ts";
export { passAtK, passHatK } from "./row-value.ts";
export type { Moments, Sample } from "./sample.ts";
export { signFlip } from "./sign-flip.ts";
export { newcombe, proportionsTest, welch } from "./unpaired.ts";
export { type Direction, type Verdict, verdict } from "./verdict.ts";
