// One number for each row of a frame: what rows are sorted by. Kept with the frame, and handed on to the frame that
// follows it when a few rows came or changed: those rows alone are then worked out again, when somebody asks.

import type { MemoKey } from "../../segment/memo.ts";
import type { Frame } from "../frame.ts";
import type { RowChange } from "../row-change.ts";

/** Works out the number of a row; NaN for none. */
export type NumberOf = (row: number) => number;

/** Numbers of a frame's rows, as they were before the changes. */
interface FrameNumbers {
  readonly values: Float64Array;
  readonly changes: readonly RowChange[];
}

// Past so many changed rows working all of them out again is no slower by much, and simpler.
const CHANGES_KEPT = 256;

const NUMBERS: MemoKey<FrameNumbers, readonly RowChange[]> = {
  copied({ values, changes }, more) {
    const all = [...changes, ...more];
    return all.length <= CHANGES_KEPT ? { values, changes: all } : undefined;
  },
};

/** The numbers kept under `key`, or those that `numberOf` works out; `numberOf` is asked for only when it is needed. */
export function frameNumbers(frame: Frame, key: string, numberOf: () => NumberOf): Float64Array {
  const known = frame.memo.get(NUMBERS, key);
  if (known?.changes.length === 0) return known.values;
  const values = known === undefined ? everyRow(frame, numberOf()) : afterChanges(known, numberOf());
  return frame.memo.set(NUMBERS, key, { values, changes: [] }).values;
}

function everyRow({ length }: Frame, numberOf: NumberOf): Float64Array {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) values[row] = numberOf(row);
  return values;
}

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
