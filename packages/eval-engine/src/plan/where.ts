// Where a filter is true. Conditions that must all hold are taken one after the other: what the row alone decides
// first, over the examples, and each further one only over what is left. That is sound because false and unknown are
// alike to a filter.

import type { Comparison, Expr, FieldPath } from "@assay/query-lang";
import { gathered, keepNumbers } from "../kernels/keep-numbers.ts";
import { scratch } from "../kernels/scratch.ts";
import { andInto, TRUE, type Truths } from "../kernels/truth.ts";
import type { Work } from "../kernels/work.ts";
import type { Segment } from "../segment/segment.ts";
import { prepareRowNumbers, rowNumbers } from "./derived/row-numbers.ts";
import { columnOf } from "./derived/value-columns.ts";
import { type Frame, rowsInFrame } from "./frame.ts";
import { combine, domainOfExpr, numericComparison, overTrials, type Searched, say } from "./truths.ts";

/** Rows of a frame, or those of them whose number relates to a literal. */
export interface RowChoice {
  readonly rows: Int32Array;
  readonly bound:
    | {
        readonly op: Comparison;
        /** One for each of `rows`. */
        readonly numbers: Float64Array;
        readonly literal: number;
      }
    | undefined;
}

/**
 * The rows of a frame in which some trial of evaluation `e` makes `expr` true, when no trial must be looked at to tell:
 * a row that has one example, and at most one bound on a number, which the row's greatest or least decides. Else
 * undefined. The segment's columns must be prepared.
 */
export async function rowsWhere(
  expr: Expr,
  frame: Frame,
  e: number,
  searched: Searched,
  work: Work,
): Promise<RowChoice | undefined> {
  const segment = frame.segments[e]!;
  const { ofRow, ofTrial } = byDomain(expr);
  const bound = ofTrial.length === 1 ? numericComparison(ofTrial[0]!) : undefined;
  if (ofRow.length === 0 ? segment.removed > 0 : !hasOneExamplePerRow(segment)) return undefined;
  if (ofRow.length === 0 && bound === undefined) return undefined;
  if (ofTrial.length > 0 && (bound === undefined || bound.op === "eq")) return undefined;
  const statistic = bound?.op === "gt" || bound?.op === "gte" ? "greatest" : "least";
  if (bound !== undefined) await prepareRowNumbers(segment, bound.path, statistic, work);
  if (ofRow.length === 0) {
    const { op, path, literal } = bound!;
    const numbers = rowNumbers(segment, path, statistic);
    return { rows: rowsInFrame(frame, e), bound: { op, numbers, literal } };
  }

  const list = ofRow.length === 1 && segment.tidy ? listOfCode(ofRow[0]!, segment) : undefined;
  const rows = list === undefined ? examplesWhere(ofRow, segment, searched) : undefined;
  const chosen = <A extends Float64Array | Int32Array>(
    ofEach: A,
    kept: Map<string, unknown>,
    name: string,
  ): A => (list === undefined ? gathered(ofEach, rows!) : listed(list, ofEach, kept, name));
  const places = chosen(rowsInFrame(frame, e), frame.computed, `rows of ${e}`);
  if (bound === undefined) return { rows: places, bound };
  const { op, path, literal } = bound;
  const numbers = rowNumbers(segment, path, statistic);
  const name = `${statistic} ${JSON.stringify(path)}`;
  return { rows: places, bound: { op, numbers: chosen(numbers, segment.computed, name), literal } };
}

/** Whether a row has the number of its example, and every row has trials. */
function hasOneExamplePerRow({ parts, rows, removed }: Segment): boolean {
  return removed === 0 && parts.examples.length === rows;
}

/**
 * The trials of a segment of which `expr` is true, in no particular order. The segment's columns must be prepared.
 * What is given lies in scratch room: it is good until the next call.
 */
export function trialsWhere(expr: Expr, segment: Segment, searched: Searched): Uint32Array {
  const { ofRow, ofTrial } = byDomain(expr);
  let left =
    ofRow.length > 0
      ? trialsOfExamples(segment, examplesWhere(ofRow, segment, searched))
      : trueTrials(segment, say(ofTrial.shift()!, segment, searched).truths);
  for (const condition of ofTrial) left = keepWhere(condition, left, segment, searched);
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
function examplesWhere(conditions: readonly Expr[], segment: Segment, searched: Searched): Uint32Array {
  const list = conditions.length === 1 ? listOfCode(conditions[0]!, segment) : undefined;
  if (list !== undefined) return list.items.subarray(list.from, list.to);
  const said = conditions.map((condition) => say(condition, segment, searched));
  return indexesOfTrue(combine(said, andInto, segment).truths);
}

/** Those of a field's items, which are in the order of their values, that have one value. */
interface ItemList {
  readonly path: FieldPath;
  readonly items: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** The examples with one text of a field whose texts repeat: from the field's list of items, without a scan. */
function listOfCode(expr: Expr, segment: Segment): ItemList | undefined {
  if (expr.kind !== "compare" || expr.op !== "eq") return undefined;
  const { left, right } = expr;
  if (left.kind !== "field" || right.kind !== "literal" || typeof right.value !== "string") return undefined;
  const { values } = columnOf(segment, left.path);
  const lists = values.byCode(segment.parts.examples.length);
  if (lists === undefined) return undefined;
  const { starts, items } = lists;
  const codes: number[] = [];
  for (let code = 0; code + 1 < starts.length; code++)
    if (values.texts.get(code) === right.value) codes.push(code);
  if (codes.length > 1) return undefined;
  const [code] = codes;
  return code === undefined
    ? { path: left.path, items, from: 0, to: 0 }
    : { path: left.path, items, from: starts[code]!, to: starts[code + 1]! };
}

/**
 * What each item of a list has in `ofEach`. All items' are kept in `kept` in the order of the field's values: those of
 * one value lie side by side, where in the order of rows each would be another wait for memory.
 */
function listed<A extends Float64Array | Int32Array>(
  { path, items, from, to }: ItemList,
  ofEach: A,
  kept: Map<string, unknown>,
  name: string,
): A {
  const key = `${name} by ${JSON.stringify(path)}`;
  let all = kept.get(key) as A | undefined;
  if (all === undefined) {
    all = gathered(ofEach, items);
    kept.set(key, all);
  }
  return all.subarray(from, to) as A;
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
function keepWhere(expr: Expr, selection: Uint32Array, segment: Segment, searched: Searched): Uint32Array {
  const numeric = numericComparison(expr);
  if (numeric !== undefined) {
    const { values } = columnOf(segment, numeric.path);
    return keepNumbers(selection, numeric.op, values.numbers.array, numeric.literal);
  }
  const truths = overTrials(say(expr, segment, searched), segment);
  let n = 0;
  for (let k = 0; k < selection.length; k++)
    if (truths[selection[k]!] === TRUE) selection[n++] = selection[k]!;
  return selection.subarray(0, n);
}
