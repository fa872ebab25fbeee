// The bell: how those who wait for a change learn that there is one, without asking all the time.

import type { Clock } from "../ports/clock.ts";

/** Wakes those who wait, within this process. */
export interface Bell {
  /** Wakes all who wait for `topic`. */
  ring(topic: string): void;
  /** Resolves when `topic` rings, `ms` milliseconds have passed or `signal` is aborted; to whether it rang. */
  heard(topic: string, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** A bell that counts its waits by `clock`. */
export function bell(clock: Clock): Bell {
  const waiting = new Map<string, Set<() => void>>();
  return {
    ring(topic) {
      for (const wake of [...(waiting.get(topic) ?? [])]) wake();
    },
    heard(topic, ms, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(false);
        const end = (rang: boolean) => {
          stopTimer();
          signal.removeEventListener("abort", onAbort);
          sleepers.delete(onRing);
          if (sleepers.size === 0 && waiting.get(topic) === sleepers) waiting.delete(topic);
          resolve(rang);
        };
        const onRing = () => end(true);
        const onAbort = () => end(false);
        const sleepers = waiting.get(topic) ?? new Set();
        waiting.set(topic, sleepers.add(onRing));
        signal.addEventListener("abort", onAbort, { once: true });
        const stopTimer = clock.after(ms, () => end(false));
      });
    },
  };
}

/** The topic that rings when there may be a job to take. */
export const WORK = "work";

/** The topic that rings when the worker of this job should stop. (A job's id is the topic of all its events.) */
export function stopOf(jobId: string): string {
  return `stop ${jobId}`;
}
