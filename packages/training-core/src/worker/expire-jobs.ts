// Reaping: no job waits for ever for a worker that is gone, for a worker at all, or for its checkpoint.

import { ACTIVE, hasEnded, isActive, type Job, UNFINISHED } from "../job/job.ts";
import { command } from "../state/change-job.ts";
import type { Training } from "../state/context.ts";
import { claim } from "./claim.ts";
import { settle } from "./settle.ts";

/** How many jobs are looked at together. */
const PAGE = 100;

/** Looks after every job that has not ended. Meant to be called every few seconds, and once at the start. */
export async function reap(training: Training): Promise<void> {
  let after: Job | undefined;
  do {
    const page: readonly Job[] = await training.store.jobs({
      statuses: UNFINISHED,
      order: "asc",
      limit: PAGE,
      ...(after && { after }),
    });
    for (const job of page) await look(training, job);
    after = page.at(-1);
  } while (after !== undefined);
  // Jobs with nothing to train on do not wait for a worker that would take them.
  await claim(training, { worker: "service", accepts: () => false });
}

/** Looks after one job, so that whoever asks for it sees that it is lost, even if nobody reaps. Resolves to the job. */
export async function look(training: Training, job: Job): Promise<Job> {
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
  if (job.state === "finalizing") return settle(training, job.id);
  return jobOf(await command(training, job.id, { type: "lost", attempt: job.attempt }), job);
}

/**
 * Takes up what a service left behind when it ended: the jobs that its own workers (those named `worker`) had
 * are lost at once, and trained ones get their checkpoints. Workers elsewhere keep their jobs.
 */
export async function recover(training: Training, worker: string): Promise<void> {
  for (let after: Job | undefined; ; ) {
    const page: readonly Job[] = await training.store.jobs({
      statuses: ACTIVE,
      order: "asc",
      limit: PAGE,
      ...(after && { after }),
    });
    for (const job of page) {
      if (job.state === "finalizing") await settle(training, job.id);
      else if (job.worker === worker) await command(training, job.id, { type: "lost", attempt: job.attempt });
    }
    after = page.at(-1);
    if (after === undefined) return;
  }
}

function jobOf(answer: { readonly job: Job } | undefined, before: Job): Job {
  return answer?.job ?? before;
}
