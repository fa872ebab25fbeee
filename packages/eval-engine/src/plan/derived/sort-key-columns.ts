// One number for each row of a frame, by which rows are sorted. Cached with the frame, and passed on to the next frame
// when a few rows were added or changed: only these are computed again, on demand.

import { chunked, type Work } from "../../kernels/work.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { ChangedRow } from "../frame/changed-row.ts";
import type { Frame } from "../frame/frame.ts";

/** Computes the number of a row; NaN for none. */
export type NumberOf = (row: number) => number;

/** Numbers of a frame's rows before some changes. */
interface FrameNumbers {
  readonly values: Float64Array;
  readonly changes: readonly ChangedRow[];
}

// With more changed rows than this, recomputing everything is hardly slower, and simpler.
const CHANGES_KEPT = 256;

const NUMBERS: DerivedKey<FrameNumbers, readonly ChangedRow[]> = {
  copied({ values, changes }, more) {
    const all = [...changes, ...more];
    return all.length <= CHANGES_KEPT ? { values, changes: all } : undefined;
  },
};

/** The numbers cached under `key`, or those that `numberOf` computes; `numberOf` is only created if needed. */
export async function frameNumbers(
  frame: Frame,
  key: string,
  numberOf: () => NumberOf,
  work: Work,
): Promise<Float64Array> {
  const known = frame.memo.get(NUMBERS, key);
  if (known?.changes.length === 0) return known.values;
  const values =
    known === undefined ? await everyRow(frame, numberOf(), work) : afterChanges(known, numberOf());
  return frame.memo.set(NUMBERS, key, { values, changes: [] }).values;
}

async function everyRow({ length, segments }: Frame, numberOf: NumberOf, work: Work): Promise<Float64Array> {
  const values = new Float64Array(length);
  await chunked(work, { length, slice: ROWS_AT_ONCE }, (from, to) => {
    for (let row = from; row < to; row++) values[row] = numberOf(row);
    return (to - from) * segments.length * ROW_COST;
  });
  return values;
}

// The number of rows computed between two checks of the time, and the work per evaluation in array items touched.
const ROWS_AT_ONCE = 8192;
const ROW_COST = 16;

function afterChanges({ values, changes }: FrameNumbers, numberOf: NumberOf): Float64Array {
  let next = values.slice();
  let dirty: number[] = [];
  for (const { row, inserted } of changes) {
    if (inserted) {
      next = withItemAt(next, row);
      dirty = dirty.map((other) => (other >= row ? other + 1 : other));
    }
    dirty.push(row);
  }
  for (const row of dirty) next[row] = numberOf(row);
  return next;
}

function withItemAt(values: Float64Array, at: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(values.length + 1);
  longer.set(values.subarray(0, at));
  longer.set(values.subarray(at), at + 1);
  return longer;
}
