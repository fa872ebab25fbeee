// Leases: how long the workers of jobs have been silent. Deliberately kept in memory: a newly started service has heard
// of no worker, so it gives each a whole lease before it considers it lost.

import type { Job } from "../job/job.ts";
import type { Clock } from "../ports/clock.ts";

/** Tracks which workers are alive. */
export interface Leases {
  /** Records that the worker of this run of the job reported now. */
  renew(job: Pick<Job, "id" | "attempt">): void;
  /**
   * For how many milliseconds the worker of this run is known to have been silent: 0 on the first call, and at most
   * `mostMs` more with each further call.
   */
  silence(job: Pick<Job, "id" | "attempt">): number;
  /** Forgets an ended job. */
  forget(jobId: string): void;
}

/**
 * Leases measured with `clock`. At most `mostMs` are counted between two calls, however far the clock moved: a service
 * that was itself suspended or busy, or whose clock was set, cannot know who was silent meanwhile.
 */
export function leases(clock: Clock, mostMs: number): Leases {
  const known = new Map<
    string,
    { readonly attempt: number; readonly silent: number; readonly asked: number }
  >();
  const renew = ({ id, attempt }: Pick<Job, "id" | "attempt">) => {
    known.set(id, { attempt, silent: 0, asked: clock.now() });
  };
  return {
    renew,
    silence(job) {
      const last = known.get(job.id);
      if (last === undefined || last.attempt !== job.attempt) {
        renew(job);
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
