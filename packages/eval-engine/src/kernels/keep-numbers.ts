// The items of a selection whose number relates to a literal: what is left to look at after a selective condition is
// little, and this looks at that alone. The naive form filters by query-lang's `relate(op, value, literal, "right")`.

import type { Comparison } from "@assay/query-lang";

/**
 * Those of `selection`, in order, whose number relates to `literal` as `op` says; NaN does not. Written to the
 * beginning of `into`, which may be `selection` itself.
 */
export function keepNumbers(
  selection: Uint32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
  into: Uint32Array = selection,
): Uint32Array {
  // One loop: every operator is a range, and an index that is not kept is written over by the next.
  const [low, high] = rangeOf(op, literal);
  const [fromLow, toHigh] = [op !== "gt", op !== "lt"];
  let n = 0;
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k]!;
    const number = numbers[i]!;
    into[n] = i;
    if ((fromLow ? number >= low : number > low) && (toHigh ? number <= high : number < high)) n++;
  }
  return into.subarray(0, n);
}

/** The numbers that relate to `literal` as `op` says lie between these. */
function rangeOf(op: Comparison, literal: number): readonly [low: number, high: number] {
  switch (op) {
    case "eq":
      return [literal, literal];
    case "gt":
    case "gte":
      return [literal, Number.POSITIVE_INFINITY];
    case "lt":
    case "lte":
      return [Number.NEGATIVE_INFINITY, literal];
  }
}
