// A job's events, newest first, as shown to people who follow it.

import { bad, ok, type Result } from "@assay/base";
import type { JobEvent } from "../job/job-event.ts";
import type { TrainingContext } from "../state/context.ts";
import { expireIfLost } from "../worker/expire-jobs.ts";
import type { Page } from "./page.ts";
import type { EventQuery } from "./read-events.ts";

/** An event, and how many steps there were when it was written, itself included. */
export interface NumberedEvent {
  /** The event. */
  readonly event: JobEvent;
  /** Steps up to and with it. */
  readonly step: number;
}

/**
 * A page of all of a job's events, newest first. Also a moment at which a lost worker is noticed. Issues:
 * `job_not_found`; `after` for an event that this job does not have.
 */
export async function newestEvents(
  training: TrainingContext,
  jobId: string,
  { after, limit }: Pick<EventQuery, "after" | "limit">,
): Promise<Result<Page<NumberedEvent>>> {
  const { store } = training;
  const found = await store.job(jobId);
  if (found === undefined) return bad([{ code: "job_not_found", path: [], message: "there is no such job" }]);
  const job = await expireIfLost(training, found);
  const last = after === undefined ? undefined : await store.event(jobId, after);
  if (after !== undefined && last === undefined)
    return bad([{ code: "after", path: ["after"], message: `the job has no event ${after.slice(0, 64)}` }]);
  const end = last?.seq ?? job.version + 1;
  const afterSeq = Math.max(0, end - 1 - limit);
  const events = await store.events(jobId, { afterSeq, limit: end - 1 - afterSeq });
  // Steps are nearly all that a job has: the others are few, and say by their places how many steps came before.
  const others = await store.events(jobId, { afterSeq: 0, types: NO_STEPS, limit: MOST_OTHERS });
  const items = events.map((event) => ({
    event,
    step: event.seq - others.filter(({ seq }) => seq <= event.seq).length,
  }));
  return ok({ items: items.reverse(), hasMore: afterSeq > 0 });
}

const NO_STEPS: readonly JobEvent["type"][] = [
  "submitted",
  "claimed",
  "training_started",
  "resumed",
  "warning",
  "trained",
  "training_ended",
  "requeued",
  "cancel_requested",
  "training_failed",
];

/** Far more than the attempts and warnings of a job come to. */
const MOST_OTHERS = 10_000;
