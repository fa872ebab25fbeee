// Reporting: what a worker says about the job it has, wherever it runs.

import { isActive, type Job } from "../job/job.ts";
import type { Verdict } from "../job/transition.ts";
import type { WorkerMessage } from "../ports/worker-message.ts";
import { command } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { settle } from "./settle.ts";

/** What a worker hears in return. */
export interface Acknowledgement {
  /** What became of what it said. */
  readonly verdict: Verdict;
  /** The job as it is now. */
  readonly job: Job;
  /** Whether to stop: the job is to be cancelled, or this worker no longer has it. */
  readonly stop: boolean;
}

/** What a worker says: a message of its trainer, or that it has stopped before the end. */
export type WorkerReport = WorkerMessage | { readonly type: "stopped" };

/**
 * Takes down what the worker of run `attempt` says. The same message may come twice and after a later one: each
 * has its effect once, in order, or a verdict that says why not. Resolves to undefined when there is no such job.
 */
export async function report(
  training: TrainingContext,
  jobId: string,
  attempt: number,
  said: WorkerReport,
): Promise<Acknowledgement | undefined> {
  const asked =
    said.type === "stopped"
      ? ({ type: "stopped", attempt } as const)
      : ({ type: "tell", attempt, message: said } as const);
  const answer = await command(training, jobId, asked);
  if (answer === undefined) return undefined;
  if (answer.verdict !== "owner_lost" && isActive(answer.job.state)) training.leases.hear(answer.job);
  const job = answer.job.state === "finalizing" ? await settle(training, jobId) : answer.job;
  const stop =
    answer.verdict === "owner_lost" || (isActive(job.state) && job.cancelRequestedAt !== undefined);
  return { verdict: answer.verdict, job, stop };
}
