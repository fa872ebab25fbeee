// Rewrites the comparisons in a condition.

import type { Expr } from "@assay/query-lang";

/** A comparison of two values. */
export type Comparison = Extract<Expr, { readonly kind: "compare" }>;

/** `expr` with each comparison as `change` returns it. Recurses as deep as `expr`, which is limited. */
export function mapComparisons(expr: Expr, change: (comparison: Comparison) => Expr): Expr {
  switch (expr.kind) {
    case "and":
    case "or":
      return { ...expr, operands: expr.operands.map((operand) => mapComparisons(operand, change)) };
    case "not":
      return { ...expr, operand: mapComparisons(expr.operand, change) };
    case "compare":
      return change(expr);
    default:
      return expr;
  }
}
