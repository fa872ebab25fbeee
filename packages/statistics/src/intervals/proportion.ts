// Intervals of a proportion: `successes` of `n` rows passed.

import { betaQuantile, tQuantile } from "../distributions/distributions.ts";
import type { Interval } from "./interval.ts";

/**
 * Wilson's score interval: (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n). Null if `n` is 0. For clustered rows,
 * `n` is their effective sample size, and z the quantile of t on the `df` degrees of freedom of its estimate. Source:
 * Wilson 1927; Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion", 2001; Dean and Pagano,
 * "Evaluating Confidence Interval Methods for Binomial Proportions in Clustered Surveys", 2015.
 */
export function wilson(
  successes: number,
  n: number,
  level: number,
  df: number = Number.POSITIVE_INFINITY,
): Interval | null {
  if (n === 0) return null;
  const z = tQuantile((1 + level) / 2, df);
  // At a level of 1, nothing is excluded.
  if (z === Number.POSITIVE_INFINITY) return { low: 0, high: 1, method: "wilson" };
  const share = successes / n;
  const scale = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  // The bounds for 0 and n successes are exact; rounding would put them slightly inside.
  return {
    low: successes === 0 ? 0 : Math.min(share, Math.max(0, centre - half)),
    high: successes === n ? 1 : Math.max(share, Math.min(1, centre + half)),
    method: "wilson",
  };
}

/**
 * The exact interval of Clopper and Pearson (1934), from quantiles of the beta distribution. Its coverage is at least
 * `level`, so it is wider than others. Null if `n` is 0.
 */
export function clopperPearson(successes: number, n: number, level: number): Interval | null {
  if (n === 0) return null;
  const alpha = 1 - level;
  return {
    low: successes === 0 ? 0 : betaQuantile(alpha / 2, successes, n - successes + 1),
    high: successes === n ? 1 : betaQuantile(1 - alpha / 2, successes + 1, n - successes),
    method: "clopper_pearson",
  };
}

/**
 * The equal-tailed interval under Jeffreys' prior, Beta(½, ½); its bounds are 0 and 1 at the ends. Null if `n` is 0.
 */
export function jeffreys(successes: number, n: number, level: number): Interval | null {
  if (n === 0) return null;
  const alpha = 1 - level;
  const [a, b] = [successes + 0.5, n - successes + 0.5];
  return {
    low: successes === 0 ? 0 : betaQuantile(alpha / 2, a, b),
    high: successes === n ? 1 : betaQuantile(1 - alpha / 2, a, b),
    method: "jeffreys",
  };
}
