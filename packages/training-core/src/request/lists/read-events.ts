// Reads a job's events page by page, and waits for new ones.

import { bad, ok, type Result } from "@assay/base";
import { hasEnded, type Job } from "../../job/job.ts";
import { type JobEvent, PUBLIC_EVENT_TYPES } from "../../job/job-event.ts";
import { linkedController } from "../../linked-controller.ts";
import type { TrainingContext } from "../../state/context.ts";
import { expireIfLost } from "../../worker/expire-jobs.ts";
import type { Page } from "./page.ts";

/** Which events to read. */
export interface EventQuery {
  /** The ID of the last known event; from the start if absent. */
  readonly after?: string;
  /** The most events to read. */
  readonly limit: number;
  /** Whether to include the service's own events. */
  readonly all?: boolean;
}

/**
 * A page of the job's events, oldest first. It also detects a lost worker, so that polling always ends. Issues:
 * `job_not_found`; `after` for an event that this job does not have.
 */
export async function readEvents(
  training: TrainingContext,
  jobId: string,
  { after, limit, all = false }: EventQuery,
): Promise<Result<Page<JobEvent>>> {
  const job = await training.store.job(jobId);
  if (job === undefined) return bad([{ code: "job_not_found", path: [], message: "there is no such job" }]);
  await expireIfLost(training, job);
  const last = after === undefined ? undefined : await training.store.event(jobId, after);
  if (after !== undefined && last === undefined) {
    return bad([{ code: "after", path: ["after"], message: `the job has no event ${after.slice(0, 64)}` }]);
  }
  const types = all ? {} : { types: PUBLIC_EVENT_TYPES };
  const items = await training.store.events(jobId, { afterSeq: last?.seq ?? 0, limit: limit + 1, ...types });
  return ok({ items: items.slice(0, limit), hasMore: items.length > limit });
}

/**
 * Like `readEvents`, but waits if there are no new events: until one arrives, the job has ended, `waitMs` have passed
 * or `signal` is aborted.
 */
export async function awaitEvents(
  training: TrainingContext,
  jobId: string,
  query: EventQuery,
  waitMs: number,
  signal: AbortSignal,
): Promise<Result<Page<JobEvent>>> {
  const { clock, changes, policy } = training;
  const end = clock.now() + waitMs;
  for (;;) {
    // Listening starts before reading, so that no event written in between is missed.
    const listening = linkedController(signal);
    // Woken regularly in any case, because only reading detects a lost worker.
    const left = Math.min(Math.max(end - clock.now(), 0), policy.leaseMs);
    const rang = changes.wait(jobId, left, listening.signal);
    try {
      const page = await readEvents(training, jobId, query);
      if (!page.ok || page.value.items.length > 0 || signal.aborted || clock.now() >= end) return page;
      if (hasEnded(((await training.store.job(jobId)) as Job).state))
        return await readEvents(training, jobId, query);
      await rang;
    } finally {
      listening.abort();
    }
  }
}
