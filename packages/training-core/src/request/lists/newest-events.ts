// A job's events, newest first, for people who follow it.

import { bad, ok, type Result } from "@assay/base";
import type { JobEvent } from "../../job/job-event.ts";
import type { TrainingContext } from "../../state/context.ts";
import { expireIfLost } from "../../worker/expire-jobs.ts";
import type { Page } from "./page.ts";
import type { EventQuery } from "./read-events.ts";

/** An event, with the number of steps when it was written. */
export interface NumberedEvent {
  /** The event. */
  readonly event: JobEvent;
  /** The number of steps up to and including it. */
  readonly step: number;
}

/**
 * A page of all of a job's events, newest first. It also detects lost workers. Issues: `job_not_found`; `after` for an
 * event that this job does not have.
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
  // Nearly all events of a job are steps: the others are few, and their positions reveal how many steps came before.
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

/** Far more than a job's attempts and warnings. */
const MOST_OTHERS = 10_000;
