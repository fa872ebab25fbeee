/**
 * Statistics of comparisons between evaluations: intervals, paired tests and adjustments for many of them. Pure functions
 * over numbers, without I/O and without randomness of their own.
 *
 * @packageDocumentation
 */
export { type Adjustment, adjusted, benjaminiHochberg, holm } from "./adjust.ts";
export { type BootstrapOptions, bootstrapBca, bootstrapSteps } from "./bootstrap.ts";
export { confidenceSequence, SEQUENCE_FROM, type SequenceOptions } from "./confidence-sequence.ts";
export { type DyadicSums, dyadicSums, isExact, momentsOfSums } from "./dyadic-sums.ts";
export { exactSum } from "./exact-sum.ts";
export { newTotal, type Total, totalOf } from "./exact-total.ts";
export type { Interval, IntervalMethod } from "./interval.ts";
export { clusterEstimate, type Estimate, meanEstimate, tInterval, tTest } from "./mean-interval.ts";
export { correlation, correlationOfSums, moments, skewness } from "./moments.ts";
export { type VarianceComponents, varianceComponents } from "./noise.ts";
export { bonettPrice, type McNemar, mcnemar } from "./paired-proportions.ts";
export { joinMeans, meanOfPart, type PartialMean, partialMean } from "./partial-mean.ts";
export { minimumDetectable, rowsNeeded } from "./power.ts";
export { clopperPearson, jeffreys, wilson } from "./proportion.ts";
export { quantile } from "./quantile.ts";
export { type RankInterval, rankIntervals, shrunkenMeans, tiedGroups } from "./ranking.ts";
export { passAtK, passHatK, type Reducer, type Reduction, readReducer, rowValue } from "./row-value.ts";
export type { Moments, Pairs, Sample } from "./sample.ts";
export { mayFlip, signFlip } from "./sign-flip.ts";
export { newcombe, type Proportion, proportionsTest, welch } from "./unpaired.ts";
export { type Direction, type Verdict, type VerdictOptions, verdict } from "./verdict.ts";
