// The bootstrap of a mean: bias-corrected and accelerated intervals (Efron, "Better Bootstrap Confidence Intervals",
// 1987), of rows or of whole clusters. The generator is seeded, so that the same rows in the same order give the same
// bytes on any machine.

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { drawBinomial, uniform } from "../distributions/binomial.ts";
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

/**
 * The interval of the mean of `values`. Null for fewer than two rows (or clusters), or if all resamples are equal. With
 * many rows and few different values, a resample is how often each value comes. From 5,000 rows on, nearly equal values
 * are one, with their variance.
 */
export function bootstrapBca(values: ArrayLike<number>, options: BootstrapOptions): Interval | null {
  const steps = bootstrapSteps(values, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The work between two yields, in draws. */
const DRAWS_AT_ONCE = 100_000;
/** About how many draws of a row a binomial random number takes. */
const BINOMIAL = 10;

/**
 * The same in steps: each yields its work, in draws of a row, so that the caller can let other work run, or stop.
 */
export function* bootstrapSteps(
  values: ArrayLike<number>,
  { level, resamples = 10_000, seed = 0, clusterOf }: BootstrapOptions,
): Generator<number, Interval | null, void> {
  const units = unitsOf(values, clusterOf);
  const count = units.sums.length;
  if (count < 2) return null;
  const generator = xoroshiro128plus(seed);
  const groups = groupsOf(units);
  const work = groups === undefined ? count : groups.length * BINOMIAL;
  const means = new Float64Array(resamples);
  let done = 0;
  for (let r = 0; r < resamples; r++) {
    means[r] = groups === undefined ? meanOfUnits(generator, units) : meanOfGroups(generator, groups, count);
    done += work;
    if (done < DRAWS_AT_ONCE) continue;
    yield done;
    done = 0;
  }
  return bca(means.sort(), units, level);
}

/** The units to draw from, rows or clusters: the sum and the number of rows of each. */
interface Units {
  readonly sums: readonly number[];
  readonly sizes: readonly number[];
}

/** The mean of a resample, drawn unit by unit. */
function meanOfUnits(generator: RandomGenerator, { sums, sizes }: Units): number {
  let [sum, size] = [0, 0];
  for (let k = 0; k < sums.length; k++) {
    const unit = uniformInt(generator, 0, sums.length - 1);
    sum += sums[unit]!;
    size += sizes[unit]!;
  }
  return sum / size;
}

/** Units of equal size with equal, or nearly equal, sums. */
interface Group {
  /** The mean of their sums. */
  readonly sum: number;
  readonly size: number;
  readonly count: number;
  /** The variance of their sums: 0 if all are equal. */
  readonly variance: number;
}

/**
 * The mean of a resample, drawn by how many units come from each group, which is a multinomial distribution. What units
 * of a group differ by adds up to a normal distribution.
 */
function meanOfGroups(generator: RandomGenerator, groups: readonly Group[], units: number): number {
  let [sum, size, variance] = [0, 0, 0];
  let [draws, others] = [units, units];
  for (const group of groups) {
    const drawn = drawBinomial(generator, draws, group.count / others);
    sum += drawn * group.sum;
    size += drawn * group.size;
    variance += drawn * group.variance;
    draws -= drawn;
    others -= group.count;
  }
  if (variance > 0) sum += Math.sqrt(variance) * normalQuantile(uniform(generator));
  return sum / size;
}

/** From how many units on, those with nearly equal sums are a group. */
const MANY = 5000;
/** How many of the smallest and of the largest sums are groups of their own. */
const EXTREMES = 64;

/** The units in groups, if that is faster than drawing each. */
function groupsOf({ sums, sizes }: Units): readonly Group[] | undefined {
  const counts = new Map<string, number>();
  const most = sums.length / BINOMIAL;
  for (let i = 0; i < sums.length && counts.size < most; i++) {
    const key = `${sums[i]} ${sizes[i]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size < most)
    return Array.from(counts, ([key, count]) => {
      const [sum, size] = key.split(" ").map(Number) as [number, number];
      return { sum, size, count, variance: 0 };
    }).sort((a, b) => a.sum - b.sum || a.size - b.size);
  const size = sizes[0]!;
  if (sums.length < MANY || sizes.some((other) => other !== size)) return undefined;
  // A group has √n of the n units in order, so the variance within groups is a tiny part of all.
  const ascending = Float64Array.from(sums).sort();
  const [inner, step] = [ascending.length - EXTREMES, Math.ceil(Math.sqrt(ascending.length))];
  const groups: Group[] = [];
  for (let from = 0, to = 0; from < ascending.length; from = to) {
    to = from < EXTREMES || from >= inner ? from + 1 : Math.min(from + step, inner);
    const group = ascending.subarray(from, to);
    const sum = group.reduce((total, x) => total + x, 0) / group.length;
    const variance = group.reduce((total, x) => total + square(x - sum), 0) / group.length;
    groups.push({ sum, size, count: group.length, variance });
  }
  return groups;
}

/** The rows, or the clusters if there are any. */
function unitsOf(values: ArrayLike<number>, clusterOf: ArrayLike<number> | undefined): Units {
  const [sums, sizes]: [number[], number[]] = [[], []];
  for (let i = 0; i < values.length; i++) {
    const unit = clusterOf === undefined ? i : clusterOf[i]!;
    sums[unit] = (sums[unit] ?? 0) + values[i]!;
    sizes[unit] = (sizes[unit] ?? 0) + 1;
  }
  return { sums, sizes };
}

function bca(ascending: Float64Array, { sums, sizes }: Units, level: number): Interval | null {
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
