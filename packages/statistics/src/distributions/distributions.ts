// Quantiles and tail probabilities of the standard distributions, from stdlib. Invalid arguments are errors in this
// program, because callers check levels and degrees of freedom.

import betaQuantileOf from "@stdlib/stats-base-dists-beta-quantile";
import normalCdfOf from "@stdlib/stats-base-dists-normal-cdf";
import normalQuantileOf from "@stdlib/stats-base-dists-normal-quantile";
import tCdfOf from "@stdlib/stats-base-dists-t-cdf";
import tQuantileOf from "@stdlib/stats-base-dists-t-quantile";

/** The quantile of the standard normal distribution at `p`. */
export function normalQuantile(p: number): number {
  return normalQuantileOf(p, 0, 1);
}

/** P(Z ≤ z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return normalCdfOf(z, 0, 1);
}

/** The quantile of the beta distribution at `p`. */
export function betaQuantile(p: number, alpha: number, beta: number): number {
  return betaQuantileOf(p, alpha, beta);
}

// Caches quantiles: an inversion takes up to a tenth of a millisecond, and the measures of a comparison need the same
// few.
const KEPT = 512;
const quantiles = new Map<string, number>();

/**
 * The quantile of Student's t with `df` degrees of freedom, which may be fractional; with infinite `df`, that of the
 * normal distribution.
 */
export function tQuantile(p: number, df: number): number {
  const z = normalQuantile(p);
  if (df === Number.POSITIVE_INFINITY) return z;
  // With a filter that changes constantly, each measure has its own degrees of freedom.
  if (df >= EXPANDED_FROM && Math.abs(z) <= EXPANDED_TO) return expandedQuantile(z, df);
  const key = `${p} ${df}`;
  let quantile = quantiles.get(key);
  if (quantile === undefined) {
    quantile = tQuantileOf(p, df);
    if (quantiles.size >= KEPT) quantiles.clear();
    quantiles.set(key, quantile);
  }
  return quantile;
}

// Here the expansion differs from the inversion in the thirteenth digit at most, or in the fifteenth if |z| < 3.
const EXPANDED_FROM = 1000;
const EXPANDED_TO = 4.5;

/** Student's quantile from the normal one, in powers of 1/df: Abramowitz and Stegun, 26.7.5. */
function expandedQuantile(z: number, df: number): number {
  const s = z * z;
  const first = (z * (s + 1)) / 4;
  const second = (z * ((5 * s + 16) * s + 3)) / 96;
  const third = (z * (((3 * s + 19) * s + 17) * s - 15)) / 384;
  const fourth = (z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945)) / 92_160;
  return z + (first + (second + (third + fourth / df) / df) / df) / df;
}

/** P(|T| ≥ |t|) with `df` degrees of freedom. */
export function tTwoSided(t: number, df: number): number {
  const tail = df === Number.POSITIVE_INFINITY ? normalCdf(-Math.abs(t)) : tCdfOf(-Math.abs(t), df);
  return Math.min(1, 2 * tail);
}
