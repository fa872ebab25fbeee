// A running sum that keeps rounding errors, so that the total does not depend on the order of addition: the error of
// the sum is summed separately, and so is the error of that sum, some 159 bits in plain doubles. Each part depends only
// on the previous one, which makes the loop fast. The naive forms are `exactSum` and `exactMean`.

import { exactMean, SMALLER } from "./exact-sum.ts";

/** A sum in three parts, with the count of its numbers. Changed in place, so that loops allocate nothing. */
export interface Total {
  /** The factor of the parts: 1, or `SMALLER` once a sum exceeded the largest double. */
  scale: number;
  /** The sum so far, rounded. */
  high: number;
  /** The rounding error of `sum`. */
  low: number;
  /** The rounding error of that. */
  lower: number;
  /** The count of added numbers. */
  count: number;
}

/** A total without numbers. */
export function newTotal(): Total {
  return { scale: 1, high: 0, low: 0, lower: 0, count: 0 };
}

/** Resets a total to zero. */
export function clearTotal(total: Total): void {
  total.scale = 1;
  total.high = 0;
  total.low = 0;
  total.lower = 0;
  total.count = 0;
}

/** Adds one number. */
export function addExactly(total: Total, number: number): void {
  addScaled(total, number * total.scale);
}

function addScaled(total: Total, value: number): void {
  const { high, low } = total;
  // Knuth's two-sum, twice: a sum and its exact rounding error.
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

/** Whether the sum just overflowed. The total is then scaled down, once, for the addition to be repeated. */
function overflowed(total: Total, low: number): boolean {
  return low - low !== 0 && makeSmaller(total);
}

function makeSmaller(total: Total): boolean {
  if (total.scale !== 1) return false;
  total.scale = SMALLER;
  total.high *= SMALLER;
  total.low *= SMALLER;
  total.lower *= SMALLER;
  return true;
}

/** Adds all `values`: `addExactly` with the parts in registers, like the next two functions. */
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

/** Adds (a − `aboutA`)·(b − `aboutB`) for each index of `a` and `b`, with the same rounding as one by one. */
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
 * Adds the number of each of `indexes`, with the parts in registers. `numbers` has `width` numbers for each index; the
 * one at `place` is added. NaN counts as 0; it is not skipped, because an unpredictable branch costs more than the
 * addition.
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

/** Adds another total. */
export function addTotal(total: Total, other: Readonly<Total>): void {
  const count = total.count + other.count;
  if (other.scale !== 1) makeSmaller(total);
  for (const part of [other.high, other.low, other.lower])
    addScaled(total, part * (total.scale / other.scale));
  total.count = count;
}

/** The sum, rounded once; infinite if it exceeds the largest double. */
export function totalOf(total: Readonly<Total>): number {
  return meanOf(total, 1);
}

/** The mean of the `n` added numbers: finite if they are; NaN if there are none. */
export function meanOf(total: Readonly<Total>, n: number = total.count): number {
  const { high, low, lower, count, scale } = total;
  // With at most two numbers, `high` is already correctly rounded.
  const isRounded = count <= 2 || (low === 0 && lower === 0);
  return (isRounded ? high / n : exactMean([high, low, lower], n)) / scale;
}
