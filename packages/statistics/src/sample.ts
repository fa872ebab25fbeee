// A sample and its moments. Every sum is exact, so that the order of the values changes no digit, and a sample that
// says how often each value occurs gives the same digits as one that repeats the values.

import { addColumn, addExactly, addProducts, newTotal, type Total, totalOf } from "./exact-total.ts";

/** Numbers that were observed. Must be finite. */
export interface Sample {
  /** The values. */
  readonly values: ArrayLike<number>;
  /** How often each value occurs: whole numbers, 0 or more. Once each when not given. */
  readonly counts?: ArrayLike<number> | undefined;
}

/** What a sample adds up to. */
export interface Moments {
  /** Number of values. */
  readonly n: number;
  /** Their mean; null when there is none. */
  readonly mean: number | null;
  /** Sample variance, with n − 1 in the denominator; null when there are fewer than two values. */
  readonly variance: number | null;
}

/** Mean and sample variance, in two passes. A sample of one repeated value has a variance of exactly 0. */
export function moments(sample: Sample): Moments {
  const n = sizeOf(sample);
  if (n === 0) return { n, mean: null, variance: null };
  // The mean of equal values is that value, though the division may round it to a neighbour.
  const only = onlyValue(sample);
  if (only !== undefined) return { n, mean: only, variance: n < 2 ? null : 0 };
  const total = newTotal();
  addSample(total, sample);
  const mean = totalOf(total) / n;
  const squares = sumOfProducts({ a: sample.values, b: sample.values, counts: sample.counts }, mean, mean);
  return finite({ n, mean, variance: n < 2 ? null : squares / (n - 1) });
}

/** Number of values, each as often as it occurs. */
export function sizeOf({ values, counts }: Sample): number {
  if (counts === undefined) return values.length;
  let n = 0;
  for (let i = 0; i < counts.length; i++) n += counts[i]!;
  return n;
}

/** The value that all are; undefined when two differ. */
function onlyValue({ values, counts }: Sample): number | undefined {
  let only: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (counts !== undefined && counts[i] === 0) continue;
    only ??= values[i]!;
    if (values[i] !== only) return undefined;
  }
  return only;
}

/** Adds the values of a sample, each as often as it occurs. */
export function addSample(total: Total, { values, counts }: Sample): void {
  if (counts === undefined && values instanceof Float64Array) addColumn(total, values);
  else
    for (let i = 0; i < values.length; i++)
      addTimes(total, values[i]!, counts === undefined ? 1 : counts[i]!);
}

/** The exact sum of (a − `aboutA`)·(b − `aboutB`). */
function sumOfProducts({ a, b, counts }: Pairs, aboutA: number, aboutB: number): number {
  const total = newTotal();
  if (counts === undefined && a instanceof Float64Array && b instanceof Float64Array)
    addProducts(total, { a, b, aboutA, aboutB });
  else
    for (let i = 0; i < a.length; i++)
      addTimes(total, (a[i]! - aboutA) * (b[i]! - aboutB), counts === undefined ? 1 : counts[i]!);
  return totalOf(total);
}

/**
 * Skewness of a sample with these moments: the third central moment over the 3/2nd power of the second (g₁). Null when
 * there are fewer than three values or none differ.
 */
export function skewness({ values, counts }: Sample, { n, mean, variance }: Moments): number | null {
  if (n < 3 || mean === null || variance === null || !(variance > 0)) return null;
  const total = newTotal();
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - mean;
    addTimes(total, deviation * deviation * deviation, counts === undefined ? 1 : counts[i]!);
  }
  const second = (variance * (n - 1)) / n;
  const skew = totalOf(total) / n / (second * Math.sqrt(second));
  return Number.isFinite(skew) ? skew : null;
}

/** The mean of pairs and how the two sides go together. */
export interface Pairs {
  /** The first of each pair. */
  readonly a: ArrayLike<number>;
  /** The second of each pair. */
  readonly b: ArrayLike<number>;
  /** How often each pair occurs; once each when not given. */
  readonly counts?: ArrayLike<number> | undefined;
}

/**
 * Pearson's correlation of the two sides of pairs, whose moments may be given where they are known; null when there are
 * fewer than two pairs or one side never varies.
 */
export function correlation(
  pairs: Pairs,
  [first, second]: readonly [Moments, Moments] = [
    moments({ values: pairs.a, counts: pairs.counts }),
    moments({ values: pairs.b, counts: pairs.counts }),
  ],
): number | null {
  const spread = Math.sqrt(first.variance ?? 0) * Math.sqrt(second.variance ?? 0);
  if (!(spread > 0)) return null;
  const together = sumOfProducts(pairs, first.mean!, second.mean!) / (first.n - 1) / spread;
  return Number.isFinite(together) ? Math.max(-1, Math.min(1, together)) : null;
}

// Past this the halves of a product overflow, and below its inverse their rounding error is lost.
const SPLITS_BELOW = 2 ** 480;

/** Adds `value` `count` times, as exactly as one by one: the rounded product, and what rounding took from it. */
function addTimes(total: Total, value: number, count: number): void {
  if (count === 1) {
    addExactly(total, value);
    return;
  }
  if (count === 0 || value === 0) return;
  const size = Math.abs(value);
  if (size >= SPLITS_BELOW || size <= 1 / SPLITS_BELOW) {
    for (let i = 0; i < count; i++) addExactly(total, value);
    return;
  }
  // Dekker's product: Veltkamp splits a double into halves of 26 bits, whose products are exact.
  const product = value * count;
  const [high, highCount] = [upperHalf(value), upperHalf(count)];
  const [low, lowCount] = [value - high, count - highCount];
  addExactly(total, product);
  addExactly(total, low * lowCount - (product - high * highCount - low * highCount - high * lowCount));
}

function upperHalf(x: number): number {
  const scaled = x * 134_217_729;
  return scaled - (scaled - x);
}

function finite(moments: Moments): Moments {
  const { n, mean, variance } = moments;
  return {
    n,
    mean: Number.isFinite(mean) ? mean : null,
    variance: Number.isFinite(variance) ? variance : null,
  };
}
