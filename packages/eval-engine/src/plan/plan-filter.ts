// Finds where a filter is true. Conditions that must all hold are evaluated one after the other: first those that
// depend only on the row, per example, then each further one only on the remaining items. This is correct because a
// filter treats false and unknown alike.

import type { Comparison, Expr } from "@assay/query-lang";
import { filterNumbers, gatherNumbers } from "../kernels/filter-numbers.ts";
import { scratchBuffer } from "../kernels/scratch-buffer.ts";
import { andInto, TRUE, type Truths } from "../kernels/truth.ts";
import type { Work } from "../kernels/work.ts";
import { fieldAt } from "../query/field.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import type { Segment } from "../segment/segment.ts";
import type { RowStatistic } from "./derived/row-aggregates.ts";
import type { ReadySegment } from "./derived/value-columns.ts";
import {
  combine,
  domainOfExpr,
  type Evaluated,
  evaluate,
  type NumericComparison,
  numericComparison,
  type SearchedSegment,
  truthsOfTrials,
} from "./evaluate-predicate.ts";
import { type Frame, rowsInFrame } from "./frame/frame.ts";

/** The condition on the trials of one evaluation, with everything needed to evaluate it. */
export interface PreparedFilter {
  /** The evaluation's index in the frame. */
  readonly e: number;
  readonly ready: ReadySegment;
  readonly expr: Expr;
  /** The truths of its conditions that are not evaluated item by item. */
  readonly truths: ConditionTruths;
  /** How rows are decided without their trials, if they can be. */
  readonly plan: RowPlan | undefined;
  /** The rows' numbers for the plan's bound. */
  readonly numbers: Float64Array | undefined;
}

/** The truths of conditions in a segment. */
export interface ConditionTruths {
  /**
   * The examples that meet all conditions on the row; undefined if there are no such conditions, or a list has them.
   */
  readonly examples: Uint32Array | undefined;
  /** The truths of conditions on trials. */
  readonly ofTrials: ReadonlyMap<Expr, Truths>;
}

/**
 * Computes the truths of conditions of `expr` that are needed before rows, or trials if `plan` is undefined, are
 * evaluated.
 */
export async function conditionTruths(
  expr: Expr,
  plan: RowPlan | undefined,
  segment: SearchedSegment,
  work: Work,
): Promise<ConditionTruths> {
  const { ofRow, ofTrial } = byDomain(expr);
  const ofTrials = new Map<Expr, Truths>();
  for (const [k, condition] of plan === undefined ? ofTrial.entries() : []) {
    // After another condition, a bound on a number is only looked up for the remaining items.
    if (ofRow.length + k > 0 && numericComparison(condition) !== undefined) continue;
    ofTrials.set(condition, truthsOfTrials(await evaluate(condition, segment, work), segment.ready));
  }
  return { examples: await matchingExamples(ofRow, segment, work), ofTrials };
}

async function matchingExamples(
  conditions: readonly Expr[],
  segment: SearchedSegment,
  work: Work,
): Promise<Uint32Array | undefined> {
  if (conditions.length === 0 || listOfCode(conditions, segment.ready) !== undefined) return undefined;
  const evaluated: Evaluated[] = [];
  for (const condition of conditions) evaluated.push(await evaluate(condition, segment, work));
  return indexesOfTrue(combine(evaluated, andInto, segment.ready).truths);
}

/** Rows of a frame, or those of them whose number relates to a literal. */
export interface CandidateRows {
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
 * How rows can be decided without their trials: conditions on the row, and at most one bound on a number of the
 * trials.
 */
export interface RowPlan {
  readonly ofRow: readonly Expr[];
  readonly bound: (NumericComparison & { readonly statistic: RowStatistic }) | undefined;
}

/**
 * How to decide the rows in which some trial meets `expr` without looking at trials: if each row has one example, and
 * there is at most one bound on a number, which the row's maximum or minimum decides. Otherwise undefined.
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

/** The rows of a frame that a plan selects; `numbers` are the rows' numbers for its bound. */
export async function rowsWhere(
  frame: Frame,
  { e, ready, truths, numbers }: PreparedFilter,
  { ofRow, bound }: RowPlan,
  work: Work,
): Promise<CandidateRows> {
  const { segment } = ready;
  if (ofRow.length === 0) {
    const { op, literal } = bound!;
    return { rows: rowsInFrame(frame, e), bound: { op, numbers: numbers!, literal } };
  }
  const list = segment.tidy ? listOfCode(ofRow, ready) : undefined;
  const rows = list === undefined ? examplesWhere(ofRow, ready, truths) : undefined;
  const placesOf = (items: Uint32Array) => gatherNumbers(rowsInFrame(frame, e), items, work);
  const places =
    list === undefined
      ? await placesOf(rows!)
      : listed(list, await frame.memo.keptLater(PLACES_BY, `${e} ${list.key}`, () => placesOf(list.items)));
  if (bound === undefined) return { rows: places, bound };
  const { op, path, statistic, literal } = bound;
  const name = `${statistic} ${fieldAt(path).key} by ${list?.key}`;
  const numbersOf = (items: Uint32Array) => gatherNumbers(numbers!, items, work);
  const own =
    list === undefined
      ? await numbersOf(rows!)
      : listed(list, await segment.memo.keptLater(NUMBERS_BY, name, () => numbersOf(list.items)));
  return { rows: places, bound: { op, numbers: own, literal } };
}

// The entries for all items of a list, in the order of the field's values, which keeps equal values together in
// memory. In the order of rows, each would be a separate cache miss.
const PLACES_BY: DerivedKey<Int32Array> = {};
const NUMBERS_BY: DerivedKey<Float64Array, number> = { bytes: ({ byteLength }) => byteLength };

/** The entries for a list's items of one value, from the entries for all of its items. */
function listed<A extends Float64Array | Int32Array>({ from, to }: ItemList, all: A): A {
  return all.subarray(from, to) as A;
}

/** Whether a row has the number of its example, and every row has trials. */
function hasOneExamplePerRow({ parts, rows, removed }: Segment): boolean {
  return removed === 0 && parts.examples.length === rows;
}

/**
 * The trials of a segment that a filter selects, in no particular order. The result is in scratch memory and valid
 * until the next call.
 */
export function trialsWhere({ expr, ready, truths }: PreparedFilter): Uint32Array {
  const { segment } = ready;
  const { ofRow, ofTrial } = byDomain(expr);
  let left =
    ofRow.length > 0
      ? trialsOfExamples(segment, examplesWhere(ofRow, ready, truths))
      : trueTrials(segment, truths.ofTrials.get(ofTrial.shift()!)!);
  for (const condition of ofTrial) left = keepWhere(condition, left, ready, truths);
  return left;
}

/** The conditions that must all hold: those on fields of the row only, and the others. */
function byDomain(expr: Expr): { readonly ofRow: Expr[]; readonly ofTrial: Expr[] } {
  const [ofRow, ofTrial]: [Expr[], Expr[]] = [[], []];
  for (const condition of conjuncts(expr))
    (domainOfExpr(condition) === "examples" ? ofRow : ofTrial).push(condition);
  return { ofRow, ofTrial };
}

/** The conjuncts of `expr`. Recurses as deep as `expr` nests, which its reader limits. */
function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === "and" ? expr.operands.flatMap(conjuncts) : [expr];
}

/** The examples that meet all `conditions`, which are on fields of the row. */
function examplesWhere(
  conditions: readonly Expr[],
  ready: ReadySegment,
  { examples }: ConditionTruths,
): Uint32Array {
  if (examples !== undefined) return examples;
  const { items, from, to } = listOfCode(conditions, ready)!;
  return items.subarray(from, to);
}

/** A field's items with one value; items are ordered by value. */
interface ItemList {
  /** The field's key. */
  readonly key: string;
  readonly items: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** The examples with one text of a field whose texts repeat: from the field's list of items, without a scan. */
function listOfCode(conditions: readonly Expr[], ready: ReadySegment): ItemList | undefined {
  const [expr] = conditions;
  if (conditions.length !== 1 || expr?.kind !== "compare" || expr.op !== "eq") return undefined;
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
  const found = scratchBuffer(trials);
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
  const found = scratchBuffer(truths.length);
  let n = 0;
  // A removed trial has no row.
  for (let i = 0; i < truths.length; i++) if (truths[i] === TRUE && rowOf[i] !== -1) found[n++] = i;
  return found.subarray(0, n);
}

/** Those of `selection` that meet `expr`; overwrites `selection`. */
function keepWhere(
  expr: Expr,
  selection: Uint32Array,
  ready: ReadySegment,
  { ofTrials }: ConditionTruths,
): Uint32Array {
  const truths = ofTrials.get(expr);
  if (truths === undefined) {
    const { op, path, literal } = numericComparison(expr)!;
    return filterNumbers(selection, op, ready.column(path).values.numbers.array, literal);
  }
  let n = 0;
  for (let k = 0; k < selection.length; k++)
    if (truths[selection[k]!] === TRUE) selection[n++] = selection[k]!;
  return selection.subarray(0, n);
}
