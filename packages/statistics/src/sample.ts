// Samples, pairs, and what they add up to. A sample may say how often each value occurs instead of repeating it.

import { addColumn, addExactly, type Total } from "./exact-total.ts";

/** Numbers that were observed. Must be finite. */
export interface Sample {
  /** The values. */
  readonly values: ArrayLike<number>;
  /** How often each value occurs: whole numbers, 0 or more. Once each when not given. */
  readonly counts?: ArrayLike<number> | undefined;
}

/** Pairs of numbers that were observed together. */
export interface Pairs {
  /** The first of each pair. */
  readonly a: ArrayLike<number>;
  /** The second of each pair. */
  readonly b: ArrayLike<number>;
  /** How often each pair occurs; once each when not given. */
  readonly counts?: ArrayLike<number> | undefined;
}

/** The mean of a sample and how far it spreads. */
export interface Moments {
  /** Number of values. */
  readonly n: number;
  /** Their mean; null when there is none. */
  readonly mean: number | null;
  /** Sample variance, with n − 1 in the denominator; null when there are fewer than two values. */
  readonly variance: number | null;
}

/** Number of values, each as often as it occurs. */
export function sizeOf({ values, counts }: Sample): number {
  if (counts === undefined) return values.length;
  let n = 0;
  for (let i = 0; i < counts.length; i++) n += counts[i]!;
  return n;
}

/** Adds the values of a sample, each as often as it occurs. */
export function addSample(total: Total, { values, counts }: Sample): void {
  if (counts === undefined && values instanceof Float64Array) addColumn(total, values);
  else
    for (let i = 0; i < values.length; i++)
      addTimes(total, values[i]!, counts === undefined ? 1 : counts[i]!);
}

// Past this the halves of a product overflow. Below, a whole count loses nothing: all parts are multiples of the value's unit.
const SPLITS_BELOW = 2 ** 480;

/** Adds `value` `count` times, as exactly as one by one: the rounded product, and what rounding took from it. */
export function addTimes(total: Total, value: number, count: number): void {
  if (count === 1) {
    addExactly(total, value);
    return;
  }
  if (Math.abs(value) >= SPLITS_BELOW) {
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
