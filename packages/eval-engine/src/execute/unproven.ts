// The fields and literals of a query whose existence its answer does not prove. A selected row proves names at no cost;
// only the others are looked up (unknown-names.ts), which most queries do not need.

import { type Expr, type FieldPath, getPath, type Json, printExpression } from "@assay/query-lang";
import { fieldsOf } from "@assay/query-lang/internal";
import { fieldAt } from "../query/field.ts";
import type { EvalQuery } from "../query/request.ts";
import type { EvalResultsRow } from "../query/response.ts";

/** A comparison of a field with literals. */
export interface LiteralComparison {
  readonly path: FieldPath;
  /** Whether the field must equal one of them; otherwise the comparison is one of order. */
  readonly equal: boolean;
  readonly literals: readonly Json[];
}

/** A condition that is the same for every row. */
export interface Constant {
  readonly text: string;
  /** Its texts, which may be names of fields. */
  readonly names: readonly string[];
}

/** Possible mistakes in a query. */
export interface UnprovenNames {
  /** Fields that may have no value in any row. */
  readonly fields: readonly FieldPath[];
  /** Comparisons that may never be true. */
  readonly comparisons: readonly LiteralComparison[];
  /** Conditions without a field. */
  readonly constants: readonly Constant[];
}

/** The facts that an answer reveals about the selected rows. */
export interface AnswerFacts {
  /** The least number of rows that the filters select. */
  readonly kept: number;
  /** The first row of the page. Rows without a value come last. */
  readonly first?: EvalResultsRow | undefined;
}

/** The names of a query whose existence its answer does not prove. */
export function unprovenNames(query: EvalQuery, { kept, first }: AnswerFacts): UnprovenNames {
  const { filters, sortBy, matchAll } = query;
  // A selected row meets every filter, unless it may meet one about another evaluation.
  const together = matchAll || new Set(filters.map(({ evaluation }) => evaluation)).size === 1;
  const met = new Set<Expr | string>(
    kept > 0 && together ? filters.flatMap(({ expr }) => provenBy(expr)) : [],
  );
  const proven = (path: FieldPath): boolean =>
    fieldAt(path).of === "row_digest" || met.has(fieldAt(path).key);
  const fields = [
    ...filters.flatMap(({ expr }) => fieldsOf(expr)),
    ...sortBy.flatMap(({ path }) => (first !== undefined && hasValue(first, path) ? [] : [path])),
  ].filter((path) => !proven(path));
  const conditions = filters.flatMap(({ expr }) => conditionsIn(expr));
  return {
    fields: [...new Map(fields.map((path) => [fieldAt(path).key, path])).values()],
    comparisons: conditions.flatMap((expr) => (met.has(expr) ? [] : comparisonsIn(expr))),
    constants: conditions.flatMap(constantIn),
  };
}

/** The parts of an expression that are true wherever it is, and the keys of fields that then have a value. */
function provenBy(expr: Expr): readonly (Expr | string)[] {
  switch (expr.kind) {
    case "and":
      return expr.operands.flatMap(provenBy);
    case "compare":
      // A comparison with null proves nothing; a field that equals another literal has a value.
      if (expr.op === "eq" && ![expr.left, expr.right].some(isLiteral)) return [expr];
      return [expr, ...keysOf([expr.left, expr.right])];
    case "in":
      return expr.list.every(isLiteral) ? [expr, ...keysOf([expr.needle])] : [expr];
    case "contains":
      return [expr, ...keysOf([expr.input, expr.substr])];
    default:
      return [];
  }
}

/** Whether it is a literal other than null. */
function isLiteral(expr: Expr): expr is Expr & { readonly kind: "literal" } {
  return expr.kind === "literal" && expr.value !== null;
}

function keysOf(operands: readonly Expr[]): readonly string[] {
  return operands.flatMap((operand) => (operand.kind === "field" ? [fieldAt(operand.path).key] : []));
}

/** The parts of a condition that are not combinations of others. */
function conditionsIn(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "and":
    case "or":
      return expr.operands.flatMap((operand) => conditionsIn(operand));
    case "not":
      return conditionsIn(expr.operand);
    default:
      return [expr];
  }
}

function comparisonsIn(expr: Expr): readonly LiteralComparison[] {
  switch (expr.kind) {
    case "compare": {
      const [field, literal] = expr.left.kind === "field" ? [expr.left, expr.right] : [expr.right, expr.left];
      if (field.kind !== "field" || !isLiteral(literal)) return [];
      return [{ path: field.path, equal: expr.op === "eq", literals: [literal.value] }];
    }
    case "in":
      if (expr.needle.kind !== "field" || expr.list.length === 0 || !expr.list.every(isLiteral)) return [];
      return [{ path: expr.needle.path, equal: true, literals: expr.list.map(({ value }) => value) }];
    default:
      return [];
  }
}

/** A condition without a field that has texts where one may be meant. */
function constantIn(expr: Expr): readonly Constant[] {
  const names = fieldsOf(expr).length > 0 ? [] : subjectsOf(expr).flatMap(namesIn);
  return names.length === 0 ? [] : [{ text: printExpression(expr), names }];
}

function subjectsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "compare":
      return [expr.left, expr.right];
    case "in":
      return [expr.needle];
    case "contains":
      return [expr.input];
    default:
      return [expr];
  }
}

/** A text by itself, or the only one of a list: `["f1.macro"]` is a list, and `$["f1.macro"]` a field. */
function namesIn(expr: Expr): readonly string[] {
  if (expr.kind === "convert") return namesIn(expr.input);
  const value = expr.kind === "literal" ? [expr.value].flat() : [];
  return value.length === 1 && typeof value[0] === "string" ? [value[0]] : [];
}

/** Whether a row of an answer shows a value for a field. */
function hasValue({ raw_data_row, evaluations }: EvalResultsRow, path: FieldPath): boolean {
  const has = (whole: Json): boolean => getPath(whole, path, 1) !== null;
  switch (fieldAt(path).of) {
    case "scores":
      return evaluations.some(({ trials }) => trials.some(({ scores }) => has(scores as Json)));
    case "outputs":
      return evaluations.some(({ trials }) => trials.some(({ model_output }) => has(model_output)));
    case "inputs":
      return typeof raw_data_row === "object" && has(raw_data_row);
    default:
      return false;
  }
}
