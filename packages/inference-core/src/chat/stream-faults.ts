// The two ways in which an answer fails midway: its engine broke off, or sent something that cannot be passed on.

import { Fault } from "@assay/base";

/** The fault of an engine that stopped before the end of its answer. */
export function interruptedStream(cause?: unknown): Fault {
  return new Fault("unavailable", "the engine stopped before the end of its answer", { cause });
}

/** The fault of an engine that sent `what`. */
export function malformedStream(what: string): Fault {
  return new Fault("corrupt", `the engine sent ${what}`);
}
