// A running sum that keeps what rounding takes away, so that the total does not depend on the order of what is added:
// what the sum loses is added up beside it, and what that loses beside that, some 159 bits in plain doubles. No part
// waits for another but the one before it, which is what makes the loop fast. The naive form is `exactSum`.

import { exactSum } from "./exact-sum.ts";

/** A sum in three parts, and how many numbers are in it. Changed in place: loops make no garbage. */
export interface Total {
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
  return { high: 0, low: 0, lower: 0, count: 0 };
}

/** Makes a total one of nothing. */
export function clearTotal(total: Total): void {
  total.high = 0;
  total.low = 0;
  total.lower = 0;
  total.count = 0;
}

/** Adds a number. */
export function addExactly(total: Total, value: number): void {
  const { high, low } = total;
  // Knuth's two-sum, twice: a sum and exactly what it lost.
  const sum = high + value;
  const shadow = sum - high;
  const lost = high - (sum - shadow) + (value - shadow);
  const lowSum = low + lost;
  const lowShadow = lowSum - low;
  total.lower += low - (lowSum - lowShadow) + (lost - lowShadow);
  total.low = lowSum;
  total.high = sum;
  total.count++;
}

/** Adds all `values`: `addExactly` with the parts in registers, as are the two after it. */
export function addColumn(total: Total, values: Float64Array): void {
  let { high, low, lower } = total;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const sum = high + value;
    const shadow = sum - high;
    const lost = high - (sum - shadow) + (value - shadow);
    const lowSum = low + lost;
    const lowShadow = lowSum - low;
    lower += low - (lowSum - lowShadow) + (lost - lowShadow);
    low = lowSum;
    high = sum;
  }
  total.high = high;
  total.low = low;
  total.lower = lower;
  total.count += values.length;
}

/** Adds (a − `aboutA`)·(b − `aboutB`) for each place in `a` and `b`, rounded as one by one. */
export function addProducts(
  total: Total,
  {
    a,
    b,
    aboutA,
    aboutB,
  }: { readonly a: Float64Array; readonly b: Float64Array; readonly aboutA: number; readonly aboutB: number },
): void {
  let { high, low, lower } = total;
  for (let i = 0; i < a.length; i++) {
    const value = (a[i]! - aboutA) * (b[i]! - aboutB);
    const sum = high + value;
    const shadow = sum - high;
    const lost = high - (sum - shadow) + (value - shadow);
    const lowSum = low + lost;
    const lowShadow = lowSum - low;
    lower += low - (lowSum - lowShadow) + (lost - lowShadow);
    low = lowSum;
    high = sum;
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
  let { high, low, lower, count } = total;
  for (let k = 0; k < indexes.length; k++) {
    const number = numbers[indexes[k]! * width + place]!;
    const known = !Number.isNaN(number);
    const value = known ? number : 0;
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
  total.high = high;
  total.low = low;
  total.lower = lower;
  total.count = count;
}

/** Adds what another total has. */
export function addTotal(total: Total, other: Readonly<Total>): void {
  const count = total.count + other.count;
  for (const part of [other.high, other.low, other.lower]) addExactly(total, part);
  total.count = count;
}

/** The sum, rounded once. */
export function totalOf({ high, low, lower, count }: Readonly<Total>): number {
  // Of two numbers the sum is rounded right as it is.
  return count <= 2 || (low === 0 && lower === 0) ? high : exactSum([high, low, lower]);
}
