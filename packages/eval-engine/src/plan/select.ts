// Which rows of a frame the filters keep, and which all evaluations have (docs/reference/semantics.md, "Filters").

import type { Expr } from "@assay/query-lang";
import { markNumbers } from "../kernels/keep-numbers.ts";
import { addRow, keepCommon, noRows, type RowSet, rowsIn, sizeOf } from "../kernels/row-set.ts";
import type { Work } from "../kernels/work.ts";
import type { EvalQuery } from "../query/request.ts";
import { ABSENT, type Frame, rowsInFrame } from "./frame.ts";
import { searchTexts } from "./truths.ts";
import { rowsWhere, trialsWhere } from "./where.ts";

/** Some rows of a frame. What stands for all of them is undefined. */
export class Selection {
  readonly set: RowSet;
  /** How many they are. */
  readonly count: number;
  private list: Uint32Array | undefined;

  constructor(set: RowSet) {
    this.set = set;
    this.count = sizeOf(set);
  }

  /** The rows, ascending. Listed when first asked for: a sorted page does without. */
  get rows(): Uint32Array {
    this.list ??= rowsIn(this.set);
    return this.list;
  }
}

/** How many rows are selected. */
export function countRows(frame: Frame, selection: Selection | undefined): number {
  return selection?.count ?? frame.length;
}

/** The rows that the filters keep. */
export async function matching(query: EvalQuery, frame: Frame, work: Work): Promise<Selection | undefined> {
  if (query.filters.length === 0) return undefined;
  let kept: RowSet | undefined;
  for (const [evaluation, expr] of filtersByEvaluation(query)) {
    const e = query.evaluations.indexOf(evaluation);
    // For each evaluation of its own when a row must match in all of them, else in one set.
    const matched: RowSet = query.matchAll || kept === undefined ? noRows(frame.length) : kept;
    // A scope that was not asked for matches nothing.
    if (e !== -1) {
      await markRows(matched, frame, e, expr, work);
    }
    if (kept === undefined) kept = matched;
    else if (query.matchAll) keepCommon(kept, matched);
  }
  return new Selection(kept ?? noRows(frame.length));
}

/** Puts the rows in which a trial of evaluation `e` makes `expr` true into `matched`. */
async function markRows(matched: RowSet, frame: Frame, e: number, expr: Expr, work: Work): Promise<void> {
  const segment = frame.segments[e]!;
  const [ownRow, inFrame] = [segment.parts.rowOf.array, rowsInFrame(frame, e)];
  const searched = await searchTexts(expr, segment, work);
  const choice = await rowsWhere(expr, frame, e, searched, work);
  if (choice !== undefined) {
    const { rows, bound } = choice;
    if (bound !== undefined) markNumbers(matched, rows, bound.op, bound.numbers, bound.literal);
    else for (let k = 0; k < rows.length; k++) addRow(matched, rows[k]!);
    return;
  }
  const pause = work.spend(segment.trials * 8);
  if (pause !== undefined) await pause;
  const trials = trialsWhere(expr, segment, searched);
  for (let k = 0; k < trials.length; k++) addRow(matched, inFrame[ownRow[trials[k]!]!]!);
}

/** The one expression that a trial of each evaluation must make true; evaluations without a filter are not there. */
function filtersByEvaluation({ filters, evaluations }: EvalQuery): Map<string, Expr> {
  const found = new Map<string, Expr>();
  for (const scope of new Set([...evaluations, ...filters.flatMap(({ evaluation }) => evaluation ?? [])])) {
    const requested = evaluations.includes(scope);
    const operands = filters
      .filter(({ evaluation }) => evaluation === scope || (evaluation === null && requested))
      .map(({ expr }) => expr);
    if (operands.length > 0)
      found.set(scope, operands.length === 1 ? operands[0]! : { kind: "and", operands });
  }
  return found;
}

/** The selected rows that every evaluation has. */
export function inEvery(frame: Frame, selection: Selection | undefined): Selection | undefined {
  if (frame.segments.length < 2) return selection;
  const shared = sharedRows(frame);
  if (selection === undefined) return shared;
  const set = selection.set.slice();
  keepCommon(set, shared.set);
  return new Selection(set);
}

function sharedRows(frame: Frame): Selection {
  const known = frame.computed.get("shared") as Selection | undefined;
  if (known !== undefined) return known;
  const [first, ...others] = frame.rowIn.map(rowsPresent);
  const set = first!;
  for (const other of others) keepCommon(set, other);
  const shared = new Selection(set);
  frame.computed.set("shared", shared);
  return shared;
}

function rowsPresent(rowIn: Int32Array): RowSet {
  const set = noRows(rowIn.length);
  for (let row = 0; row < rowIn.length; row++) if (rowIn[row] !== ABSENT) addRow(set, row);
  return set;
}
