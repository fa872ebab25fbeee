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
}

/** Lists stored calls, for export and for clients. Throws a `Fault` like `CallWriter`. */
export interface CallScan {
  /**
   * The live calls in scope, by start (unknown last), then id, in batches. A call written during the scan may be
   * missing or included; every other call is returned once.
   */
  scan(project: string, scope?: CallScope): AsyncIterable<readonly KeptCall[]>;
}
