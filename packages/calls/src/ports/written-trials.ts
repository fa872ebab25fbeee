// The trials of an evaluation as columns, passed from the writer of their calls to a reader, which then need not read
// the calls.

import type { Json } from "@assay/base";

/** Written trials: all of an evaluation, each a call without children. */
export interface WrittenTrials {
  /** The ids of the calls, in writing order. */
  readonly ids: NumberedIds;
  /** The prefix of each reference to a row, before the digest. */
  readonly references: string;
  /**
   * The digests of rows, all different; rows without a trial do not count. Evaluations that pass the same object share
   * the data derived from it.
   */
  readonly digests: TextBytes;
  /** The number of trials. */
  readonly count: number;
  /** The trials, in batches. */
  readonly batches: AsyncIterable<TrialBatch>;
  /**
   * Writes the JSON of the calls' complete outputs in UTF-8 into `into`: that of trial `i` at `placeOf(i)`, or not at
   * all if that is -1. All of them may be more than fits in memory.
   */
  writeOutputs(into: Uint8Array, placeOf: (trial: number) => number): Promise<void>;
}

/** Ids that are a prefix and a number, which grows by one and has zeros before it. */
export interface NumberedIds {
  /** The common prefix. */
  readonly prefix: string;
  /** The number of the first. */
  readonly first: number;
  /** The least number of digits. */
  readonly digits: number;
}

/** Texts in UTF-8, one after another. */
export interface TextBytes {
  /** The bytes of all of them. */
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
  /** The number of texts. */
  readonly length: number;
}

/** A batch of trials, column by column. Must not be changed afterwards. */
export interface TrialBatch {
  /** For each trial, the index of its row's digest. */
  readonly rows: Uint32Array;
  /** The start of each: microseconds since 1970; NaN if unknown. */
  readonly startedAt: Float64Array;
  /** The length of each output in bytes. */
  readonly lengths: Uint32Array;
  /** The `scores` of the outputs. */
  readonly scores: readonly { readonly [scorer: string]: Json }[];
  /** Seconds; NaN if unknown. */
  readonly latency: Float64Array;
  /** Total tokens; NaN if none are reported. */
  readonly tokens: Float64Array;
}
