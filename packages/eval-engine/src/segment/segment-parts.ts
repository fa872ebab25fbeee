// The columns of a segment: what is kept of one evaluation's trials. Must say nothing of how they are put in order or
// changed: see segment-order.ts and segment.ts.

import { type GrowableArray, growableFloats, growableIndexes } from "@assay/base";
import type { GenAISpanRef } from "@assay/calls";
import { JsonPayload, type Payload, SharedPayload } from "../columns/payload.ts";
import { ScoreColumns } from "../columns/score-columns.ts";
import { type TextList, Texts } from "../columns/texts.ts";

/** The columns of a segment that are kept; everything else can be made from them. */
export interface SegmentParts {
  // Per trial.
  readonly ids: TextList;
  readonly startedAt: GrowableArray<Float64Array>;
  readonly rowOf: GrowableArray<Int32Array>;
  readonly exampleOf: GrowableArray<Int32Array>;
  /** Next trial of the same row, by start and id; -1 after the last. */
  readonly next: GrowableArray<Int32Array>;
  /** The predict-and-score calls' outputs. */
  readonly outputs: Payload;
  readonly scores: ScoreColumns;
  readonly latency: GrowableArray<Float64Array>;
  readonly ownLatency: GrowableArray<Float64Array>;
  readonly tokens: GrowableArray<Float64Array>;
  readonly ownTokens: GrowableArray<Float64Array>;
  /** Empty for none. */
  readonly predictIds: TextList;
  /** JSON of an object, or empty for `{}`. */
  readonly scorerIds: TextList;
  readonly spans: Map<number, Spans>;
  // Per example: what differs in a row is kept apart, what is the same is kept once.
  readonly examples: Payload;
  readonly rowOfExample: GrowableArray<Int32Array>;
  // Per row.
  readonly digests: Texts;
  readonly firstTrial: GrowableArray<Int32Array>;
}

/** A trial's span references, with its children read and without. */
export interface Spans {
  readonly all: readonly GenAISpanRef[] | null;
  readonly own: readonly GenAISpanRef[] | null;
}

/** No trials. `retains`: hold references to the calls' JSON, because somebody else holds them anyway. */
export function emptyParts(retains: boolean): SegmentParts {
  const payload = (): Payload => (retains ? new SharedPayload() : new JsonPayload());
  return {
    ids: new Texts(),
    startedAt: growableFloats(),
    rowOf: growableIndexes(),
    exampleOf: growableIndexes(),
    next: growableIndexes(),
    outputs: payload(),
    scores: new ScoreColumns(),
    latency: growableFloats(),
    ownLatency: growableFloats(),
    tokens: growableFloats(),
    ownTokens: growableFloats(),
    predictIds: new Texts(),
    scorerIds: new Texts(),
    spans: new Map(),
    examples: payload(),
    rowOfExample: growableIndexes(),
    digests: new Texts(),
    firstTrial: growableIndexes(),
  };
}

/** The same trials in columns of their own. */
export function cloneParts(parts: SegmentParts): SegmentParts {
  return {
    ids: parts.ids.clone(),
    startedAt: parts.startedAt.clone(),
    rowOf: parts.rowOf.clone(),
    exampleOf: parts.exampleOf.clone(),
    next: parts.next.clone(),
    outputs: parts.outputs.clone(),
    scores: parts.scores.map((values) => values.clone()),
    latency: parts.latency.clone(),
    ownLatency: parts.ownLatency.clone(),
    tokens: parts.tokens.clone(),
    ownTokens: parts.ownTokens.clone(),
    predictIds: parts.predictIds.clone(),
    scorerIds: parts.scorerIds.clone(),
    spans: new Map(parts.spans),
    examples: parts.examples.clone(),
    rowOfExample: parts.rowOfExample.clone(),
    digests: parts.digests.clone(),
    firstTrial: parts.firstTrial.clone(),
  };
}
