// Leases: when the workers of jobs were last heard of. Kept in memory on purpose: a service that has just
// started has heard of nobody, so it gives every worker a whole lease before it calls it lost.

import type { Job } from "./job.ts";
import type { Clock } from "./ports/clock.ts";

/** Tells which workers are still there. */
export interface Leases {
  /** The worker of this run of the job was heard of just now. */
  hear(job: Pick<Job, "id" | "attempt">): void;
  /** For how many milliseconds nothing was heard of the worker of this run; 0 when asked for the first time. */
  silence(job: Pick<Job, "id" | "attempt">): number;
  /** The job is over. */
  forget(jobId: string): void;
}

/** Leases by `clock`. */
export function leases(clock: Clock): Leases {
  const heard = new Map<string, { readonly attempt: number; readonly at: number }>();
  const hear = (job: Pick<Job, "id" | "attempt">) => {
    heard.set(job.id, { attempt: job.attempt, at: clock.now() });
  };
  return {
    hear,
    silence(job) {
      const last = heard.get(job.id);
      // A clock that was set back would keep a dead worker alive until it comes round again.
      if (last === undefined || last.attempt !== job.attempt || last.at > clock.now()) {
        hear(job);
        return 0;
      }
      return clock.now() - last.at;
    },
    forget(jobId) {
      heard.delete(jobId);
    },
  };
}
