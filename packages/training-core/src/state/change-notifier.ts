// Change notification within a process, instead of polling.

import type { Clock } from "../ports/clock.ts";

/** Wakes waiters for a topic within this process. */
export interface ChangeNotifier {
  /** Wakes all waiters for `topic`. */
  notify(topic: string): void;
  /**
   * Resolves when `topic` is notified, `ms` milliseconds have passed or `signal` is aborted; to whether it was
   * notified.
   */
  wait(topic: string, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** A notifier that measures waits with `clock`. */
export function changeNotifier(clock: Clock): ChangeNotifier {
  const waiting = new Map<string, Set<() => void>>();
  return {
    notify(topic) {
      for (const wake of [...(waiting.get(topic) ?? [])]) wake();
    },
    wait(topic, ms, signal) {
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

/** The topic of jobs that can be taken. */
export const WORK = "work";

/** The topic of a job whose worker should stop. (A job's ID is the topic of all its events.) */
export function stopOf(jobId: string): string {
  return `stop ${jobId}`;
}
