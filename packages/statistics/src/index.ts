/**
 * Statistics of comparisons between evaluations: intervals, paired tests and corrections for multiple testing. Pure
 * functions over numbers, without I/O or hidden randomness.
 *
 * @packageDocumentation
 */
export { type Adjustment, adjusted, benjaminiHochberg, holm } from "./comparisons/adjust.ts";
export { designEffect, effectiveProportion } from "./comparisons/effective-size.ts";
export { varianceComponents } from "./comparisons/noise.ts";
export { bonettPrice, mcnemar } from "./comparisons/paired-proportions.ts";
export { minimumDetectable, rowsNeeded } from "./comparisons/power.ts";
export { rankIntervals, shrunkenMeans, tiedGroups } from "./comparisons/ranking.ts";
export { signFlip } from "./comparisons/sign-flip.ts";
export { newcombe, proportionsTest, welch } from "./comparisons/unpaired.ts";
export { type Direction, type Verdict, verdict } from "./comparisons/verdict.ts";
export { bootstrapBca } from "./intervals/bootstrap.ts";
export { confidenceSequence } from "./intervals/confidence-sequence.ts";
export type { Interval } from "./intervals/interval.ts";
export { clusterEstimate, type Estimate, meanEstimate, tInterval, tTest } from "./intervals/mean-interval.ts";
export { clopperPearson, jeffreys, wilson } from "./intervals/proportion.ts";
export { correlation, moments, skewness } from "./samples/moments.ts";
export { passAtK, passHatK } from "./samples/row-value.ts";
export type { Moments, Sample } from "./samples/sample.ts";
