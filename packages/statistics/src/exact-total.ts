// A running sum that keeps what rounding takes away, so that the total does not depend on the order of what is added:
// what the sum loses is added up beside it, and what that loses beside that, some 159 bits in plain doubles. No part
// waits for another but the one before it, which is what makes the loop fast. The naive forms are `exactSum` and
// `exactMean`.

import { exactSum, SMALLER } from "./exact-sum.ts";

/** A sum in three parts, and how many numbers are in it. Changed in place: loops make no garbage. */
export interface Total {
  /** What the parts were multiplied by: 1, or `SMALLER` once a sum has been beyond the largest double. */
  scale: number;
  /** The sum so far, rounded. */
  high: number;
  /** What rounding has taken from it. */
  low: number;
  /** What rounding has taken from that. */
  lower: number;
  /** How many numbers were added. */
  count: number;
}

/** A total of nothing. */
export function newTotal(): Total {
  return { scale: 1, high: 0, low: 0, lower: 0, count: 0 };
}

/** Makes a total one of nothing. */
export function clearTotal(total: Total): void {
  total.scale = 1;
  total.high = 0;
  total.low = 0;
  total.lower = 0;
  total.count = 0;
}

/** Adds a number. */
export function addExactly(total: Total, number: number): void {
  addScaled(total, number * total.scale);
}

function addScaled(total: Total, value: number): void {
  const { high, low } = total;
  // Knuth's two-sum, twice: a sum and exactly what it lost.
  const sum = high + value;
  const shadow = sum - high;
  const lost = high - (sum - shadow) + (value - shadow);
  const lowSum = low + lost;
  if (overflowed(total, lowSum)) {
    addScaled(total, value * SMALLER);
    return;
  }
  const lowShadow = lowSum - low;
  total.lower += low - (lowSum - lowShadow) + (lost - lowShadow);
  total.low = lowSum;
  total.high = sum;
  total.count++;
}

/** Whether a sum has left the range of doubles: then the total is made smaller, to be added to once more. */
function overflowed(total: Total, low: number): boolean {
  return low - low !== 0 && makeSmaller(total);
}

/** Returns false for a total that is smaller already. */
function makeSmaller(total: Total): boolean {
  if (total.scale !== 1) return false;
  total.scale = SMALLER;
  total.high *= SMALLER;
  total.low *= SMALLER;
  total.lower *= SMALLER;
  return true;
}

/** Adds all `values`: `addExactly` with the parts in registers, as are the two after it. */
export function addColumn(total: Total, values: Float64Array): void {
  const { scale } = total;
  let { high, low, lower } = total;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! * scale;
    const sum = high + value;
    const shadow = sum - high;
    const lost = high - (sum - shadow) + (value - shadow);
    const lowSum = low + lost;
    const lowShadow = lowSum - low;
    lower += low - (lowSum - lowShadow) + (lost - lowShadow);
    low = lowSum;
    high = sum;
  }
  if (overflowed(total, low)) {
    addColumn(total, values);
    return;
  }
  total.high = high;
  total.low = low;
  total.lower = lower;
  total.count += values.length;
}

/** Adds (a − `aboutA`)·(b − `aboutB`) for each place in `a` and `b`, rounded as one by one. */
export function addProducts(
  total: Total,
  pairs: {
    readonly a: Float64Array;
    readonly b: Float64Array;
    readonly aboutA: number;
    readonly aboutB: number;
  },
): void {
  const { a, b, aboutA, aboutB } = pairs;
  const { scale } = total;
  let { high, low, lower } = total;
  for (let i = 0; i < a.length; i++) {
    const value = (a[i]! - aboutA) * (b[i]! - aboutB) * scale;
    const sum = high + value;
    const shadow = sum - high;
    const lost = high - (sum - shadow) + (value - shadow);
    const lowSum = low + lost;
    const lowShadow = lowSum - low;
    lower += low - (lowSum - lowShadow) + (lost - lowShadow);
    low = lowSum;
    high = sum;
  }
  if (overflowed(total, low)) {
    addProducts(total, pairs);
    return;
  }
  total.high = high;
  total.low = low;
  total.lower = lower;
  total.count += a.length;
}

/**
 * Adds what each of `indexes` has in `numbers`, but for NaN: `addExactly` with the parts in registers. `numbers` has
 * `width` numbers of each, of which the one at `place` is added. NaN is added as nothing rather than passed over,
 * because a branch that is sometimes taken costs more than the addition.
 */
export function addAll(
  total: Total,
  numbers: Float64Array,
  indexes: Uint32Array,
  width: number,
  place: number,
): void {
  const { scale } = total;
  let { high, low, lower, count } = total;
  for (let k = 0; k < indexes.length; k++) {
    const number = numbers[indexes[k]! * width + place]!;
    const known = !Number.isNaN(number);
    const value = known ? number * scale : 0;
    count += known ? 1 : 0;
    const sum = high + value;
    const shadow = sum - high;
    const lost = high - (sum - shadow) + (value - shadow);
    const lowSum = low + lost;
    const lowShadow = lowSum - low;
    lower += low - (lowSum - lowShadow) + (lost - lowShadow);
    low = lowSum;
    high = sum;
  }
  if (overflowed(total, low)) {
    addAll(total, numbers, indexes, width, place);
    return;
  }
  total.high = high;
  total.low = low;
  total.lower = lower;
  total.count = count;
}

/** Adds what another total has. */
export function addTotal(total: Total, other: Readonly<Total>): void {
  const count = total.count + other.count;
  if (other.scale !== 1) makeSmaller(total);
  for (const part of [other.high, other.low, other.lower])
    addScaled(total, part * (total.scale / other.scale));
  total.count = count;
}

/** The sum, rounded once; infinite when it is beyond the largest double. */
export function totalOf(total: Readonly<Total>): number {
  return partsOf(total) / total.scale;
}

/** The mean of the `n` numbers that were added: finite when they are; NaN of none. */
export function meanOf(total: Readonly<Total>, n: number = total.count): number {
  return partsOf(total) / n / total.scale;
}

function partsOf({ high, low, lower, count }: Readonly<Total>): number {
  // Of two numbers the sum is rounded right as it is.
  return count <= 2 || (low === 0 && lower === 0) ? high : exactSum([high, low, lower]);
}
