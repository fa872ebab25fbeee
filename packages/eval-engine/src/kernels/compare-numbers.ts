// Compares a numeric column with one number, the most common comparison in filters. One pass with one branch-free test
// per item. The naive form is query-lang's `relate(op, value, literal, "right")`.

import type { Comparison } from "@assay/query-lang";
import { FALSE, TRUE, type Truths, UNKNOWN } from "./truth.ts";

/**
 * Whether each of `numbers` relates to `literal` by `op`; NaN, which stands for no number, is unequal and unordered.
 */
export function compareNumbers(
  op: Comparison,
  numbers: Float64Array,
  literal: number,
  length: number,
): Truths {
  const truths = new Uint8Array(length);
  // One loop per operator: a test inside the loop would cost as much as the comparison.
  switch (op) {
    case "eq":
      for (let i = 0; i < length; i++) truths[i] = numbers[i] === literal ? TRUE : FALSE;
      break;
    case "gt":
      for (let i = 0; i < length; i++) truths[i] = numbers[i]! > literal ? TRUE : FALSE;
      break;
    case "lt":
      for (let i = 0; i < length; i++) truths[i] = numbers[i]! < literal ? TRUE : FALSE;
      break;
    case "gte":
      for (let i = 0; i < length; i++) truths[i] = numbers[i]! >= literal ? TRUE : FALSE;
      break;
    case "lte":
      for (let i = 0; i < length; i++) truths[i] = numbers[i]! <= literal ? TRUE : FALSE;
      break;
  }
  if (op !== "eq") for (let i = 0; i < length; i++) if (Number.isNaN(numbers[i]!)) truths[i] = UNKNOWN;
  return truths;
}
