import type { KeptCall } from "./call-writer.ts";

/** Which calls to scan: those that fit everything that is given. An empty list fits nothing. */
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

/** Lists calls as they came: for export, and for clients that list calls. Throws a `Fault` as `CallWriter` does. */
export interface CallScan {
  /**
   * The live calls in scope, by the instant of their start (unknown last), then id, in batches. A call that is written
   * during the scan may be missed or be there; every other one is there once.
   */
  scan(project: string, scope?: CallScope): AsyncIterable<readonly KeptCall[]>;
}
