// Records the reports of a worker, local or remote, about its job.

import { isActive, type Job } from "../job/job.ts";
import type { Verdict } from "../job/transition.ts";
import type { WorkerMessage } from "../job/worker-message.ts";
import { command } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { commitCheckpoint } from "./commit-checkpoint.ts";

/** The reply to a worker's report. */
export interface Acknowledgement {
  /** The verdict on the report. */
  readonly verdict: Verdict;
  /** The current job. */
  readonly job: Job;
  /** Whether to stop: the job is being cancelled, or this worker no longer has it. */
  readonly stop: boolean;
}

/** A worker's report: a message of its trainer, or that it stopped early. */
export type WorkerReport = WorkerMessage | { readonly type: "stopped" };

/**
 * Records a report from the worker of run `attempt`. Messages may be repeated and arrive late: each takes effect once,
 * in order, or gets a verdict that explains why not. Resolves to undefined if the job does not exist.
 */
export async function report(
  training: TrainingContext,
  jobId: string,
  attempt: number,
  message: WorkerReport,
): Promise<Acknowledgement | undefined> {
  const asked =
    message.type === "stopped"
      ? ({ type: "stopped", attempt } as const)
      : ({ type: "tell", attempt, message } as const);
  const answer = await command(training, jobId, asked);
  if (answer === undefined) return undefined;
  if (answer.verdict !== "owner_lost" && isActive(answer.job.state)) training.leases.renew(answer.job);
  const job = answer.job.state === "finalizing" ? await commitCheckpoint(training, jobId) : answer.job;
  const stop =
    answer.verdict === "owner_lost" || (isActive(job.state) && job.cancelRequestedAt !== undefined);
  return { verdict: answer.verdict, job, stop };
}
