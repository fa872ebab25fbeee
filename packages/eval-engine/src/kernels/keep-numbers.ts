// The items of a selection whose number relates to a literal: what is left to look at after a selective condition is
// little, and this looks at that alone. The naive form filters by query-lang's `relate(op, value, literal, "right")`.

import type { Comparison } from "@assay/query-lang";

/** Those of `selection`, in order, whose number relates to `literal` as `op` says; NaN, no number, does not. */
export function keepNumbers(
  selection: Uint32Array,
  op: Comparison,
  numbers: Float64Array,
  literal: number,
): Uint32Array {
  const kept = new Uint32Array(selection.length);
  let n = 0;
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k]!;
    if (relates(numbers[i]!, op, literal)) kept[n++] = i;
  }
  return kept.subarray(0, n);
}

function relates(number: number, op: Comparison, literal: number): boolean {
  switch (op) {
    case "eq":
      return number === literal;
    case "gt":
      return number > literal;
    case "lt":
      return number < literal;
    case "gte":
      return number >= literal;
    case "lte":
      return number <= literal;
  }
}
