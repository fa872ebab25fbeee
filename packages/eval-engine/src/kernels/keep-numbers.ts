// The items of a selection whose number relates to a literal: what is left to look at after a selective condition is
// little, and this looks at that alone. One loop for all operators, because each keeps a range of numbers. The naive
// form filters by query-lang's `relate(op, value, literal, "right")`.

import type { Comparison } from "@assay/query-lang";
import { addRow, hasRow, type RowSet } from "./row-set.ts";

/** Those of `selection`, in order, whose number relates to `literal` as `op` says; NaN does not. Written over it. */
export function keepNumbers(
  selection: Uint32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
): Uint32Array {
  const { low, high, fromLow, toHigh } = rangeOf(op, literal);
  let n = 0;
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k]!;
    const number = numbers[i]!;
    // What is not kept is written over by the next.
    selection[n] = i;
    if ((fromLow ? number >= low : number > low) && (toHigh ? number <= high : number < high)) n++;
  }
  return selection.subarray(0, n);
}

/**
 * Adds to `set` the place of each of `items` whose number relates to `literal` as `op` says. The number of an item
 * whose place is in the set already, as most are after the first of several evaluations, is not looked at.
 */
export function markNumbers(
  set: RowSet,
  items: Uint32Array,
  places: Int32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
): void {
  const { low, high, fromLow, toHigh } = rangeOf(op, literal);
  for (let k = 0; k < items.length; k++) {
    const place = places[items[k]!]!;
    if (hasRow(set, place)) continue;
    const number = numbers[items[k]!]!;
    if ((fromLow ? number >= low : number > low) && (toHigh ? number <= high : number < high))
      addRow(set, place);
  }
}

interface Range {
  readonly low: number;
  readonly high: number;
  /** Whether the ends are in. */
  readonly fromLow: boolean;
  readonly toHigh: boolean;
}

/** The numbers that relate to `literal` as `op` says. */
function rangeOf(op: Comparison, literal: number): Range {
  const below = op === "lt" || op === "lte";
  const above = op === "gt" || op === "gte";
  return {
    low: below ? Number.NEGATIVE_INFINITY : literal,
    high: above ? Number.POSITIVE_INFINITY : literal,
    fromLow: op !== "gt",
    toHigh: op !== "lt",
  };
}
