// A mean with its standard error and degrees of freedom, and intervals and tests from it.

import { tQuantile, tTwoSided } from "../distributions/distributions.ts";
import { square } from "../distributions/elementary.ts";
import { addExactly, newTotal, totalOf } from "../samples/exact-total.ts";
import type { Moments } from "../samples/sample.ts";
import { around, type Interval, type IntervalMethod } from "./interval.ts";

/** An estimate with its standard error. */
export interface Estimate {
  /** The estimate, in the unit of the values. */
  readonly mean: number;
  /** Its standard error, in the same unit; above 0. */
  readonly se: number;
  /** Degrees of freedom of the standard error; infinity if it is known exactly. */
  readonly df: number;
}

/**
 * The mean of independent rows, with se = sd/√n on n − 1 degrees of freedom. Null for fewer than two rows, or if all
 * are equal.
 */
export function meanEstimate({ n, mean, variance }: Moments): Estimate | null {
  if (mean === null || variance === null || !(variance > 0)) return null;
  return { mean, se: Math.sqrt(variance / n), df: n - 1 };
}

/** The rounding error of a value, in units of the value: it may be a rounded mean of rounded decimals. */
const ROUNDING = 4 * Number.EPSILON;

/**
 * The mean of clustered rows, which are not independent, such as questions about one text. Cluster-robust variance
 * CR1: G/(G−1) · Σ_g(Σ_{i∈g}(x_i−m))²/n², on G − 1 degrees of freedom. `clusterOf` has each row's cluster, numbered
 * from 0; `roundingOf` gives each row's rounding error. Null for fewer than two clusters, or if nothing varies between
 * them but by rounding. Source: Cameron and Miller, "A Practitioner's Guide to Cluster-Robust Inference", 2015; Miller,
 * arXiv:2411.00640.
 */
export function clusterEstimate(
  values: ArrayLike<number>,
  clusterOf: ArrayLike<number>,
  roundingOf: (row: number) => number = (row) => ROUNDING * Math.abs(values[row]!),
): {
  readonly clusters: number;
  readonly estimate: Estimate | null;
  /** The sum of each cluster's deviations from the mean; empty without an estimate. */
  readonly residuals: readonly number[];
} {
  const [total, offTotal] = [newTotal(), newTotal()];
  let clusters = 0;
  for (let i = 0; i < values.length; i++) {
    addExactly(total, values[i]!);
    addExactly(offTotal, roundingOf(i));
    clusters = Math.max(clusters, clusterOf[i]! + 1);
  }
  const n = values.length;
  const [mean, meanOff] = [totalOf(total) / n, totalOf(offTotal) / n];
  const residuals = Array.from({ length: clusters }, newTotal);
  const off = new Float64Array(clusters);
  for (let i = 0; i < n; i++) {
    addExactly(residuals[clusterOf[i]!]!, values[i]! - mean);
    off[clusterOf[i]!]! += roundingOf(i) + meanOff;
  }
  const squares = newTotal();
  const sums = residuals.map(totalOf);
  for (const sum of sums) addExactly(squares, square(sum));
  const variance = ((clusters / (clusters - 1)) * totalOf(squares)) / n / n;
  const varies = sums.some((sum, cluster) => Math.abs(sum) > off[cluster]!);
  const known = varies && variance > 0 && Number.isFinite(variance);
  return known
    ? { clusters, estimate: { mean, se: Math.sqrt(variance), df: clusters - 1 }, residuals: sums }
    : { clusters, estimate: null, residuals: [] };
}

/** mean ± t·se. Null if a bound is infinite. */
export function tInterval(
  { mean, se, df }: Estimate,
  level: number,
  method: IntervalMethod = "t",
): Interval | null {
  return around(mean, tQuantile((1 + level) / 2, df) * se, method);
}

/** The two-sided p-value for a mean of 0: P(|T| ≥ |mean|/se). */
export function tTest({ mean, se, df }: Estimate): number {
  return tTwoSided(mean / se, df);
}
