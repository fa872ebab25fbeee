// The bootstrap of a mean: bias-corrected and accelerated intervals (Efron, "Better Bootstrap Confidence Intervals",
// 1987), of rows or of whole clusters. The generator is seeded and rows are drawn by index, so that the same rows in
// the same order give the same bytes on any machine.

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { normalCdf, normalQuantile } from "../distributions/distributions.ts";
import { square } from "../distributions/elementary.ts";
import { quantile } from "../distributions/quantile.ts";
import type { Interval } from "./interval.ts";

/** How to resample. */
export interface BootstrapOptions {
  /** The confidence, between 0 and 1. */
  readonly level: number;
  /** The number of resamples. Default 10,000. */
  readonly resamples?: number | undefined;
  /** The seed of the generator, xoroshiro128+. Default 0. */
  readonly seed?: number | undefined;
  /** The cluster of each row, numbered from 0. If given, whole clusters are drawn. */
  readonly clusterOf?: ArrayLike<number> | undefined;
}

/** The interval of the mean of `values`. Null for fewer than two rows (or clusters), or if all resamples are equal. */
export function bootstrapBca(values: ArrayLike<number>, options: BootstrapOptions): Interval | null {
  const steps = bootstrapSteps(values, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The number of rows or clusters drawn between two yields. */
const DRAWS_AT_ONCE = 100_000;

/** The same in steps: each yields the number of draws it took, so that the caller can let other work run, or stop. */
export function* bootstrapSteps(
  values: ArrayLike<number>,
  { level, resamples = 10_000, seed = 0, clusterOf }: BootstrapOptions,
): Generator<number, Interval | null, void> {
  const { sums, sizes } = unitsOf(values, clusterOf);
  const units = sums.length;
  if (units < 2) return null;
  const generator = xoroshiro128plus(seed);
  const means = new Float64Array(resamples);
  let drawn = 0;
  for (let r = 0; r < resamples; r++) {
    let [sum, size] = [0, 0];
    for (let k = 0; k < units; k++) {
      const unit = uniformInt(generator, 0, units - 1);
      sum += sums[unit]!;
      size += sizes[unit]!;
    }
    means[r] = sum / size;
    drawn += units;
    if (drawn < DRAWS_AT_ONCE) continue;
    yield drawn;
    drawn = 0;
  }
  return bca(means.sort(), sums, sizes, level);
}

/** The units to draw from: the value of each row, or the sum of each cluster. */
function unitsOf(
  values: ArrayLike<number>,
  clusterOf: ArrayLike<number> | undefined,
): { readonly sums: readonly number[]; readonly sizes: readonly number[] } {
  const [sums, sizes]: [number[], number[]] = [[], []];
  for (let i = 0; i < values.length; i++) {
    const unit = clusterOf === undefined ? i : clusterOf[i]!;
    sums[unit] = (sums[unit] ?? 0) + values[i]!;
    sizes[unit] = (sizes[unit] ?? 0) + 1;
  }
  return { sums, sizes };
}

function bca(
  ascending: Float64Array,
  sums: readonly number[],
  sizes: readonly number[],
  level: number,
): Interval | null {
  const add = (total: number, x: number): number => total + x;
  const [sum, size] = [sums.reduce(add, 0), sizes.reduce(add, 0)];
  const mean = sum / size;
  if (ascending[0] === ascending.at(-1)) return null;
  // Resamples equal to the mean, which are frequent with booleans, count half; otherwise the correction would see a
  // bias.
  let below = 0;
  for (const resampled of ascending) below += resampled < mean ? 1 : resampled === mean ? 0.5 : 0;
  const bias = normalQuantile(
    Math.min(1 - 0.5 / ascending.length, Math.max(0.5 / ascending.length, below / ascending.length)),
  );
  // The skewness of the jackknife, that is, of the means without each unit.
  const without = sums.map((of, unit) => (sum - of) / (size - sizes[unit]!));
  const centre = without.reduce(add, 0) / without.length;
  const squares = without.map((x) => square(centre - x)).reduce(add, 0);
  const cubes = without.map((x) => square(centre - x) * (centre - x)).reduce(add, 0);
  const acceleration = squares > 0 ? cubes / (6 * squares * Math.sqrt(squares)) : 0;
  const bound = (p: number): number => {
    const z = bias + normalQuantile(p);
    return quantile(ascending, normalCdf(bias + z / (1 - acceleration * z)))!;
  };
  const [low, high] = [bound((1 - level) / 2), bound((1 + level) / 2)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  return { low: Math.min(low, mean), high: Math.max(high, mean), method: "bootstrap_bca" };
}
