import type { CallScanOptions, CallScope } from "@assay/calls";
import type { ReadContext } from "./read-context.ts";
import type { TraceCall } from "./trace-call.ts";

/**
 * Where calls are kept. A store never interprets a call: `joinCalls` defines what pieces combine to. Throws a `Fault`
 * when the storage itself fails, `overloaded` when it cannot take more writes.
 *
 * It is also the evaluation engine's `CallSource`, over the same calls.
 */
export interface CallStore {
  /**
   * Joins each piece with the stored state of its call, in its project. When the promise resolves, every reader sees
   * them and they survive a crash. When it rejects, some pieces may be stored; you can put all of them again, because
   * joining a piece twice changes nothing. Stores may promise more. `reading` lets other work run while many pieces
   * are written; a client that disconnects does not cancel it.
   */
  put(pieces: readonly TraceCall[], reading?: ReadContext): Promise<void>;

  /** The calls with these IDs, in the requested order; undefined for those that are unknown or deleted. */
  get(project: string, ids: readonly string[]): Promise<readonly (TraceCall | undefined)[]>;

  /** The calls in scope that are not deleted, in batches. */
  scan(project: string, scope: CallScope, options?: CallScanOptions): AsyncIterable<readonly TraceCall[]>;

  /** The number of calls in scope that are not deleted. */
  count(project: string, scope: CallScope): Promise<number>;
}
