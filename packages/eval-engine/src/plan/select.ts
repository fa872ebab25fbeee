// Which rows of a frame the filters keep, and which all evaluations have (docs/reference/semantics.md, "Filters").

import { markNumbers } from "../kernels/keep-numbers.ts";
import { addRow, keepCommon, noRows, type RowSet, rowsIn, sizeOf } from "../kernels/row-set.ts";
import type { Work } from "../kernels/work.ts";
import type { MemoKey } from "../segment/memo.ts";
import { ABSENT, type Frame, rowsInFrame } from "./frame.ts";
import type { Prepared } from "./prepare.ts";
import { type PreparedFilter, rowsWhere, trialsWhere } from "./where.ts";

/** A subset of a frame's rows. `undefined` stands for all of them. */
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
export async function matching(
  { query, frame, filters }: Prepared,
  work: Work,
): Promise<Selection | undefined> {
  if (query.filters.length === 0) return undefined;
  let kept: RowSet | undefined;
  for (const filter of filters) {
    // For each evaluation of its own when a row must match in all of them, else in one set.
    const matched: RowSet = query.matchAll || kept === undefined ? noRows(frame.length) : kept;
    // A scope that was not asked for matches nothing.
    if (filter !== undefined) await markRows(matched, frame, filter, work);
    if (kept === undefined) kept = matched;
    else if (query.matchAll) keepCommon(kept, matched);
  }
  return new Selection(kept ?? noRows(frame.length));
}

/** Puts the rows in which a trial makes a filter true into `matched`. */
async function markRows(matched: RowSet, frame: Frame, filter: PreparedFilter, work: Work): Promise<void> {
  if (filter.plan !== undefined) {
    const { rows, bound } = rowsWhere(frame, filter, filter.plan);
    if (bound !== undefined) markNumbers(matched, rows, bound.op, bound.numbers, bound.literal);
    else for (let k = 0; k < rows.length; k++) addRow(matched, rows[k]!);
    return;
  }
  const { segment } = filter.ready;
  const [ownRow, inFrame] = [segment.parts.rowOf.array, rowsInFrame(frame, filter.e)];
  const pause = work.spend(segment.trials * 8);
  if (pause !== undefined) await pause;
  const trials = trialsWhere(filter);
  for (let k = 0; k < trials.length; k++) addRow(matched, inFrame[ownRow[trials[k]!]!]!);
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
  return frame.memo.kept(SHARED, "", () => {
    const [first, ...others] = frame.rowIn.map(rowsPresent);
    const set = first!;
    for (const other of others) keepCommon(set, other);
    return new Selection(set);
  });
}

const SHARED: MemoKey<Selection> = {};

function rowsPresent(rowIn: Int32Array): RowSet {
  const set = noRows(rowIn.length);
  for (let row = 0; row < rowIn.length; row++) if (rowIn[row] !== ABSENT) addRow(set, row);
  return set;
}
