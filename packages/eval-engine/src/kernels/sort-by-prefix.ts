// Puts items in order by a number of 48 bits that each has: three passes over 16 bits each, whatever the order they
// came in, where a sort by comparison of a million items takes a second. The naive form is a sort by the numbers.

const DIGITS = 2 ** 16;

/** The items of `items`, stably in the order of their `prefix`, whole numbers below 2^48. */
export function sortByPrefix(items: Uint32Array, prefix: Float64Array): Uint32Array {
  let from = items.slice();
  let to = new Uint32Array(items.length);
  for (const unit of [1, DIGITS, DIGITS * DIGITS]) {
    const next = new Uint32Array(DIGITS + 1);
    for (let k = 0; k < from.length; k++) next[digitOf(prefix[from[k]!]!, unit) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++) next[digit + 1]! += next[digit]!;
    for (let k = 0; k < from.length; k++) to[next[digitOf(prefix[from[k]!]!, unit)]!++] = from[k]!;
    [from, to] = [to, from];
  }
  return from;
}

function digitOf(number: number, unit: number): number {
  return Math.floor(number / unit) % DIGITS;
}
