// Relates two values: the full meaning of the comparisons and of `$contains`, for one pair of values at a time.
// Equality and containment are never unknown: null equals only null, and a value that cannot be read as the other
// side's type equals nothing. Order comparisons can be unknown. Implementations over columns or in a database must give
// the same results.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { Comparison, Expr } from "../expression/expr.ts";
import { deepEqual } from "./deep-equal.ts";
import { foldCase } from "./fold-case.ts";
import { asBoolean, asNumber, asText, readingOf, type Truth } from "./value.ts";

/** The side of a comparison that is a literal, and so decides how the other side is read. */
export type LiteralSide = "left" | "right" | "none";

// `5 < x` is `x > 5`.
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  eq: "eq",
  gt: "lt",
  lt: "gt",
  gte: "lte",
  lte: "gte",
};

/** The literal that decides in a comparison of `left` with `right`; of two literals, the right one. */
export function literalSide(left: Expr, right: Expr): LiteralSide {
  if (right.kind === "literal") return "right";
  return left.kind === "literal" ? "left" : "none";
}

/** Whether `left op right` holds; the side named by `literal` decides how the other is read. */
export function relateValues(op: Comparison, left: Json, right: Json, literal: LiteralSide): Truth {
  if (literal === "right") return relateToLiteral(op, left, right);
  if (literal === "left") return relateToLiteral(MIRRORED[op], right, left);
  return relateAsTheyAre(op, left, right);
}

/** Whether the text of `input` contains that of `substr`; null contains nothing, and nothing contains it. */
export function contains(input: Json, substr: Json, caseInsensitive: boolean): boolean {
  const [text, part] = [asText(input), asText(substr)];
  if (text === null || part === null) return false;
  return caseInsensitive ? foldCase(text).includes(foldCase(part)) : text.includes(part);
}

function relateToLiteral(op: Comparison, value: Json, literal: Json): Truth {
  switch (readingOf(literal)) {
    case "null":
      return op === "eq" ? value === null : null;
    case "number":
      return relateNumbers(op, asNumber(value), literal as number);
    case "boolean":
      return relateNumbers(op, asNumber(asBoolean(value)), Number(literal));
    case "text": {
      const text = asText(value);
      return text === null ? unrelated(op) : holds(op, compareText(text, literal as string));
    }
    case "deep":
      return op === "eq" ? deepEqual(value, literal) : null;
  }
}

function relateAsTheyAre(op: Comparison, left: Json, right: Json): Truth {
  const kinds = `${kindOf(left)} ${kindOf(right)}`;
  switch (kinds) {
    case "null null":
      return op === "eq" ? true : null;
    case "number number":
      return relateNumbers(op, asNumber(left), asNumber(right));
    case "text text":
      return holds(op, compareText(left as string, right as string));
    case "object object":
    case "array array":
      return op === "eq" ? deepEqual(left, right) : null;
    default:
      return unrelated(op);
  }
}

// Booleans count as numbers here: 1 and 0.
function kindOf(value: Json): "null" | "number" | "text" | "object" | "array" {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value !== "object") return "number";
  return Array.isArray(value) ? "array" : "object";
}

function relateNumbers(op: Comparison, left: number | null, right: number | null): Truth {
  if (left === null || right === null) return unrelated(op);
  return holds(op, left < right ? -1 : left > right ? 1 : 0);
}

/** The result for two values that cannot be compared: they are unequal and unordered. */
function unrelated(op: Comparison): Truth {
  return op === "eq" ? false : null;
}

function holds(op: Comparison, order: number): boolean {
  switch (op) {
    case "eq":
      return order === 0;
    case "gt":
      return order > 0;
    case "lt":
      return order < 0;
    case "gte":
      return order >= 0;
    case "lte":
      return order <= 0;
  }
}
