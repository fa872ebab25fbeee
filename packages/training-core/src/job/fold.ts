// The fold: computes a job from its events. The meaning of every event is defined here.

import type { Job } from "./job.ts";
import type { JobEvent } from "./job-event.ts";

/** The job after `event`; a job is undefined before its first event. Apply events in order, each once. */
export function applyEvent(job: Job | undefined, event: JobEvent): Job {
  if (event.seq !== (job?.version ?? 0) + 1)
    throw new Error(`event ${event.seq} of job ${event.jobId} is out of order`);
  if (job === undefined) {
    if (event.type !== "submitted") throw new Error(`a job starts with submitted, not ${event.type}`);
    return {
      ...event.data,
      id: event.jobId,
      version: 1,
      state: "queued",
      attempt: 0,
      steps: 0,
      createdAt: event.at,
      updatedAt: event.at,
    };
  }
  return { ...job, ...whatChanges(job, event), version: event.seq, updatedAt: event.at };
}

/** The job after `events`, starting with its first event. */
export function foldEvents(events: Iterable<JobEvent>): Job | undefined {
  let job: Job | undefined;
  for (const event of events) job = applyEvent(job, event);
  return job;
}

function whatChanges(job: Job, event: JobEvent): Partial<Job> {
  switch (event.type) {
    case "submitted":
      throw new Error(`job ${job.id} is submitted twice`);
    case "claimed":
      return { state: "starting", ...event.data, startedAt: job.startedAt ?? event.at };
    case "training_started":
      return {
        state: "running",
        plan: { sequences: event.data.num_sequences, resumable: event.data.resumable },
      };
    case "resumed":
      return { state: "running" };
    case "gradient_step":
      return { steps: job.steps + 1 };
    case "warning":
      return { warnings: [...(job.warnings ?? []), event.data] };
    case "trained":
      return { state: "finalizing", trained: event.data };
    case "training_ended":
      return {
        state: "succeeded",
        checkpoint: { id: event.data.checkpoint_id, step: event.data.step },
        finishedAt: event.at,
      };
    case "requeued":
      return {
        state: "queued",
        ...(event.data.planned === true && { maxAttempts: job.maxAttempts + 1 }),
      };
    case "cancel_requested":
      return { cancelRequestedAt: event.at };
    case "training_failed":
      return {
        state: event.data.code === "cancelled" ? "cancelled" : "failed",
        error: { code: event.data.code, message: event.data.error_message },
        finishedAt: event.at,
      };
  }
}
