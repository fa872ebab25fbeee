// Changes a job: loads it, calls the state machine, and writes the result; repeats all of this after a concurrent
// write.

import { untilWritten } from "@assay/base/internal";
import { hasEnded, isActive, type Job } from "../job/job.ts";
import type { JobEvent, JobFact } from "../job/job-event.ts";
import { type JobCommand, record, transition, type Verdict } from "../job/transition.ts";
import type { Model } from "../model/model.ts";
import type { Change } from "../ports/training-store.ts";
import { stopOf, WORK } from "./change-notifier.ts";
import type { TrainingContext } from "./context.ts";
import { tidyUp } from "./remove-unused.ts";

/** Writes `change` and wakes its waiters. Resolves to whether it was written. */
export async function write(training: TrainingContext, change: Omit<Change, "at">): Promise<boolean> {
  if (!(await training.store.commit({ ...change, at: training.clock.now() }))) return false;
  for (const { job } of change.jobs ?? []) {
    const ended = hasEnded(job.state);
    if (ended) training.leases.forget(job.id);
    if (ended || job.state === "queued") training.changes.notify(WORK);
    if (ended || job.cancelRequestedAt !== undefined) training.changes.notify(stopOf(job.id));
    training.changes.notify(job.id);
  }
  for (const { job } of change.jobs ?? []) if (hasEnded(job.state)) await tidyUp(training, job);
  return true;
}

/** A job before and after facts were added to it, with the required change of its model. */
export interface Advance {
  readonly job: Job;
  readonly events: readonly JobEvent[];
  /** The model, if it must change as well. */
  readonly model: Model | undefined;
}

/** The change that adds `facts` to `job`: the job's events and, if it takes or releases its model, the model. */
export function advance(
  training: TrainingContext,
  before: Job,
  model: Model,
  facts: readonly JobFact[],
): Advance {
  const { job, events } = record(before, facts, training.clock.now(), training.ids.next);
  const took = !isActive(before.state) && isActive(job.state);
  const left = isActive(before.state) && !isActive(job.state);
  const { activeJob: _, ...rest } = model;
  const version = model.version + 1;
  if (took) return { job, events, model: { ...rest, version, activeJob: job.id } };
  return { job, events, model: left ? { ...rest, version } : undefined };
}

/** The model of a job. A job without one is our own bug. */
export async function modelOf(training: TrainingContext, job: Job): Promise<Model> {
  const model = await training.store.model(job.modelId);
  if (model === undefined) throw new Error(`job ${job.id} has no model`);
  return model;
}

/**
 * Applies `command` to the job, after earlier commands. Resolves to its result, or to undefined if the job does not
 * exist.
 */
export async function command(
  training: TrainingContext,
  jobId: string,
  asked: JobCommand,
): Promise<{ readonly verdict: Verdict; readonly job: Job } | undefined> {
  if ((await training.store.job(jobId)) === undefined) return undefined;
  const attempt = async () => {
    const before = await training.store.job(jobId);
    if (before === undefined) throw new Error(`job ${jobId} is gone`);
    const { verdict, facts } = transition(before, asked);
    if (facts.length === 0) return { verdict, job: before };
    const { job, events, model } = advance(training, before, await modelOf(training, before), facts);
    const change = { jobs: [{ job, events }], ...(model && { model }) };
    return (await write(training, change)) ? { verdict, job } : undefined;
  };
  return training.turns.run(jobId, () => untilWritten(attempt));
}
