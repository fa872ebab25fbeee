// Where a filter is true. Conditions that must all hold are taken one after the other: what the row alone decides
// first, over the examples, and each further one only over what is left. That is sound because false and unknown are
// alike to a filter.

import type { Comparison, Expr } from "@assay/query-lang";
import { keepNumbers } from "../kernels/keep-numbers.ts";
import { scratch } from "../kernels/scratch.ts";
import { andInto, TRUE, type Truths } from "../kernels/truth.ts";
import { rowNumbers } from "../row-numbers.ts";
import type { Segment } from "../segment.ts";
import { columnOf } from "../value-columns.ts";
import { combine, domainOfExpr, numericComparison, overTrials, say } from "./truths.ts";

/** Rows of a segment, or those of them whose number relates to a literal. */
export interface RowChoice {
  readonly rows: Uint32Array;
  readonly bound:
    | { readonly op: Comparison; readonly numbers: Float64Array; readonly literal: number }
    | undefined;
}

/**
 * The rows of a segment in which some trial makes `expr` true, when no trial must be looked at to tell: a row that has
 * one example, and at most one bound on a number, which the row's greatest or least decides. Else undefined. The
 * segment's columns must be prepared.
 */
export function rowsWhere(expr: Expr, segment: Segment): RowChoice | undefined {
  const { ofRow, ofTrial } = byDomain(expr);
  const bound = ofTrial.length === 1 ? numericComparison(ofTrial[0]!) : undefined;
  if (ofRow.length === 0 || !hasOneExamplePerRow(segment)) return undefined;
  if (ofTrial.length > 0 && (bound === undefined || bound.op === "eq")) return undefined;
  const rows = examplesWhere(ofRow, segment);
  if (bound === undefined) return { rows, bound };
  const { op, path, literal } = bound;
  const numbers = rowNumbers(segment, path, op === "gt" || op === "gte" ? "greatest" : "least");
  return { rows, bound: { op, numbers, literal } };
}

/** Whether a row has the number of its example, and every row has trials. */
function hasOneExamplePerRow({ parts, rows, removed }: Segment): boolean {
  return removed === 0 && parts.examples.length === rows;
}

/**
 * The trials of a segment of which `expr` is true, in no particular order. The segment's columns must be prepared.
 * What is given lies in scratch room: it is good until the next call.
 */
export function trialsWhere(expr: Expr, segment: Segment): Uint32Array {
  const { ofRow, ofTrial } = byDomain(expr);
  let left =
    ofRow.length > 0
      ? trialsOfExamples(segment, examplesWhere(ofRow, segment))
      : trueTrials(segment, say(ofTrial.shift()!, segment).truths);
  for (const condition of ofTrial) left = keepWhere(condition, left, segment);
  return left;
}

/** The conditions that must all hold: on fields of the row alone, and the others. */
function byDomain(expr: Expr): { readonly ofRow: Expr[]; readonly ofTrial: Expr[] } {
  const [ofRow, ofTrial]: [Expr[], Expr[]] = [[], []];
  for (const condition of conjuncts(expr))
    (domainOfExpr(condition) === "examples" ? ofRow : ofTrial).push(condition);
  return { ofRow, ofTrial };
}

/** The conditions that must all hold for `expr` to. Recurses as deep as `expr` nests, which its reader bounds. */
function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === "and" ? expr.operands.flatMap(conjuncts) : [expr];
}

/** The examples of which all `conditions`, on fields of the row, are true. */
function examplesWhere(conditions: readonly Expr[], segment: Segment): Uint32Array {
  const [only] = conditions;
  const listed = conditions.length === 1 ? examplesByCode(only!, segment) : undefined;
  if (listed !== undefined) return listed;
  const said = conditions.map((condition) => say(condition, segment));
  return indexesOfTrue(combine(said, andInto, segment).truths);
}

/** The same for one text against a field whose texts repeat: from the field's list of items, without a scan. */
function examplesByCode(expr: Expr, segment: Segment): Uint32Array | undefined {
  if (expr.kind !== "compare" || expr.op !== "eq") return undefined;
  const { left, right } = expr;
  if (left.kind !== "field" || right.kind !== "literal" || typeof right.value !== "string") return undefined;
  const { values } = columnOf(segment, left.path);
  const lists = values.byCode(segment.parts.examples.length);
  if (lists === undefined) return undefined;
  const { starts, items } = lists;
  const found: Uint32Array[] = [];
  for (let code = 0; code + 1 < starts.length; code++) {
    if (values.texts.get(code) === right.value) found.push(items.subarray(starts[code], starts[code + 1]));
  }
  return found.length === 1 ? found[0] : Uint32Array.from(found.flatMap((list) => [...list]));
}

function indexesOfTrue(truths: Truths): Uint32Array {
  const found = new Uint32Array(truths.length);
  let n = 0;
  for (let i = 0; i < truths.length; i++) if (truths[i] === TRUE) found[n++] = i;
  return found.subarray(0, n);
}

/** The trials that have one of `examples`. */
function trialsOfExamples({ parts, trials }: Segment, examples: Uint32Array): Uint32Array {
  const [rowOfExample, firstTrial] = [parts.rowOfExample.array, parts.firstTrial.array];
  const [exampleOf, next] = [parts.exampleOf.array, parts.next.array];
  const found = scratch(trials);
  let n = 0;
  for (let k = 0; k < examples.length; k++) {
    const example = examples[k]!;
    for (let i = firstTrial[rowOfExample[example]!]!; i !== -1; i = next[i]!) {
      if (exampleOf[i] === example) found[n++] = i;
    }
  }
  return found.subarray(0, n);
}

function trueTrials({ parts }: Segment, truths: Truths): Uint32Array {
  const rowOf = parts.rowOf.array;
  const found = scratch(truths.length);
  let n = 0;
  // What was taken out has no row.
  for (let i = 0; i < truths.length; i++) if (truths[i] === TRUE && rowOf[i] !== -1) found[n++] = i;
  return found.subarray(0, n);
}

/** Those of `selection` of which `expr` is true: written over it. */
function keepWhere(expr: Expr, selection: Uint32Array, segment: Segment): Uint32Array {
  const numeric = numericComparison(expr);
  if (numeric !== undefined) {
    const { values } = columnOf(segment, numeric.path);
    return keepNumbers(selection, numeric.op, values.numbers.array, numeric.literal);
  }
  const truths = overTrials(say(expr, segment), segment);
  let n = 0;
  for (let k = 0; k < selection.length; k++)
    if (truths[selection[k]!] === TRUE) selection[n++] = selection[k]!;
  return selection.subarray(0, n);
}
