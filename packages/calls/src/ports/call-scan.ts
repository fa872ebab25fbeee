import type { KeptCall } from "./call-writer.ts";

/** Which calls to scan: those that match all given conditions. An empty list matches nothing. */
export interface CallScope {
  /** Only calls with one of these ids. */
  readonly ids?: readonly string[];
  /** Only calls of one of these traces. */
  readonly traceIds?: readonly string[];
  /** Only direct children of one of these calls. */
  readonly parentIds?: readonly string[];
  /** Only calls without a parent. */
  readonly rootsOnly?: boolean;
  /** Only calls of one of these ops; `name:*` means every op whose name begins with `name:`. */
  readonly opNames?: readonly string[];
  /** Only calls whose start has arrived, that is, with an op name or a start that can be read. */
  readonly startedOnly?: boolean;
}

/**
 * By start, oldest or newest first: unknown starts come last in both, and equal ones by id. `any` is the order in which
 * the store reads calls fastest.
 */
export type CallOrder = "oldest" | "newest" | "any";

/** How to scan calls. */
export interface CallScanOptions {
  /** Default `oldest`. */
  readonly order?: CallOrder;
  /** How many calls to leave out at the beginning. Default 0. */
  readonly skip?: number;
}

/** Lists stored calls, for export and for clients. Throws a `Fault` like `CallWriter`. */
export interface CallScan {
  /**
   * The live calls in scope, in batches. A call written during the scan may be
   * missing or included; every other call is returned once.
   */
  scan(project: string, scope?: CallScope, options?: CallScanOptions): AsyncIterable<readonly KeptCall[]>;

  /** The number of live calls in scope. */
  count(project: string, scope?: CallScope): Promise<number>;
}
