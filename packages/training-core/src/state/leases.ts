// Leases: for how long the workers of jobs have been silent. Kept in memory on purpose: a service that has just
// started has heard of no worker, so it gives each one a whole lease before it calls it lost.

import type { Job } from "../job/job.ts";
import type { Clock } from "../ports/clock.ts";

/** Tells which workers are still there. */
export interface Leases {
  /** The worker of this run of the job was heard of just now. */
  hear(job: Pick<Job, "id" | "attempt">): void;
  /**
   * For how many milliseconds nothing was heard of the worker of this run, as far as can be told: 0 when asked
   * for the first time, and at most `mostMs` more each time that is asked again.
   */
  silence(job: Pick<Job, "id" | "attempt">): number;
  /** The job is over. */
  forget(jobId: string): void;
}

/**
 * Leases by `clock`. Only `mostMs` are counted between two looks, however far the clock went: a service that was
 * itself suspended or busy, or whose clock was set, cannot tell who was silent meanwhile.
 */
export function leases(clock: Clock, mostMs: number): Leases {
  const known = new Map<
    string,
    { readonly attempt: number; readonly silent: number; readonly asked: number }
  >();
  const hear = ({ id, attempt }: Pick<Job, "id" | "attempt">) => {
    known.set(id, { attempt, silent: 0, asked: clock.now() });
  };
  return {
    hear,
    silence(job) {
      const last = known.get(job.id);
      if (last === undefined || last.attempt !== job.attempt) {
        hear(job);
        return 0;
      }
      const asked = clock.now();
      const silent = last.silent + Math.min(Math.max(asked - last.asked, 0), mostMs);
      known.set(job.id, { attempt: job.attempt, silent, asked });
      return silent;
    },
    forget(jobId) {
      known.delete(jobId);
    },
  };
}
