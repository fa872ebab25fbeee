// The fields that an expression reads.

import type { Expr, FieldPath } from "./expr.ts";

/** The paths of the fields that `expr` reads, without duplicates, in order of appearance. */
export function fieldsOf(expr: Expr): readonly FieldPath[] {
  const paths = new Map<string, FieldPath>();
  visit(expr, (path) => paths.set(JSON.stringify(path), path));
  return [...paths.values()];
}

/** Recurses as deep as `expr` nests, which the reader limits. */
function visit(expr: Expr, seen: (path: FieldPath) => void): void {
  if (expr.kind === "field") seen(expr.path);
  for (const operand of operandsOf(expr)) visit(operand, seen);
}

function operandsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "field":
      return [];
    case "convert":
      return [expr.input];
    case "and":
    case "or":
      return expr.operands;
    case "not":
      return [expr.operand];
    case "compare":
      return [expr.left, expr.right];
    case "in":
      return [expr.needle, ...expr.list];
    case "contains":
      return [expr.input, expr.substr];
  }
}
