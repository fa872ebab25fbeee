// Sorts items by a 48-bit number of each with four passes of 12 bits each. The time does not depend on the initial
// order; a comparison sort of a million items takes a second. The counters of a pass fit in the innermost cache, and
// their cost is small for ten thousand items. The naive form is a sort by the numbers.

import type { Work } from "../work.ts";

const BITS = 12;
const DIGITS = 1 << BITS;
const HALF = 2 ** (2 * BITS);

// The work of a pass over an item, in array items touched.
const PASS_COST = 32;

/** Sorts `items` stably by their `prefix`, whole numbers below 2^48. */
export async function sortByPrefix(
  items: Uint32Array,
  prefix: Float64Array,
  work: Work,
): Promise<Uint32Array> {
  const [low, high] = [new Int32Array(prefix.length), new Int32Array(prefix.length)];
  for (let i = 0; i < prefix.length; i++) {
    const upper = Math.floor(prefix[i]! / HALF);
    high[i] = upper;
    low[i] = prefix[i]! - upper * HALF;
  }
  const passes: readonly (readonly [Int32Array, number])[] = [
    [low, 0],
    [low, BITS],
    [high, 0],
    [high, BITS],
  ];
  let from = items.slice();
  let to = new Uint32Array(items.length);
  for (const [half, shift] of passes) {
    const pause = work.spend(items.length * PASS_COST);
    if (pause !== undefined) await pause;
    byDigit(from, to, half, shift);
    [from, to] = [to, from];
  }
  return from;
}

/** Distributes the items of `from` into `to`, ordered by 12 bits of their halves. */
function byDigit(from: Uint32Array, to: Uint32Array, half: Int32Array, shift: number): void {
  const next = new Uint32Array(DIGITS + 1);
  for (let k = 0; k < from.length; k++) next[((half[from[k]!]! >> shift) & (DIGITS - 1)) + 1]!++;
  for (let digit = 0; digit < DIGITS; digit++) next[digit + 1]! += next[digit]!;
  for (let k = 0; k < from.length; k++) to[next[(half[from[k]!]! >> shift) & (DIGITS - 1)]!++] = from[k]!;
}
