import type { CallScope } from "@assay/calls";
import type { Reading } from "../reading.ts";
import type { TraceCall } from "../trace-call.ts";

/**
 * Where calls are kept. A store never interprets a call: what pieces make of one is `joinCalls`. When the storage
 * itself fails, it throws a `Fault`; `overloaded` when it has more to write than it can take.
 *
 * It is also the evaluation engine's `CallSource`, over the same calls.
 */
export interface CallStore {
  /**
   * Joins each piece with what is known of its call, in its project. There for every reader when the promise resolves,
   * and survives the death of the process. When it rejects, some pieces may be there: all may be put again, because
   * joining a piece twice changes nothing. Stores may promise more. `reading` says how others are let run while many
   * pieces are written out; a client that leaves does not end it.
   */
  put(pieces: readonly TraceCall[], reading?: Reading): Promise<void>;

  /** The calls with these ids, in the order asked; undefined for one that is not there or is deleted. */
  get(project: string, ids: readonly string[]): Promise<readonly (TraceCall | undefined)[]>;

  /** The calls in scope that are not deleted, by the instant of their start (unknown last), then id, in batches. */
  scan(project: string, scope: CallScope): AsyncIterable<readonly TraceCall[]>;
}
