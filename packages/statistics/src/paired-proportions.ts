// Two evaluations that pass or fail the same rows. Only disagreements count: on `b` rows only the candidate passes,
// on `c` rows only the baseline.

import { normalCdf, tQuantile } from "./distributions.ts";
import { square } from "./elementary.ts";
import type { Interval } from "./interval.ts";
import { type Estimate, tTest } from "./mean-interval.ts";

/**
 * The interval of the difference of paired proportions, (b − c)/n: with p = (b+1)/(n+2) and q = (c+1)/(n+2),
 * p − q ± z·√((p + q − (p−q)²)/(n+2)), within [−1, 1]. Null when `n` is 0. Of rows in clusters `b`, `c` and `n` are
 * divided by the design effect, and z is the quantile of t on the `df` degrees of freedom that it was estimated with.
 * Source: Bonett and Price, "Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired
 * Data", 2012.
 */
export function bonettPrice(
  b: number,
  c: number,
  n: number,
  level: number,
  df: number = Number.POSITIVE_INFINITY,
): Interval | null {
  if (n === 0) return null;
  const { mean, se } = adjusted(b, c, n, df);
  const half = tQuantile((1 + level) / 2, df) * se;
  const difference = (b - c) / n;
  // Its centre is drawn towards 0: at low levels the difference itself may lie outside, and is let in.
  return {
    low: Math.min(difference, Math.max(-1, mean - half)),
    high: Math.max(difference, Math.min(1, mean + half)),
    method: "bonett_price",
  };
}

/** The two-sided p-value of no difference that goes with `bonettPrice`: 1 − the highest level at which it excludes 0. */
export function bonettPriceTest(b: number, c: number, n: number, df: number): number {
  return tTest(adjusted(b, c, n, df));
}

/** The difference with one more row on each side. */
function adjusted(b: number, c: number, n: number, df: number): Estimate {
  const [p, q] = [(b + 1) / (n + 2), (c + 1) / (n + 2)];
  return { mean: p - q, se: Math.sqrt((p + q - square(p - q)) / (n + 2)), df };
}

/** McNemar's test in its usual forms: two-sided p-values that both evaluations pass equally often. */
export interface McNemar {
  /** Binomial, conditional on b + c. */
  readonly exact: number;
  /** The same with half the weight of what was observed: not conservative, and hardly ever too liberal. */
  readonly midP: number;
  /** (|b − c| − 1)²/(b + c), the statistic with continuity correction; null when b + c is 0. */
  readonly chiSquared: number | null;
  /** The p-value of `chiSquared` on one degree of freedom; null with it. */
  readonly chiSquaredP: number | null;
}

/**
 * McNemar's test. mid-p = 2·Σ_{i≤min(b,c)} C(b+c,i)/2^(b+c) − C(b+c,min)/2^(b+c); 1 when b = c.
 * Source: Fagerland, Lydersen and Laake, "The McNemar test for binary matched-pairs data", 2013.
 */
export function mcnemar(b: number, c: number): McNemar {
  const n = b + c;
  if (n === 0) return { exact: 1, midP: 1, chiSquared: null, chiSquaredP: null };
  const { tail, at } = halfBinomial(n, Math.min(b, c));
  const chiSquared = square(Math.abs(b - c) - 1) / n;
  return {
    exact: b === c ? 1 : Math.min(1, 2 * tail),
    midP: b === c ? 1 : Math.min(1, 2 * tail - at),
    chiSquared,
    chiSquaredP: 2 * normalCdf(-Math.sqrt(chiSquared)),
  };
}

/**
 * P(X ≤ k) and P(X = k) of n fair coins, k ≤ n/2. Terms are walked from the middle, relative to the largest, and
 * divided by their sum: only products and sums of positive numbers, so that nothing cancels.
 */
function halfBinomial(n: number, k: number): { readonly tail: number; readonly at: number } {
  const middle = Math.floor(n / 2);
  let [term, sum, tail, at] = [1, 0, 0, 0];
  for (let i = middle; i >= 0; i--) {
    // Both halves mirror each other; the middle of an even number of coins is there once.
    sum += 2 * i === n ? term : 2 * term;
    if (i <= k) tail += term;
    if (i === k) at = term;
    term *= i / (n - i + 1);
  }
  return { tail: tail / sum, at: at / sum };
}
