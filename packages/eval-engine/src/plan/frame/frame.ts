// A frame: the requested evaluations side by side. Its rows are the union of their rows, in digest order, each with the
// index of the corresponding row in every evaluation.

import { prefixesOf, type Texts } from "../../columns/texts.ts";
import type { Work } from "../../kernels/work.ts";
import { DerivedCache, type DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";
import type { ChangedRow } from "./changed-row.ts";

/** A row that an evaluation does not have. */
export const ABSENT = -1;

/** The rows of several segments side by side. */
export interface Frame {
  readonly segments: readonly Segment[];
  /** Number of rows. */
  readonly length: number;
  /** For each segment, its row for each row of the frame; `ABSENT` if it has none. */
  readonly rowIn: readonly Int32Array[];
  /** The segments' revisions when the frame was built. */
  readonly revisions: readonly number[];
  /** The positions in the segments' journals up to which it is current. */
  readonly journals: readonly number[];
  /** Data that queries cached with the frame: dropped with it, except for data that its successor can continue. */
  readonly memo: FrameMemo;
}

/** Data cached with a frame; a successor receives the rows that differ. */
type FrameMemo = DerivedCache<readonly ChangedRow[]>;

/** The frame's row for each row of segment `e`; meaningless for a row without trials. Computed on first use. */
export function rowsInFrame(frame: Frame, e: number): Int32Array {
  return frame.memo.kept(ROWS_IN_FRAME, String(e), () => {
    const rowIn = frame.rowIn[e]!;
    const rows = new Int32Array(frame.segments[e]!.rows);
    for (let row = 0; row < frame.length; row++) if (rowIn[row] !== ABSENT) rows[rowIn[row]!] = row;
    return rows;
  });
}

const ROWS_IN_FRAME: DerivedKey<Int32Array> = {};

/** A segment that has a row of the frame, and its row there. */
export function anyOf({ segments, rowIn }: Frame, row: number): [Segment, number] {
  for (let e = 0; e < segments.length; e++) {
    const own = rowIn[e]![row]!;
    if (own !== ABSENT) return [segments[e]!, own];
  }
  throw new Error(`row ${row} of the frame is in no evaluation`);
}

/** The current state of its segments. */
export function stateOf(segments: readonly Segment[]): Pick<Frame, "revisions" | "journals"> {
  return {
    revisions: segments.map(({ revision }) => revision),
    journals: segments.map(({ journal }) => journal.length),
  };
}

// The number of rows merged between two checks of the time.
const ROWS_AT_ONCE = 2048;

/** Aligns segments by row, with one merge over their rows; rows of segments that share them count once. */
export async function buildFrame(segments: readonly Segment[], work: Work): Promise<Frame> {
  const different: Segment[] = [];
  const listOf = segments.map((segment) => {
    const known = different.findIndex((other) => haveSameRows(segment, other));
    return known === -1 ? different.push(segment) - 1 : known;
  });
  const lists: RowList[] = [];
  for (const segment of different) lists.push(await rowsByDigest(segment, work));
  const rowIn = lists.map(() => new Int32Array(lists.reduce((sum, { order }) => sum + order.length, 0)));
  const at = new Uint32Array(lists.length);
  const least = new Uint32Array(lists.length);
  let length = 0;
  for (;;) {
    // The lists with the least next digest. There are few segments, so a plain scan beats a heap.
    let count = 0;
    for (let e = 0; e < lists.length; e++) {
      rowIn[e]![length] = ABSENT;
      if (at[e] === lists[e]!.order.length) continue;
      const first = least[0]!;
      const order = count === 0 ? 0 : compareHeads(lists[e]!, at[e]!, lists[first]!, at[first]!);
      if (order < 0) count = 0;
      if (order <= 0) least[count++] = e;
    }
    if (count === 0) break;
    for (let k = 0; k < count; k++) {
      const e = least[k]!;
      rowIn[e]![length] = lists[e]!.order[at[e]!++]!;
    }
    length++;
    if (length % ROWS_AT_ONCE !== 0) continue;
    const pause = work.spend(ROWS_AT_ONCE * lists.length * MERGE_COST);
    if (pause !== undefined) await pause;
  }
  const found = rowIn.map((rows) => rows.slice(0, length));
  return {
    segments,
    ...stateOf(segments),
    length,
    rowIn: listOf.map((list) => found[list]!),
    memo: new DerivedCache(),
  };
}

// The work of comparing two digests, and of listing a row, in array items touched.
const MERGE_COST = 128;
const LIST_COST = 32;

interface RowList {
  readonly digests: Texts;
  readonly order: Uint32Array;
  readonly prefix: Float64Array;
}

/** Whether two segments have the same rows in the same places, as far as known without reading them. */
function haveSameRows(a: Segment, b: Segment): boolean {
  return a.tidy && b.tidy && a.parts.digests.isSharedWith(b.parts.digests);
}

/** A segment's rows with trials, by digest. */
async function rowsByDigest(segment: Segment, work: Work): Promise<RowList> {
  const { digests, firstTrial } = segment.parts;
  const prefix = await prefixesOf(digests, work);
  const compare = (a: number, b: number): number => prefix[a]! - prefix[b]! || digests.compare(a, digests, b);
  const late = new Uint32Array(segment.rows - segment.arranged)
    .map((_, i) => segment.arranged + i)
    .sort(compare);
  const order = new Uint32Array(segment.rows);
  let length = 0;
  for (let i = 0, j = 0; i < segment.arranged || j < late.length; ) {
    const takeLate = j < late.length && (i >= segment.arranged || compare(late[j]!, i) < 0);
    const row = takeLate ? late[j++]! : i++;
    if (firstTrial.array[row] !== -1) order[length++] = row;
    if ((i + j) % ROWS_AT_ONCE !== 0) continue;
    const pause = work.spend(ROWS_AT_ONCE * LIST_COST);
    if (pause !== undefined) await pause;
  }
  return { digests, order: order.subarray(0, length), prefix };
}

function compareHeads(a: RowList, i: number, b: RowList, j: number): number {
  const x = a.order[i]!;
  const y = b.order[j]!;
  return a.prefix[x]! - b.prefix[y]! || a.digests.compare(x, b.digests, y);
}
