// A frame: the requested evaluations side by side. Its rows are the union of their rows in digest order, and for each
// evaluation it says which of its rows that is. Kept between queries and brought up to date as evaluations grow.

import type { Texts } from "./columns/texts.ts";
import { prefixOf, type Segment } from "./segment.ts";

/** A row that an evaluation does not have. */
export const ABSENT = -1;

/** The rows of several segments side by side. */
export interface Frame {
  readonly segments: readonly Segment[];
  /** Number of rows. */
  readonly length: number;
  /** For each segment, its row for each row of the frame; `ABSENT` when it has none. */
  readonly rowIn: readonly Int32Array[];
  /** The segments' revisions that it was made of. */
  readonly revisions: readonly number[];
  /** What queries have computed of it: gone with the frame. */
  readonly computed: Map<string, unknown>;
}

/** The digest of a frame's row. */
export function digestAt(frame: Frame, row: number): string {
  const [segment, own] = anyOf(frame, row);
  return segment.parts.digests.get(own);
}

function anyOf({ segments, rowIn }: Frame, row: number): [Segment, number] {
  for (let e = 0; e < segments.length; e++) {
    const own = rowIn[e]![row]!;
    if (own !== ABSENT) return [segments[e]!, own];
  }
  throw new Error(`row ${row} of the frame is in no evaluation`);
}

// Different comparisons that are kept at hand: a person drags a filter over one, and looks across to another.
const FRAMES_KEPT = 8;

/** The frame of these segments as they are: one of `frames`, or a new one that goes to their front. */
export function frameOf(
  segments: readonly Segment[],
  frames: Frame[],
): { readonly frame: Frame; readonly kept: boolean } {
  const at = frames.findIndex((frame) => isCurrent(frame, segments));
  const frame = at === -1 ? buildFrame(segments) : frames.splice(at, 1)[0]!;
  frames.unshift(frame);
  // A frame whose segments have changed can never be asked for again.
  const live = frames.filter((one) => one === frame || isCurrent(one, one.segments)).slice(0, FRAMES_KEPT);
  frames.splice(0, frames.length, ...live);
  return { frame, kept: at !== -1 };
}

function isCurrent(frame: Frame, segments: readonly Segment[]): boolean {
  return (
    frame.segments.length === segments.length &&
    segments.every((segment, e) => frame.segments[e] === segment && frame.revisions[e] === segment.revision)
  );
}

/** Puts segments side by side. Cost: one merge over their rows. */
export function buildFrame(segments: readonly Segment[]): Frame {
  const lists = segments.map(rowsByDigest);
  const rowIn = segments.map(() => new Int32Array(lists.reduce((sum, { order }) => sum + order.length, 0)));
  const at = new Uint32Array(segments.length);
  let length = 0;
  for (;;) {
    // The least digest that is next in any list; few segments, so that a plain scan beats a heap.
    let least = -1;
    for (let e = 0; e < lists.length; e++) {
      if (
        at[e]! < lists[e]!.order.length &&
        (least === -1 || compareHeads(lists[e]!, at[e]!, lists[least]!, at[least]!) < 0)
      )
        least = e;
    }
    if (least === -1) break;
    const [list, head] = [lists[least]!, at[least]!];
    for (let e = 0; e < lists.length; e++) {
      const same =
        at[e]! < lists[e]!.order.length && (e === least || compareHeads(lists[e]!, at[e]!, list, head) === 0);
      rowIn[e]![length] = same ? lists[e]!.order[at[e]!]! : ABSENT;
      if (same) at[e]!++;
    }
    length++;
  }
  return {
    segments,
    revisions: segments.map(({ revision }) => revision),
    length,
    rowIn: rowIn.map((rows) => rows.slice(0, length)),
    computed: new Map(),
  };
}

interface RowList {
  readonly digests: Texts;
  readonly order: Uint32Array;
  readonly prefix: Float64Array;
}

/** A segment's rows that have trials, by digest. */
function rowsByDigest(segment: Segment): RowList {
  const { digests, firstTrial } = segment.parts;
  const prefix = Float64Array.from({ length: segment.rows }, (_, row) => prefixOf(digests, row));
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
  }
  return { digests, order: order.subarray(0, length), prefix };
}

function compareHeads(a: RowList, i: number, b: RowList, j: number): number {
  const [x, y] = [a.order[i]!, b.order[j]!];
  return a.prefix[x]! - b.prefix[y]! || a.digests.compare(x, b.digests, y);
}
