// Selects the rows of a frame that pass the filters, and those that all evaluations have (docs/reference/semantics.md,
// "Filters").

import { markNumbers } from "../kernels/filter-numbers.ts";
import { addRow, intersectInto, noRows, type RowSet, rowsIn, sizeOf } from "../kernels/row-set.ts";
import { chunked, type Work } from "../kernels/work.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import { ABSENT, type Frame, rowsInFrame } from "./frame/frame.ts";
import { type PreparedFilter, rowsWhere, trialsWhere } from "./plan-filter.ts";
import type { Prepared } from "./prepare.ts";

// The number of rows checked between two checks of the time, and the work of marking one in array items touched.
const ROWS_AT_ONCE = 16_384;
const ROW_COST = 8;

/** A subset of a frame's rows. `undefined` stands for all of them. */
export class Selection {
  readonly set: RowSet;
  /** The number of rows. */
  readonly count: number;
  private list: Uint32Array | undefined;

  constructor(set: RowSet) {
    this.set = set;
    this.count = sizeOf(set);
  }

  /** The rows, ascending. Listed on first use: a sorted page does not need them. */
  get rows(): Uint32Array {
    this.list ??= rowsIn(this.set);
    return this.list;
  }
}

/** The number of selected rows. */
export function countRows(frame: Frame, selection: Selection | undefined): number {
  return selection?.count ?? frame.length;
}

/** The rows that the filters select. */
export async function matching(
  { query, frame, filters }: Prepared,
  work: Work,
): Promise<Selection | undefined> {
  if (query.filters.length === 0) return undefined;
  let kept: RowSet | undefined;
  for (const filter of filters) {
    // One set per evaluation if a row must match in all of them, otherwise a single set.
    const matched: RowSet = query.matchAll || kept === undefined ? noRows(frame.length) : kept;
    // A scope outside of the requested evaluations matches nothing.
    if (filter !== undefined) await markRows(matched, frame, filter, work);
    if (kept === undefined) kept = matched;
    else if (query.matchAll) intersectInto(kept, matched);
  }
  return new Selection(kept ?? noRows(frame.length));
}

/** Adds the rows in which a trial meets a filter to `matched`. */
async function markRows(matched: RowSet, frame: Frame, filter: PreparedFilter, work: Work): Promise<void> {
  if (filter.plan !== undefined) {
    const pause = work.spend(frame.length * ROW_COST);
    if (pause !== undefined) await pause;
    const { rows, bound } = await rowsWhere(frame, filter, filter.plan, work);
    if (bound !== undefined) markNumbers(matched, rows, bound.op, bound.numbers, bound.literal);
    else for (let k = 0; k < rows.length; k++) addRow(matched, rows[k]!);
    return;
  }
  const { segment } = filter.ready;
  const [ownRow, inFrame] = [segment.parts.rowOf.array, rowsInFrame(frame, filter.e)];
  const pause = work.spend(segment.trials * ROW_COST);
  if (pause !== undefined) await pause;
  const trials = trialsWhere(filter);
  for (let k = 0; k < trials.length; k++) addRow(matched, inFrame[ownRow[trials[k]!]!]!);
}

/** The selected rows that every evaluation has. */
export async function intersectEvaluations(
  frame: Frame,
  selection: Selection | undefined,
  work: Work,
): Promise<Selection | undefined> {
  if (frame.segments.length < 2) return selection;
  const shared = await frame.memo.keptLater(SHARED, "", () => sharedRows(frame, work));
  if (selection === undefined) return shared;
  const set = selection.set.slice();
  intersectInto(set, shared.set);
  return new Selection(set);
}

async function sharedRows({ rowIn }: Frame, work: Work): Promise<Selection> {
  const [first, ...others] = rowIn;
  const set = await rowsPresent(first!, work);
  for (const other of others) intersectInto(set, await rowsPresent(other, work));
  return new Selection(set);
}

const SHARED: DerivedKey<Selection> = {};

async function rowsPresent(rowIn: Int32Array, work: Work): Promise<RowSet> {
  const { length } = rowIn;
  const set = noRows(length);
  await chunked(work, { length, slice: ROWS_AT_ONCE }, (from, to) => {
    for (let row = from; row < to; row++) if (rowIn[row] !== ABSENT) addRow(set, row);
    return (to - from) * ROW_COST;
  });
  return set;
}
