// Polls evaluations and sends changes until all have ended.

import type { EvaluationProgress, ProgressSource, WatchedProgress } from "./progress.ts";

/** How to watch. */
export interface WatchOptions {
  readonly project: string;
  readonly evaluations: readonly string[];
  /** Waits until the next poll; resolves to whether to continue. */
  readonly next: () => Promise<boolean>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** An update: the changes, or undefined if there were none for a while. */
export type ProgressUpdate = readonly WatchedProgress[] | undefined;

// The milliseconds over which a rate is computed, and after which something is sent: proxies cut silent streams.
const RATE = 10_000;
const SILENCE = 15_000;

/** Sends the state immediately, then the changes at each poll, and ends once every evaluation has. */
export async function* watchProgress(
  source: ProgressSource,
  options: WatchOptions,
): AsyncGenerator<ProgressUpdate> {
  const { project, evaluations, next, now } = options;
  const seen: { readonly at: number; readonly counts: readonly number[] }[] = [];
  let state: readonly EvaluationProgress[] = [];
  let [last, lastAt] = ["", 0];
  do {
    state = await source.progress(project, evaluations);
    const at = now();
    seen.push({ at, counts: state.map(({ trial_count }) => trial_count) });
    while (seen.length > 2 && at - seen[1]!.at >= RATE) seen.shift();
    const [first] = seen;
    const seconds = Math.max(1, (at - first!.at) / 1000);
    const watched = state.map((one, i) => {
      const rate = (one.trial_count - first!.counts[i]!) / seconds;
      return { ...one, trials_per_second: Math.max(0, Math.round(rate * 10) / 10) };
    });
    const text = JSON.stringify(watched);
    if (text !== last || at - lastAt >= SILENCE) {
      yield text === last ? undefined : watched;
      [last, lastAt] = [text, at];
    }
  } while (!state.every(({ ended_at }) => ended_at !== null) && (await next()));
}
