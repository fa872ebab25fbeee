// Exponential backoff with a clock: pauses that double, up to a maximum, until an operation succeeds.

import { type BackoffBounds, backoffMs } from "@assay/base/internal";
import type { Clock } from "../ports/clock.ts";
import { changeNotifier } from "./change-notifier.ts";

/** Pauses between attempts. */
export interface Backoff {
  /** Resets the next pause to the first, after a success. */
  reset(): void;
  /** Pauses, and doubles the next pause. Ends early when `signal` is aborted. */
  pause(signal: AbortSignal): Promise<void>;
}

/** A backoff within these bounds. */
export function backoff(clock: Clock, bounds: BackoffBounds): Backoff {
  const waits = changeNotifier(clock);
  let failures = 0;
  return {
    reset() {
      failures = 0;
    },
    async pause(signal) {
      await waits.wait("pause", backoffMs(++failures, bounds), signal);
    },
  };
}
