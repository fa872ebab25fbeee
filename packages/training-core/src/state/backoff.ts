// Exponential backoff by a clock: pauses that double, up to a longest, until what failed works again.

import type { Clock } from "../ports/clock.ts";
import { changeNotifier } from "./change-notifier.ts";

/** Pauses between tries. */
export interface Backoff {
  /** It worked: the next pause is the first one again. */
  reset(): void;
  /** Pauses, and doubles the next pause. Ends early when `signal` is aborted. */
  pause(signal: AbortSignal): Promise<void>;
}

/** A backoff from `firstMs` to `longestMs` milliseconds. */
export function backoff(
  clock: Clock,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): Backoff {
  const waits = changeNotifier(clock);
  let ms = firstMs;
  return {
    reset() {
      ms = firstMs;
    },
    async pause(signal) {
      await waits.wait("pause", ms, signal);
      ms = Math.min(2 * ms, longestMs);
    },
  };
}
