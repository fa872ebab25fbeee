// The effective sample size: how many independent rows carry as much information as rows in clusters.

import { square } from "../distributions/elementary.ts";
import type { clusterEstimate } from "../intervals/mean-interval.ts";
import type { Moments } from "../samples/sample.ts";
import type { Proportion } from "./unpaired.ts";

/** Estimates for rows in clusters. */
export type Clustered = Pick<ReturnType<typeof clusterEstimate>, "clusters" | "estimate">;

/**
 * The design effect: the factor by which clusters increase the variance of a mean, se²/(s²/n). Divide n by it for the
 * effective sample size. At least 1, because smaller estimates are mostly chance. If all rows are equal, each cluster
 * counts as one row. `n` must be at least 2. Source: Kish, "Survey Sampling", 1965; Korn and Graubard, "Confidence
 * Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data", 1998.
 */
export function designEffect({ n, variance }: Moments, { clusters, estimate }: Clustered): number {
  if (variance === null || variance === 0) return n / clusters;
  return estimate === null ? 1 : Math.max(1, (square(estimate.se) * n) / variance);
}

/**
 * A rate over clustered rows as a proportion with its effective sample size, for `wilson`, `newcombe` and
 * `proportionsTest`. A row may be the mean of several trials; the size can then exceed the number of rows: a mean of
 * `n` rows has the variance of p(1−p)/size. Null for fewer than two clusters. Source: Franco, Little, Louis and Slud,
 * "Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys", 2019.
 */
export function effectiveProportion(moments: Moments, clustered: Clustered): Proportion | null {
  const { n, mean, variance } = moments;
  const { clusters } = clustered;
  if (mean === null || variance === null || clusters < 2) return null;
  if (variance === 0) return { successes: mean * clusters, n: clusters, df: Number.POSITIVE_INFINITY };
  // For rows that pass or fail, p(1−p) is the variance about the mean, and the size is the effective number of rows.
  const rows = (square(n) * mean * (1 - mean)) / ((n - 1) * variance);
  const size = rows / designEffect(moments, clustered);
  return { successes: mean * size, n: size, df: clusters - 1 };
}
