// Patches a frame whose segments have gained, lost or changed a few rows. The naive form builds it again.

import type { ChangedRow } from "./changed-row.ts";
import { ABSENT, anyOf, type Frame, stateOf } from "./frame.ts";

// With more changed rows than this, merging everything again is cheaper.
const ROWS_PATCHED = 32;

/**
 * The frame with the rows that its segments have gained, lost or changed since, or undefined if that is too much to
 * patch. Takes a copy of the frame and a binary search for each changed row. The frame itself stays unchanged, because
 * a query may be reading it.
 */
export function patchFrame(frame: Frame): Frame | undefined {
  const changed = frame.segments.map(({ journal }, e) => new Set(journal.slice(frame.journals[e]!)));
  if (changed.reduce((sum, { size }) => sum + size, 0) > ROWS_PATCHED) return undefined;
  let next: Frame = {
    ...frame,
    rowIn: frame.rowIn.map((rows) => rows.slice()),
  };
  const changes: ChangedRow[] = [];
  for (const [e, rows] of changed.entries()) {
    for (const own of rows) {
      const [at, there] = find(next, e, own);
      const present = frame.segments[e]!.parts.firstTrial.array[own] !== -1;
      if (!present && !there) continue;
      // A row that no evaluation has any more would have to be removed, which is rare enough to rebuild the frame.
      if (!present && next.rowIn.every((rowIn, other) => other === e || rowIn[at] === ABSENT))
        return undefined;
      if (!there) next = withRowAt(next, at);
      changes.push({ row: at, inserted: !there });
      next.rowIn[e]![at] = present ? own : ABSENT;
    }
  }
  return {
    ...next,
    ...stateOf(frame.segments),
    memo: frame.memo.copy(changes),
  };
}

/** Where row `own` of segment `e` is in the frame, or would be, and whether it exists. */
function find(frame: Frame, e: number, own: number): readonly [at: number, there: boolean] {
  const { digests } = frame.segments[e]!.parts;
  let [low, high] = [0, frame.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [segment, row] = anyOf(frame, middle);
    const order = digests.compare(own, segment.parts.digests, row);
    if (order === 0) return [middle, true];
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return [low, false];
}

/** The frame with an empty row inserted at `at`. */
function withRowAt(frame: Frame, at: number): Frame {
  const rowIn = frame.rowIn.map((rows) => {
    const longer = new Int32Array(frame.length + 1);
    longer.set(rows.subarray(0, at));
    longer[at] = ABSENT;
    longer.set(rows.subarray(at), at + 1);
    return longer;
  });
  return { ...frame, length: frame.length + 1, rowIn };
}
