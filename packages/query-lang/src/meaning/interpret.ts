// The meaning of every expression, implemented in the simplest way. Faster implementations must give the same results.

import type { Json } from "@assay/base";
import type { Expr, FieldPath } from "../expression/expr.ts";
import { contains, literalSide, relateValues } from "./relate.ts";
import { allOf, anyOf, negate } from "./truth.ts";
import { asBoolean, convert, type Truth } from "./value.ts";

/**
 * The value of `expr`; `field` returns the value of a field (null if missing). A condition is true, false, or null if
 * unknown. Recurses as deep as `expr` nests, which the reader limits.
 */
export function interpretQuery(expr: Expr, field: (path: FieldPath) => Json): Json {
  const value = (of: Expr) => interpretQuery(of, field);
  const truth = (of: Expr) => testQuery(of, field);
  switch (expr.kind) {
    case "literal":
      return expr.value;
    case "field":
      return field(expr.path);
    case "convert":
      return convert(expr.to, value(expr.input));
    case "and":
      return allOf(expr.operands.map(truth));
    case "or":
      return anyOf(expr.operands.map(truth));
    case "not":
      return negate(truth(expr.operand));
    case "compare":
      return relateValues(expr.op, value(expr.left), value(expr.right), literalSide(expr.left, expr.right));
    case "in": {
      const needle = value(expr.needle);
      return anyOf(
        expr.list.map((member) =>
          relateValues("eq", needle, value(member), literalSide(expr.needle, member)),
        ),
      );
    }
    case "contains":
      return contains(value(expr.input), value(expr.substr), expr.caseInsensitive);
  }
}

/** Whether `expr` holds: its value, read as a boolean. Only true passes a filter. */
export function testQuery(expr: Expr, field: (path: FieldPath) => Json): Truth {
  return asBoolean(interpretQuery(expr, field));
}
