// Caches frames between queries, and updates them as evaluations grow.

import type { Work } from "../../kernels/work.ts";
import type { Segment } from "../../segment/segment.ts";
import { buildFrame, type Frame } from "./frame.ts";

// The number of comparisons kept: people drag a filter in one, and switch to another.
const FRAMES_KEPT = 8;

/**
 * The frame of these segments in their current state: a cached one from `frames`, possibly updated, or a new one added
 * at the front.
 */
export async function frameOf(
  segments: readonly Segment[],
  frames: Frame[],
  work: Work,
): Promise<{ readonly frame: Frame; readonly kept: boolean }> {
  const at = frames.findIndex(
    (frame) =>
      frame.segments.length === segments.length && segments.every((segment, e) => goesOn(frame, e, segment)),
  );
  const known = at === -1 ? undefined : onContinuations(frames.splice(at, 1)[0]!, segments);
  const kept = known?.revisions.every((revision, e) => revision === segments[e]!.revision) === true;
  const frame = kept ? known! : ((known && (await withChanges(known))) ?? (await buildFrame(segments, work)));
  frames.unshift(frame);
  frames.splice(FRAMES_KEPT);
  return { frame, kept };
}

/** Whether `segment` is segment `e` of a frame, or continues it from the state the frame knows. */
function goesOn({ segments, revisions }: Frame, e: number, segment: Segment): boolean {
  const known = segments[e]!;
  return segment === known || (segment.isContinuationOf(known) && revisions[e] === known.revision);
}

/** The frame over segments that continue its own: rows have the same numbers there, and the journals start over. */
function onContinuations(frame: Frame, segments: readonly Segment[]): Frame {
  const replaced = segments.map((segment, e) => segment !== frame.segments[e]);
  return {
    ...frame,
    segments,
    // Its journal is read regardless of its revision.
    revisions: frame.revisions.map((revision, e) => (replaced[e] ? -1 : revision)),
    journals: frame.journals.map((journal, e) => (replaced[e] ? 0 : journal)),
  };
}

/** Loads the code that patches a frame on demand: questions about unchanged evaluations do not need it. */
async function withChanges(frame: Frame): Promise<Frame | undefined> {
  return (await import("./frame-changes.ts")).patchFrame(frame);
}
