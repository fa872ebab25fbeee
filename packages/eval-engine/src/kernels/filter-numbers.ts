// Filters a selection by comparing a number of each item with a literal. After a selective condition few items remain,
// and only these are read. One loop serves all operators, because each keeps a range of numbers; it has no branch,
// because that would be unpredictable. The naive form filters by query-lang's `relate(op, value, literal, "right")`.

import type { Comparison } from "@assay/query-lang";
import type { RowSet } from "./row-set.ts";
import { chunked, type Work } from "./work.ts";

/**
 * Those of `selection`, in order, whose number relates to `literal` by `op`; NaN never does. Overwrites `selection`.
 */
export function filterNumbers(
  selection: Uint32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
): Uint32Array {
  const { low, high } = rangeOf(op, literal);
  let n = 0;
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k]!;
    const number = numbers[i]!;
    // A rejected item is overwritten by the next.
    selection[n] = i;
    n += Number(number >= low) & Number(number <= high);
  }
  return selection.subarray(0, n);
}

/** Adds to `set` each of `rows` whose number, at the same index in `numbers`, relates to `literal` by `op`. */
export function markNumbers(
  set: RowSet,
  rows: Int32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
): void {
  const { low, high } = rangeOf(op, literal);
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]!;
    const number = numbers[k]!;
    set[row >>> 5]! |= (Number(number >= low) & Number(number <= high)) << (row & 31);
  }
}

// The number of items looked up between two checks of the time, and the work of one in array items touched.
const ITEMS_AT_ONCE = 65_536;
const ITEM_COST = 16;

/** The entries of `ofEach` for `items`. */
export async function gatherNumbers<A extends Float64Array | Int32Array>(
  ofEach: A,
  items: Uint32Array,
  work: Work,
): Promise<A> {
  const found = new (ofEach.constructor as new (length: number) => A)(items.length);
  await chunked(work, { length: items.length, slice: ITEMS_AT_ONCE }, (from, to) => {
    for (let k = from; k < to; k++) found[k] = ofEach[items[k]!]!;
    return (to - from) * ITEM_COST;
  });
  return found;
}

/** The range of numbers that relate to `literal` by `op`, from the least to the greatest. */
function rangeOf(op: Comparison, literal: number): { readonly low: number; readonly high: number } {
  switch (op) {
    case "eq":
      return { low: literal, high: literal };
    case "gt":
      return { low: nextAbove(literal), high: Number.POSITIVE_INFINITY };
    case "gte":
      return { low: literal, high: Number.POSITIVE_INFINITY };
    case "lt":
      return { low: Number.NEGATIVE_INFINITY, high: -nextAbove(-literal) };
    case "lte":
      return { low: Number.NEGATIVE_INFINITY, high: literal };
  }
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The least double above the finite `number`: the next bit pattern, in the direction of its sign. */
function nextAbove(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  double[0] = number;
  bits[0]! += number > 0 ? 1n : -1n;
  return double[0]!;
}
