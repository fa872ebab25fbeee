// Where a filter is true. Conditions that must all hold are taken one after the other: what the row alone decides
// first, over the examples, and each further one only over what is left. That is sound because false and unknown are
// alike to a filter.

import type { Comparison, Expr } from "@assay/query-lang";
import { gathered, keepNumbers } from "../kernels/keep-numbers.ts";
import { scratch } from "../kernels/scratch.ts";
import { andInto, TRUE, type Truths } from "../kernels/truth.ts";
import { fieldAt } from "../query/field.ts";
import type { MemoKey } from "../segment/memo.ts";
import type { Segment } from "../segment/segment.ts";
import type { RowStatistic } from "./derived/row-numbers.ts";
import type { ReadySegment } from "./derived/value-columns.ts";
import { type Frame, rowsInFrame } from "./frame.ts";
import {
  combine,
  domainOfExpr,
  evaluate,
  type NumericComparison,
  numericComparison,
  overTrials,
  type Searched,
} from "./truths.ts";

/** What the trials of one evaluation must make true, with all that answering it takes. */
export interface PreparedFilter {
  /** The evaluation's place in the frame. */
  readonly e: number;
  readonly ready: ReadySegment;
  readonly expr: Expr;
  readonly searched: Searched;
  /** How rows are told without their trials, when they can be. */
  readonly plan: RowPlan | undefined;
  /** The rows' numbers of the plan's bound. */
  readonly numbers: Float64Array | undefined;
}

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

/** How rows can be told without their trials: conditions on the row, and at most one bound on a number of the trials. */
export interface RowPlan {
  readonly ofRow: readonly Expr[];
  readonly bound: (NumericComparison & { readonly statistic: RowStatistic }) | undefined;
}

/**
 * How the rows in which some trial makes `expr` true are told, when no trial must be looked at: a row that has one
 * example, and at most one bound on a number, which the row's greatest or least decides. Else undefined.
 */
export function rowPlanOf(expr: Expr, segment: Segment): RowPlan | undefined {
  const { ofRow, ofTrial } = byDomain(expr);
  const bound = ofTrial.length === 1 ? numericComparison(ofTrial[0]!) : undefined;
  if (ofRow.length === 0 ? segment.removed > 0 : !hasOneExamplePerRow(segment)) return undefined;
  if (ofRow.length === 0 && bound === undefined) return undefined;
  if (ofTrial.length > 0 && (bound === undefined || bound.op === "eq")) return undefined;
  if (bound === undefined) return { ofRow, bound };
  const statistic = bound.op === "gt" || bound.op === "gte" ? "greatest" : "least";
  return { ofRow, bound: { ...bound, statistic } };
}

/** The rows of a frame that a plan tells; `numbers` are the rows' of its bound. */
export function rowsWhere(
  frame: Frame,
  { e, ready, searched, numbers }: PreparedFilter,
  { ofRow, bound }: RowPlan,
): RowChoice {
  const { segment } = ready;
  if (ofRow.length === 0) {
    const { op, literal } = bound!;
    return { rows: rowsInFrame(frame, e), bound: { op, numbers: numbers!, literal } };
  }
  const list = ofRow.length === 1 && segment.tidy ? listOfCode(ofRow[0]!, ready) : undefined;
  const rows = list === undefined ? examplesWhere(ofRow, ready, searched) : undefined;
  const places =
    list === undefined
      ? gathered(rowsInFrame(frame, e), rows!)
      : listed(
          list,
          frame.memo.kept(PLACES_BY, `${e} ${list.key}`, () => gathered(rowsInFrame(frame, e), list.items)),
        );
  if (bound === undefined) return { rows: places, bound };
  const { op, path, statistic, literal } = bound;
  const name = `${statistic} ${fieldAt(path).key} by ${list?.key}`;
  const own =
    list === undefined
      ? gathered(numbers!, rows!)
      : listed(
          list,
          segment.memo.kept(NUMBERS_BY, name, () => gathered(numbers!, list.items)),
        );
  return { rows: places, bound: { op, numbers: own, literal } };
}

// What all items of a list have, in the order of the field's values: those of one value lie side by side, where in the
// order of rows each would be another wait for memory.
const PLACES_BY: MemoKey<Int32Array> = {};
const NUMBERS_BY: MemoKey<Float64Array, number> = { bytes: ({ byteLength }) => byteLength };

/** What a list's items of one value have, of what all of its items have. */
function listed<A extends Float64Array | Int32Array>({ from, to }: ItemList, all: A): A {
  return all.subarray(from, to) as A;
}

/** Whether a row has the number of its example, and every row has trials. */
function hasOneExamplePerRow({ parts, rows, removed }: Segment): boolean {
  return removed === 0 && parts.examples.length === rows;
}

/**
 * The trials of a segment that a filter keeps, in no particular order.
 * What is given lies in scratch room: it is good until the next call.
 */
export function trialsWhere({ expr, ready, searched }: PreparedFilter): Uint32Array {
  const { segment } = ready;
  const { ofRow, ofTrial } = byDomain(expr);
  let left =
    ofRow.length > 0
      ? trialsOfExamples(segment, examplesWhere(ofRow, ready, searched))
      : trueTrials(segment, evaluate(ofTrial.shift()!, ready, searched).truths);
  for (const condition of ofTrial) left = keepWhere(condition, left, ready, searched);
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
function examplesWhere(conditions: readonly Expr[], ready: ReadySegment, searched: Searched): Uint32Array {
  const list = conditions.length === 1 ? listOfCode(conditions[0]!, ready) : undefined;
  if (list !== undefined) return list.items.subarray(list.from, list.to);
  const said = conditions.map((condition) => evaluate(condition, ready, searched));
  return indexesOfTrue(combine(said, andInto, ready).truths);
}

/** Those of a field's items, which are in the order of their values, that have one value. */
interface ItemList {
  /** The field's key. */
  readonly key: string;
  readonly items: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** The examples with one text of a field whose texts repeat: from the field's list of items, without a scan. */
function listOfCode(expr: Expr, ready: ReadySegment): ItemList | undefined {
  if (expr.kind !== "compare" || expr.op !== "eq") return undefined;
  const { left, right } = expr;
  if (left.kind !== "field" || right.kind !== "literal" || typeof right.value !== "string") return undefined;
  const { key } = fieldAt(left.path);
  const { values } = ready.column(left.path);
  const lists = values.byCode(ready.segment.parts.examples.length);
  if (lists === undefined) return undefined;
  const { starts, items } = lists;
  const codes: number[] = [];
  for (let code = 0; code + 1 < starts.length; code++)
    if (values.texts.get(code) === right.value) codes.push(code);
  if (codes.length > 1) return undefined;
  const [code] = codes;
  return code === undefined
    ? { key, items, from: 0, to: 0 }
    : { key, items, from: starts[code]!, to: starts[code + 1]! };
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
function keepWhere(expr: Expr, selection: Uint32Array, ready: ReadySegment, searched: Searched): Uint32Array {
  const numeric = numericComparison(expr);
  if (numeric !== undefined) {
    const { values } = ready.column(numeric.path);
    return keepNumbers(selection, numeric.op, values.numbers.array, numeric.literal);
  }
  const truths = overTrials(evaluate(expr, ready, searched), ready);
  let n = 0;
  for (let k = 0; k < selection.length; k++)
    if (truths[selection[k]!] === TRUE) selection[n++] = selection[k]!;
  return selection.subarray(0, n);
}
