// Converts a typed expression back to wire format.

import type { Json } from "@assay/base";
import type { Expr } from "./expr.ts";
import { printFieldPath } from "./field-path.ts";

/** Prints `expr` as a query: `readQuery(print(expr))` is `expr`, for every condition that a query can express. */
export function printQuery(expr: Expr): Json {
  return { $expr: printOperand(expr) };
}

/** Prints `expr` as an operand. Recurses as deep as `expr` nests, which the reader limits. */
function printOperand(expr: Expr): Json {
  switch (expr.kind) {
    case "literal":
      return { $literal: expr.value };
    case "field":
      return { $getField: printFieldPath(expr.path) };
    case "convert":
      return { $convert: { input: printOperand(expr.input), to: expr.to } };
    case "and":
    case "or":
      return { [`$${expr.kind}`]: expr.operands.map(printOperand) };
    case "not":
      return { $not: [printOperand(expr.operand)] };
    case "compare":
      return { [`$${expr.op}`]: [printOperand(expr.left), printOperand(expr.right)] };
    case "in":
      return { $in: [printOperand(expr.needle), expr.list.map(printOperand)] };
    case "contains":
      return {
        $contains: {
          input: printOperand(expr.input),
          substr: printOperand(expr.substr),
          case_insensitive: expr.caseInsensitive,
        },
      };
  }
}
