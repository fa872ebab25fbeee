// Evaluates an expression over a segment's columns to its three-valued truth for every trial. Each operator is a loop
// over bytes; parts that depend only on fields of the row are computed once per example. The naive form is query-lang's
// `test`.

import type { Json } from "@assay/base";
import {
  asNumber,
  type Comparison,
  type Expr,
  type FieldPath,
  relateValues,
  type Truth,
  testQuery,
} from "@assay/query-lang";
import { asBoolean, asText, convert, fieldsOf } from "@assay/query-lang/internal";
import { containsText } from "../columns/contains-text.ts";
import { mapPredicate, truthOf } from "../columns/map-predicate.ts";
import type { ValueColumn } from "../columns/value-column.ts";
import { compareNumbers } from "../kernels/compare-numbers.ts";
import { andInto, gatherTruths, negate, orInto, type Truths } from "../kernels/truth.ts";
import { chunked, type Work } from "../kernels/work.ts";
import { type Domain, fieldAt } from "../query/field.ts";
import type { ReadySegment } from "./derived/value-columns.ts";

/** The truth of an expression for each trial or, if it depends only on the row, for each example. */
export interface Evaluated {
  readonly domain: Domain;
  readonly truths: Truths;
}

/** The unit that an expression has one truth for: an example if it reads no field of the trial. */
export function domainOfExpr(expr: Expr): Domain {
  return fieldsOf(expr).every((path) => fieldAt(path).domain === "examples") ? "examples" : "trials";
}

/** For each `contains` of an expression that searches a column, the texts found: one byte per code. */
export type SearchResults = ReadonlyMap<Expr, Uint8Array>;

/** Searches the columns of a segment for what `expr` tests with `contains`. Other work may run meanwhile. */
export async function searchTexts(expr: Expr, ready: ReadySegment, work: Work): Promise<SearchResults> {
  const searched = new Map<Expr, Uint8Array>();
  for (const search of searchesOf(expr)) {
    const { texts } = ready.column(search.path).values;
    searched.set(search.expr, await texts.containing(search.part, search.fold, work));
  }
  return searched;
}

interface Search {
  readonly expr: Expr;
  readonly path: FieldPath;
  readonly part: string;
  readonly fold: boolean;
}

/** The searches of columns in `expr`. Recurses as deep as it nests, which its reader limits. */
function searchesOf(expr: Expr): readonly Search[] {
  if (expr.kind === "and" || expr.kind === "or") return expr.operands.flatMap(searchesOf);
  if (expr.kind === "not") return searchesOf(expr.operand);
  if (expr.kind !== "contains") return [];
  const { input, substr, caseInsensitive } = expr;
  const part = input.kind === "field" && substr.kind === "literal" ? asText(substr.value) : null;
  return part === null || input.kind !== "field"
    ? []
    : [{ expr, path: input.path, part, fold: caseInsensitive }];
}

/** A segment after the searches of an expression. */
export interface SearchedSegment {
  readonly ready: ReadySegment;
  readonly searched: SearchResults;
}

/**
 * The truths of `expr` in a segment after its searches. Other work may run meanwhile. Recurses as deep as `expr`
 * nests, which its reader limits.
 */
export async function evaluate(expr: Expr, segment: SearchedSegment, work: Work): Promise<Evaluated> {
  const { ready, searched } = segment;
  switch (expr.kind) {
    case "and":
    case "or": {
      const operands: Evaluated[] = [];
      for (const operand of expr.operands) operands.push(await evaluate(operand, segment, work));
      return combine(operands, expr.kind === "and" ? andInto : orInto, ready);
    }
    case "not": {
      const operand = await evaluate(expr.operand, segment, work);
      negate(operand.truths);
      return operand;
    }
    case "field":
      return ofValues(ready, expr.path, (value) => asBoolean(value), work);
    case "convert":
      if (expr.input.kind === "field")
        return ofValues(ready, expr.input.path, (value) => asBoolean(convert(expr.to, value)), work);
      return itemByItem(expr, ready, work);
    case "compare":
      return compare(expr, ready, work);
    case "in":
      return memberOf(expr, ready, work);
    case "contains": {
      const { input, substr, caseInsensitive } = expr;
      if (input.kind !== "field" || substr.kind !== "literal") return itemByItem(expr, ready, work);
      const part = asText(substr.value);
      // Nothing contains null.
      if (part === null) return ofValues(ready, input.path, () => false, work);
      const { domain, values } = ready.column(input.path);
      const found = searched.get(expr)!;
      return {
        domain,
        truths: containsText(values, lengthOf(domain, ready), part, caseInsensitive, found),
      };
    }
    case "literal":
      return itemByItem(expr, ready, work);
  }
}

/** A comparison of a field with a number. */
export interface NumericComparison {
  readonly op: Comparison;
  readonly path: FieldPath;
  readonly literal: number;
}

/** The field that is compared with a number. It is read as a number anyway: `$convert` to double adds nothing. */
export function numericComparison(expr: Expr): NumericComparison | undefined {
  if (expr.kind !== "compare" || expr.right.kind !== "literal") return undefined;
  const { op, left } = expr;
  const literal = expr.right.value;
  const field = left.kind === "convert" && left.to === "double" ? left.input : left;
  return typeof literal === "number" && field.kind === "field"
    ? { op, path: field.path, literal }
    : undefined;
}

async function compare(
  expr: Expr & { kind: "compare" },
  ready: ReadySegment,
  work: Work,
): Promise<Evaluated> {
  const { op, left, right } = expr;
  const numeric = numericComparison(expr);
  if (numeric !== undefined) {
    const { domain, values } = ready.column(numeric.path);
    const length = lengthOf(domain, ready);
    const pause = work.spend(length * COMPARE_COST);
    if (pause !== undefined) await pause;
    return { domain, truths: compareNumbers(op, values.numbers.array, numeric.literal, length) };
  }
  if (right.kind !== "literal") {
    if (left.kind !== "literal" || right.kind !== "field") return itemByItem(expr, ready, work);
    return ofValues(ready, right.path, (value) => relateValues(op, left.value, value, "left"), work);
  }
  const literal = right.value;
  if (left.kind === "field")
    return ofValues(ready, left.path, (value) => relateValues(op, value, literal, "right"), work);
  if (left.kind === "convert" && left.input.kind === "field") {
    const { to, input } = left;
    return ofValues(
      ready,
      input.path,
      (value) => relateValues(op, convert(to, value), literal, "right"),
      work,
    );
  }
  return itemByItem(expr, ready, work);
}

async function memberOf(expr: Expr & { kind: "in" }, ready: ReadySegment, work: Work): Promise<Evaluated> {
  const { needle, list } = expr;
  const field = needle.kind === "convert" ? needle.input : needle;
  if (field.kind !== "field" || !list.every((member) => member.kind === "literal"))
    return itemByItem(expr, ready, work);
  const isMember = membership(list.map((member) => member.value));
  const holds = (value: Json): boolean =>
    isMember(needle.kind === "convert" ? convert(needle.to, value) : value);
  return ofValues(ready, field.path, holds, work);
}

/** Whether a value equals any of `literals`, with sets for hashable ones, so that a long list costs no more. */
function membership(literals: readonly Json[]): (value: Json) => boolean {
  const numbers = new Set(literals.filter((literal) => typeof literal === "number"));
  const texts = new Set(literals.filter((literal) => typeof literal === "string"));
  const others = literals.filter((literal) => typeof literal !== "number" && typeof literal !== "string");
  return (value) => {
    if (numbers.size > 0) {
      const number = asNumber(value);
      if (number !== null && numbers.has(number)) return true;
    }
    if (texts.size > 0) {
      const text = asText(value);
      if (text !== null && texts.has(text)) return true;
    }
    return others.some((literal) => relateValues("eq", value, literal, "right") === true);
  };
}

async function ofValues(
  ready: ReadySegment,
  path: FieldPath,
  holds: (value: Json) => Truth,
  work: Work,
): Promise<Evaluated> {
  const { domain, values } = ready.column(path);
  return { domain, truths: await mapPredicate(values, lengthOf(domain, ready), holds, work) };
}

// The work of comparing a number, in array items touched.
const COMPARE_COST = 2;

// The number of items evaluated one by one between two checks of the time, and the work of one in array items touched.
const ITEMS_AT_ONCE = 1024;
const ITEM_COST = 1024;

/** Evaluates item by item with the interpreter, for expressions without a specialized loop. */
async function itemByItem(expr: Expr, ready: ReadySegment, work: Work): Promise<Evaluated> {
  const paths = fieldsOf(expr);
  const domain = domainOfExpr(expr);
  const columns = new Map<string, { readonly values: ValueColumn; readonly perExample: boolean }>();
  for (const path of paths) {
    const column = ready.column(path);
    columns.set(fieldAt(path).key, {
      values: column.values,
      perExample: column.domain === "examples" && domain === "trials",
    });
  }
  const exampleOf = ready.segment.parts.exampleOf.array;
  const truths = new Uint8Array(lengthOf(domain, ready));
  await chunked(work, { length: truths.length, slice: ITEMS_AT_ONCE }, (from, to) => {
    for (let i = from; i < to; i++) {
      const truth = testQuery(expr, (path) => {
        const { values, perExample } = columns.get(fieldAt(path).key)!;
        return values.get(perExample ? exampleOf[i]! : i);
      });
      truths[i] = truthOf(truth);
    }
    return (to - from) * ITEM_COST;
  });
  return { domain, truths };
}

/** Parts that depend only on the row are combined per example, and with the rest per trial. */
export function combine(
  operands: readonly Evaluated[],
  into: (a: Truths, b: Truths) => void,
  ready: ReadySegment,
): Evaluated {
  const together = (domain: Domain): Evaluated | undefined => {
    const [first, ...others] = operands.filter((one) => one.domain === domain);
    for (const other of others) into(first!.truths, other.truths);
    return first;
  };
  const [examples, trials] = [together("examples"), together("trials")];
  if (examples === undefined || trials === undefined) return (examples ?? trials)!;
  into(trials.truths, truthsOfTrials(examples, ready));
  return trials;
}

/** The truth for each trial. */
export function truthsOfTrials({ domain, truths }: Evaluated, ready: ReadySegment): Truths {
  return domain === "trials"
    ? truths
    : gatherTruths(truths, ready.segment.parts.exampleOf.array, ready.segment.trials);
}

function lengthOf(domain: Domain, ready: ReadySegment): number {
  return domain === "trials" ? ready.segment.trials : ready.segment.parts.examples.length;
}
