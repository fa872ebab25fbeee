// Prints a typed expression as text for people.

import type { Json } from "@assay/base";
import type { Comparison, Expr, FieldPath } from "../expression/expr.ts";
import { isBareHead, isBareSegment } from "./tokens.ts";

const SYMBOLS: Readonly<Record<Comparison, string>> = { eq: "=", gt: ">", lt: "<", gte: ">=", lte: "<=" };

/** The precedence of a text. A text with a lower precedence than its place needs parentheses. */
const LEVEL = { or: 1, and: 2, not: 3, comparison: 4, value: 5 } as const;

/** A text with its precedence. */
interface Printed {
  readonly text: string;
  readonly level: number;
}

/**
 * Prints `expr` as text: `readExpression(printExpression(expr))` is `expr`, for every condition that a query can
 * express. Recurses as deep as `expr` nests, which the readers limit.
 */
export function printExpression(expr: Expr): string {
  return printed(expr).text;
}

/** Prints a field as in an expression: `inputs.category`, `scores["exact.match"]`. */
export function printField(path: FieldPath): string {
  const [head = "", ...rest] = path;
  const segments = rest.map((segment) =>
    isBareSegment(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`,
  );
  return `${isBareHead(head) ? head : `$[${JSON.stringify(head)}]`}${segments.join("")}`;
}

function printed(expr: Expr): Printed {
  switch (expr.kind) {
    case "literal":
      return { text: literalText(expr.value), level: LEVEL.value };
    case "field":
      return { text: printField(expr.path), level: LEVEL.value };
    case "convert":
      return { text: `${expr.to}(${printExpression(expr.input)})`, level: LEVEL.value };
    case "and":
    case "or":
      return listText(expr.kind, expr.operands);
    case "not":
      return negated(expr.operand);
    case "compare":
    case "in":
    case "contains":
      return { text: relationText(expr, false), level: LEVEL.comparison };
  }
}

/** A single operand needs no operator between. */
function listText(kind: "and" | "or", operands: readonly Expr[]): Printed {
  if (operands.length === 1) return { text: `${kind}(${printExpression(operands[0]!)})`, level: LEVEL.value };
  return {
    text: operands.map((operand) => within(operand, LEVEL[kind] + 1)).join(` ${kind} `),
    level: LEVEL[kind],
  };
}

function negated(operand: Expr): Printed {
  const relation =
    operand.kind === "in" ||
    operand.kind === "contains" ||
    (operand.kind === "compare" && operand.op === "eq");
  if (relation) return { text: relationText(operand, true), level: LEVEL.comparison };
  return { text: `not ${within(operand, LEVEL.not)}`, level: LEVEL.not };
}

type Relation = Extract<Expr, { readonly kind: "compare" | "in" | "contains" }>;

function relationText(expr: Relation, negative: boolean): string {
  const not = negative ? "not " : "";
  switch (expr.kind) {
    case "compare": {
      const symbol = negative ? "!=" : SYMBOLS[expr.op];
      return `${within(expr.left, LEVEL.value)} ${symbol} ${within(expr.right, LEVEL.value)}`;
    }
    case "in":
      return `${within(expr.needle, LEVEL.value)} ${not}in [${expr.list.map(printExpression).join(", ")}]`;
    case "contains": {
      const word = expr.caseInsensitive ? "icontains" : "contains";
      return `${within(expr.input, LEVEL.value)} ${not}${word} ${within(expr.substr, LEVEL.value)}`;
    }
  }
}

function within(expr: Expr, level: number): string {
  const { text, level: own } = printed(expr);
  return own >= level ? text : `(${text})`;
}

/**
 * JSON, except for -0, which JSON.stringify prints as 0. Recurses as deep as literals nest, which the readers limit.
 */
function literalText(value: Json): string {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(literalText).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${literalText(member as Json)}`,
  );
  return `{${members.join(", ")}}`;
}
