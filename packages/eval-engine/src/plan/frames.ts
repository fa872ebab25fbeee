// The frames that are kept between queries, and brought up to date as evaluations grow.

import type { Work } from "../kernels/work.ts";
import type { Segment } from "../segment/segment.ts";
import { buildFrame, type Frame } from "./frame.ts";

// Different comparisons that are kept at hand: a person drags a filter over one, and looks across to another.
const FRAMES_KEPT = 8;

/** The frame of these segments as they are: one of `frames`, kept or brought up to date, or a new one at their front. */
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

/** Whether `segment` is segment `e` of a frame, or continues it as the frame knows it. */
function goesOn({ segments, revisions }: Frame, e: number, segment: Segment): boolean {
  const known = segments[e]!;
  return segment === known || (segment.isContinuationOf(known) && revisions[e] === known.revision);
}

/** The frame over segments that continue its own: rows have the same numbers there, and the journals begin anew. */
function onContinuations(frame: Frame, segments: readonly Segment[]): Frame {
  const anew = segments.map((segment, e) => segment !== frame.segments[e]);
  return {
    ...frame,
    segments,
    // What its journal says is looked at, whatever its revision.
    revisions: frame.revisions.map((revision, e) => (anew[e] ? -1 : revision)),
    journals: frame.journals.map((journal, e) => (anew[e] ? 0 : journal)),
  };
}

/** Loads the code that patches a frame: questions about evaluations that do not change load without it. */
async function withChanges(frame: Frame): Promise<Frame | undefined> {
  return (await import("./frame-changes.ts")).withChanges(frame);
}
