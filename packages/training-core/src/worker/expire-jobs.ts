// Expires jobs, so that none waits forever for a lost worker, for any worker, or for its checkpoint.

import { ACTIVE, hasEnded, isActive, type Job, UNFINISHED } from "../job/job.ts";
import { command } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { claim } from "./claim.ts";
import { commitCheckpoint } from "./commit-checkpoint.ts";

/** The number of jobs per page of a check. */
const PAGE = 100;

/** Ends every job whose lease or deadline has passed. Call it every few seconds, and once at the start. */
export async function expireLostJobs(training: TrainingContext): Promise<void> {
  let after: Job | undefined;
  do {
    const page: readonly Job[] = await training.store.jobs({
      statuses: UNFINISHED,
      order: "asc",
      limit: PAGE,
      ...(after && { after }),
    });
    for (const job of page) await expireIfLost(training, job);
    after = page.at(-1);
  } while (after !== undefined);
  // Jobs with nothing to train on need not wait for a worker.
  await claim(training, { worker: "service", accepts: () => false });
}

/** Ends the job if its lease or deadline has passed. Resolves to the current job. */
export async function expireIfLost(training: TrainingContext, job: Job): Promise<Job> {
  if (hasEnded(job.state)) return job;
  const { maxQueueMs, maxRunMs, leaseMs } = training.policy;
  const now = training.clock.now();
  const [since, most] = job.startedAt === undefined ? [job.createdAt, maxQueueMs] : [job.startedAt, maxRunMs];
  if (now - since > most) {
    const what = job.startedAt === undefined ? "waited for a worker" : "taken";
    const message = `the job has ${what} longer than ${Math.round(most / 1000)} seconds`;
    return jobOf(
      await command(training, job.id, { type: "give_up", code: "deadline_exceeded", message }),
      job,
    );
  }
  if (!isActive(job.state) || training.leases.silence(job) < leaseMs) return job;
  if (job.state === "finalizing") return commitCheckpoint(training, job.id);
  return jobOf(await command(training, job.id, { type: "lost", attempt: job.attempt }), job);
}

/**
 * Resumes jobs that an earlier service left unfinished: those of its own workers (named `worker`) count as lost
 * immediately, and trained ones get their checkpoints. Remote workers keep their jobs.
 */
export async function recoverJobs(training: TrainingContext, worker: string): Promise<void> {
  for (let after: Job | undefined; ; ) {
    const page: readonly Job[] = await training.store.jobs({
      statuses: ACTIVE,
      order: "asc",
      limit: PAGE,
      ...(after && { after }),
    });
    for (const job of page) {
      if (job.state === "finalizing") await commitCheckpoint(training, job.id);
      else if (job.worker === worker) await command(training, job.id, { type: "lost", attempt: job.attempt });
    }
    after = page.at(-1);
    if (after === undefined) return;
  }
}

function jobOf(answer: { readonly job: Job } | undefined, before: Job): Job {
  return answer?.job ?? before;
}
