// The columns of a segment: the stored data of one evaluation's trials. segment-order.ts and segment.ts order and
// change them.

import { type GrowableArray, growableFloats, growableIndexes } from "@assay/base/internal";
import type { GenAISpanRef } from "@assay/calls";
import type { Payload } from "../columns/payload.ts";
import { ScoreColumns } from "../columns/score-columns.ts";
import { type TextList, Texts } from "../columns/texts.ts";

/** The columns of a segment that are kept; everything else can be computed from them. */
export interface SegmentParts {
  // Per trial.
  readonly ids: TextList;
  readonly startedAt: GrowableArray<Float64Array>;
  readonly rowOf: GrowableArray<Int32Array>;
  readonly exampleOf: GrowableArray<Int32Array>;
  /** The next trial of the same row, by start and id; -1 after the last. */
  readonly next: GrowableArray<Int32Array>;
  /** The predict-and-score calls' outputs. */
  readonly outputs: Payload;
  readonly scores: ScoreColumns;
  readonly latency: GrowableArray<Float64Array>;
  readonly ownLatency: GrowableArray<Float64Array>;
  readonly tokens: GrowableArray<Float64Array>;
  readonly ownTokens: GrowableArray<Float64Array>;
  /** Empty if none. */
  readonly predictIds: TextList;
  /** JSON of an object, or empty for `{}`. */
  readonly scorerIds: TextList;
  readonly spans: Map<number, Spans>;
  // Per example: parts that differ within a row are stored separately, equal ones once.
  readonly examples: Payload;
  readonly rowOfExample: GrowableArray<Int32Array>;
  // Per row.
  readonly digests: Texts;
  readonly firstTrial: GrowableArray<Int32Array>;
}

/** A trial's span references, with and without those of its children. */
export interface Spans {
  readonly all: readonly GenAISpanRef[] | null;
  readonly own: readonly GenAISpanRef[] | null;
}

/** Columns without trials; `payload` makes empty lists of values. */
export function emptyParts(payload: () => Payload): SegmentParts {
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
 * The same trials for a segment that continues to change. Columns that only grow share memory with these; those changed
 * in place, the chains of rows, are copied. These can still be read, but must not get more trials.
 */
export function copyForChanges(parts: SegmentParts): SegmentParts {
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
