// The columns of a segment: what is kept of one evaluation's trials. Must say nothing of how they are put in order or
// changed: see segment-order.ts and segment.ts.

import { type GrowableArray, growableFloats, growableIndexes } from "@assay/base/internal";
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

/** No trials. `retains`: hold references to the calls' JSON, because someone else holds them anyway. */
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

/**
 * The same trials for a segment that goes on changing. What only grows goes on in the same memory; what changes where it
 * is, the rows' chains, is copied. These may be read on, but must get no more trials.
 */
export function continuedParts(parts: SegmentParts): SegmentParts {
  return {
    ids: parts.ids.continued(),
    startedAt: parts.startedAt.continued(),
    rowOf: parts.rowOf.clone(),
    exampleOf: parts.exampleOf.continued(),
    next: parts.next.clone(),
    outputs: parts.outputs.continued(),
    scores: parts.scores.map((values) => values.continued()),
    latency: parts.latency.continued(),
    ownLatency: parts.ownLatency.continued(),
    tokens: parts.tokens.continued(),
    ownTokens: parts.ownTokens.continued(),
    predictIds: parts.predictIds.continued(),
    scorerIds: parts.scorerIds.continued(),
    spans: new Map(parts.spans),
    examples: parts.examples.continued(),
    rowOfExample: parts.rowOfExample.continued(),
    digests: parts.digests.continued(),
    firstTrial: parts.firstTrial.clone(),
  };
}
