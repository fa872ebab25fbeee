// Samples, pairs, and their sums. A sample may have a count for each value instead of repeating it.

import { addColumn, addExactly, type Total } from "./exact-total.ts";

/** Observed numbers. They must be finite. */
export interface Sample {
  /** The values. */
  readonly values: ArrayLike<number>;
  /** How often each value occurs: whole numbers, 0 or more. Default: once each. */
  readonly counts?: ArrayLike<number> | undefined;
}

/** Observed pairs of numbers. */
export interface Pairs {
  /** The first number of each pair. */
  readonly a: ArrayLike<number>;
  /** The second number of each pair. */
  readonly b: ArrayLike<number>;
  /** How often each pair occurs. Default: once each. */
  readonly counts?: ArrayLike<number> | undefined;
}

/** The mean and variance of a sample. */
export interface Moments {
  /** Number of values. */
  readonly n: number;
  /** Their mean; null without values. */
  readonly mean: number | null;
  /** The sample variance, with n − 1 in the denominator; null for fewer than two values. */
  readonly variance: number | null;
}

/** The number of values, with repetitions. */
export function sizeOf({ values, counts }: Sample): number {
  if (counts === undefined) return values.length;
  let n = 0;
  for (let i = 0; i < counts.length; i++) n += counts[i]!;
  return n;
}

/** Adds the values of a sample, with repetitions. */
export function addSample(total: Total, { values, counts }: Sample): void {
  if (counts === undefined && values instanceof Float64Array) addColumn(total, values);
  else
    for (let i = 0; i < values.length; i++)
      addTimes(total, values[i]!, counts === undefined ? 1 : counts[i]!);
}

// Beyond this, the halves of a product overflow. Below it, no bit of a product with a whole count is lost: all parts
// are multiples of the value's unit.
const SPLITS_BELOW = 2 ** 480;

/** Adds `value` `count` times, as exactly as one by one: the rounded product and its rounding error. */
export function addTimes(total: Total, value: number, count: number): void {
  if (count === 1) {
    addExactly(total, value);
    return;
  }
  if (Math.abs(value) >= SPLITS_BELOW) {
    for (let i = 0; i < count; i++) addExactly(total, value);
    return;
  }
  // Dekker's product: Veltkamp splits each double into halves of 26 bits, whose products are exact.
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
