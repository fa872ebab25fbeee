// Claims jobs: a worker takes the next job it can train.

import type { Job } from "../job/job.ts";
import { transition } from "../job/transition.ts";
import { linkedController } from "../linked-controller.ts";
import type { Model } from "../model/model.ts";
import type { TrainingKind, TrainingTask } from "../ports/trainer.ts";
import { advance, command, modelOf, write } from "../state/change-job.ts";
import { WORK } from "../state/change-notifier.ts";
import type { TrainingContext } from "../state/context.ts";
import { commitCheckpoint } from "./commit-checkpoint.ts";

/** The worker that takes jobs, and which jobs it takes. */
export interface Claimant {
  /** Its name. Workers of one kind in one process share a name, and are lost together. */
  readonly worker: string;
  /** Whether it can and may train this. */
  readonly accepts: (work: TrainingKind, model: Model) => boolean;
}

/** How many waiting jobs are checked for a suitable one. */
const MOST_LOOKED_AT = 1000;

/**
 * Takes the oldest waiting job that the claimant accepts, or resolves to undefined if there is none. Jobs with nothing
 * to train on are completed on the way: they need no worker.
 */
export async function claim(
  training: TrainingContext,
  claimant: Claimant,
): Promise<TrainingTask | undefined> {
  for (const waiting of await training.store.waiting(MOST_LOOKED_AT)) {
    const taken = await take(training, waiting, claimant);
    if (taken === undefined) continue;
    if (taken.job.trainable === 0) await carryThrough(training, taken.job);
    else {
      const task = await taskOf(training, taken.job, taken.model);
      if (task !== undefined) return task;
    }
  }
  return undefined;
}

/** Like `claim`, but waits if there is no job: at most `waitMs`, and until `signal` is aborted. */
export async function awaitTask(
  training: TrainingContext,
  claimant: Claimant,
  waitMs: number,
  signal: AbortSignal,
): Promise<TrainingTask | undefined> {
  const { clock, changes } = training;
  const end = clock.now() + waitMs;
  while (!signal.aborted) {
    // Listening starts before looking, so that no job queued in between is missed.
    const listening = linkedController(signal);
    const rang = changes.wait(WORK, Math.max(end - clock.now(), 0), listening.signal);
    try {
      const task = await claim(training, claimant);
      if (task !== undefined || clock.now() >= end) return task;
      await rang;
    } finally {
      listening.abort();
    }
  }
  return undefined;
}

/** The task of a claimed job; undefined if the job was ended meanwhile because its model was deleted. */
async function taskOf(training: TrainingContext, job: Job, model: Model): Promise<TrainingTask | undefined> {
  const spec = await training.store.spec(job.id);
  if (spec === undefined) return undefined;
  if (job.parent === undefined) throw new Error(`job ${job.id} was claimed without a parent`);
  return {
    job_id: job.id,
    attempt: job.attempt,
    steps_reported: job.steps,
    model: {
      id: model.id,
      entity: model.entity,
      project: model.project,
      name: model.name,
      base_model: model.baseModel,
    },
    parent: job.parent,
    spec,
  };
}

async function take(
  training: TrainingContext,
  waiting: Job,
  { worker, accepts }: Claimant,
): Promise<{ readonly job: Job; readonly model: Model } | undefined> {
  const before = await modelOf(training, waiting);
  const suits =
    waiting.trainable === 0 || accepts({ kind: waiting.kind, baseModel: before.baseModel }, before);
  if (!suits || before.deleted !== undefined || before.activeJob !== undefined) return undefined;
  const [newest] = await training.store.checkpoints(before.id, { order: "desc", limit: 1 });
  const parent = { step: newest?.step ?? 0, files: newest?.files ?? [] };
  const { facts } = transition(waiting, { type: "claim", worker, parent });
  if (facts.length === 0) return undefined;
  const { job, events, model = before } = advance(training, waiting, before, facts);
  // After a failure nothing is read again: another worker was faster, or the job is gone.
  if (!(await write(training, { model, jobs: [{ job, events }] }))) return undefined;
  training.leases.renew(job);
  return { job, model };
}

/** Completes a job with nothing to train on: it is announced and ended, and its checkpoint equals its parent. */
async function carryThrough(training: TrainingContext, job: Job): Promise<void> {
  const { attempt } = job;
  // Resumable, because a service that is interrupted here repeats it.
  const started = { type: "started", num_sequences: 0, resumable: true } as const;
  await command(training, job.id, { type: "tell", attempt, message: started });
  await command(training, job.id, { type: "tell", attempt, message: { type: "done" } });
  await commitCheckpoint(training, job.id);
}
