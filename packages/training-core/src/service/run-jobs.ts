// Runs jobs: claims them, passes them to a trainer, and reports progress. Together with `superviseTask`, this is where
// pure code meets effects; no branch depends on a job's content.

import type { Trainer, TrainingTask } from "../ports/trainer.ts";
import { WORK } from "../state/change-notifier.ts";
import type { TrainingContext } from "../state/context.ts";
import { awaitTask } from "../worker/claim.ts";
import { expireLostJobs, recoverJobs } from "../worker/expire-jobs.ts";
import { report, type WorkerReport } from "../worker/report.ts";
import { superviseTask } from "./supervise-task.ts";

/** How to run jobs in this process. */
export interface RunJobsOptions {
  /** The trainer. */
  readonly trainer: Trainer;
  /**
   * The name under which to take jobs, unique to the service. Jobs from an earlier start count as lost. Default
   * `local`.
   */
  readonly worker?: string;
  /** How many jobs to train concurrently, each of a different model. Default 1. */
  readonly slots?: number;
  /** How many milliseconds a trainer may take to stop before it is abandoned. Default 10,000. */
  readonly graceMs?: number | undefined;
  /** How many milliseconds a job may go without a new event before it fails. Default 30 minutes. */
  readonly stallMs?: number | undefined;
  /** Called with internal errors, which are not shown to clients. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Runs until `signal` is aborted, then stops its trainers, returns their jobs to the queue and resolves. It resumes
 * jobs that an earlier run left unfinished, trains queued jobs and ends expired ones everywhere. When the storage
 * fails, it calls `onError` and tries again.
 */
export async function runJobs(
  training: TrainingContext,
  options: RunJobsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { trainer, slots = 1, worker = "local", onError = () => {} } = options;
  const { changes, policy } = training;
  let recovered = false;

  const keeping = (async () => {
    while (!signal.aborted) {
      try {
        if (!recovered) {
          await recoverJobs(training, worker);
          recovered = true;
          changes.notify(WORK);
        }
        await expireLostJobs(training);
      } catch (error) {
        onError(error);
      }
      await pause(training, policy.heartbeatMs, signal);
    }
  })();

  const accepts = trainer.accepts.bind(trainer);
  const working = Array.from({ length: slots }, async () => {
    // A signal for each slot, because Node warns of a leak at more than ten listeners.
    const stop = AbortSignal.any([signal]);
    while (!stop.aborted) {
      try {
        if (recovered) {
          const task = await awaitTask(training, { worker, accepts }, policy.heartbeatMs, stop);
          if (task !== undefined) await train(training, options, task, stop);
        } else await changes.wait(WORK, policy.heartbeatMs, stop);
      } catch (error) {
        onError(error);
        await pause(training, policy.heartbeatMs, stop);
      }
    }
  });
  await Promise.all([keeping, ...working]);
}

/** Trains one task until it ends or must stop. Throws only what the store throws. */
async function train(
  training: TrainingContext,
  { trainer, graceMs, stallMs, onError }: RunJobsOptions,
  task: TrainingTask,
  signal: AbortSignal,
): Promise<void> {
  const { clock, changes, policy } = training;
  const tell = async (message: WorkerReport) => {
    const reply = await report(training, task.job_id, task.attempt, message);
    if (reply === undefined) return undefined;
    const { verdict, stop, job } = reply;
    return { verdict, stop, state: job.state, steps: job.steps };
  };
  const { heartbeatMs } = policy;
  await superviseTask(
    { trainer, task, tell, clock, changes, heartbeatMs, graceMs, stallMs, onError },
    signal,
  );
}

async function pause(training: TrainingContext, ms: number, signal: AbortSignal): Promise<void> {
  await training.changes.wait("pause", ms, signal);
}
