// Two evaluations that pass or fail the same rows. Only disagreements count: on `b` rows only the candidate passes,
// on `c` rows only the baseline.

import { normalCdf, tQuantile } from "../distributions/distributions.ts";
import { square } from "../distributions/elementary.ts";
import type { Interval } from "../intervals/interval.ts";
import { type Estimate, tTest } from "../intervals/mean-interval.ts";

/**
 * The interval of the difference of paired proportions, (b − c)/n: with p = (b+1)/(n+2) and q = (c+1)/(n+2), p − q ±
 * z·√((p + q − (p−q)²)/(n+2)), within [−1, 1]. Null if `n` is 0. For clustered rows, divide `b`, `c` and `n` by the
 * design effect and pass the `df` degrees of freedom of its estimate: z is then the quantile of t. Source: Bonett and
 * Price, "Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired Data", 2012.
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
  // Its centre is drawn towards 0, so at low levels it may exclude the difference itself; the interval is then
  // extended to it.
  return {
    low: Math.min(difference, Math.max(-1, mean - half)),
    high: Math.max(difference, Math.min(1, mean + half)),
    method: "bonett_price",
  };
}

/**
 * The two-sided p-value for no difference, from `bonettPrice`: 1 − the highest level at which its interval excludes 0.
 */
export function bonettPriceTest(b: number, c: number, n: number, df: number): number {
  return tTest(adjusted(b, c, n, df));
}

/** The difference with one more row on each side. */
function adjusted(b: number, c: number, n: number, df: number): Estimate {
  const [p, q] = [(b + 1) / (n + 2), (c + 1) / (n + 2)];
  return { mean: p - q, se: Math.sqrt((p + q - square(p - q)) / (n + 2)), df };
}

/** McNemar's test in its usual forms: two-sided p-values for equal pass rates. */
export interface McNemar {
  /** Binomial, conditional on b + c. */
  readonly exact: number;
  /** The same with half the weight for the observation: not conservative, and rarely too liberal. */
  readonly midP: number;
  /** (|b − c| − 1)²/(b + c), the statistic with continuity correction; null if b + c is 0. */
  readonly chiSquared: number | null;
  /** The p-value of `chiSquared` on one degree of freedom; null if that is. */
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
 * P(X ≤ k) and P(X = k) for n fair coins, k ≤ n/2. The terms are computed relative to the largest, from the middle
 * outwards, and divided by their sum. There are only products and sums of positive numbers, so nothing cancels.
 */
function halfBinomial(n: number, k: number): { readonly tail: number; readonly at: number } {
  const middle = Math.floor(n / 2);
  let [term, sum, tail, at] = [1, 0, 0, 0];
  for (let i = middle; i >= 0; i--) {
    // The two halves are mirror images; the middle of an even number of coins counts once.
    sum += 2 * i === n ? term : 2 * term;
    if (i <= k) tail += term;
    if (i === k) at = term;
    term *= i / (n - i + 1);
  }
  return { tail: tail / sum, at: at / sum };
}
