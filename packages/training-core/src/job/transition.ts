// The state machine: the effect of a command on a job. Total: every command has a result in every state, and none
// throws. Uses no clock, store or trainer.

import { applyEvent } from "./fold.ts";
import { hasEnded, type Job } from "./job.ts";
import type { JobEvent, JobFact } from "./job-event.ts";
import type { ArtifactFile, WorkerMessage } from "./worker-message.ts";

/** A command to a job. `attempt` is the run that a worker reports for. */
export type JobCommand =
  | {
      readonly type: "claim";
      readonly worker: string;
      readonly parent: { readonly step: number; readonly files: readonly ArtifactFile[] };
    }
  | { readonly type: "tell"; readonly attempt: number; readonly message: WorkerMessage }
  /** The worker stopped before the end, because it was told to or is shutting down: not the job's fault. */
  | { readonly type: "stopped"; readonly attempt: number }
  /** The worker sent nothing for too long. */
  | { readonly type: "lost"; readonly attempt: number }
  /** The files were verified, and the checkpoint is written together with this command's events. */
  | { readonly type: "commit"; readonly checkpointId: string; readonly step: number }
  | { readonly type: "cancel" }
  /** The service itself gives the job up because of a deadline, missing files or a deleted model. */
  | { readonly type: "give_up"; readonly code: string; readonly message: string };

/**
 * The result of a command: `applied`; `already` (it was done before and changes nothing); `owner_lost` (its run is
 * over); `out_of_order` (another message must come first); `invalid_state` (impossible in the job's state).
 */
export type Verdict = "applied" | "already" | "owner_lost" | "out_of_order" | "invalid_state";

/** A command's verdict, and the facts that become events. Only `applied` has facts. */
export interface Decision {
  /** The result of the command. */
  readonly verdict: Verdict;
  /** The facts to write together. */
  readonly facts: readonly JobFact[];
}

/** The effect of `command` on `job`. */
export function transition(job: Job, command: JobCommand): Decision {
  if (hasEnded(job.state)) return afterEnd(job, command);
  switch (command.type) {
    case "claim":
      return job.state === "queued" ? claimed(job, command) : INVALID;
    case "tell":
      return owns(job, command.attempt) ? applyMessage(job, command.message) : OWNER_LOST;
    case "stopped":
      return owns(job, command.attempt)
        ? unfinished(job, { code: "worker_stopped", message: "the worker stopped", planned: true })
        : OWNER_LOST;
    case "lost":
      return owns(job, command.attempt)
        ? unfinished(job, { code: "worker_lost", message: "the worker was lost" })
        : OWNER_LOST;
    case "commit":
      if (job.state !== "finalizing") return INVALID;
      return applied({
        type: "training_ended",
        data: { checkpoint_id: command.checkpointId, step: command.step },
      });
    case "cancel":
      // A queued job has no worker, and a finalizing one is trained: there is nothing to wait for.
      if (job.state === "queued" || job.state === "finalizing") return applied(CANCELLED);
      return job.cancelRequestedAt === undefined ? applied({ type: "cancel_requested", data: {} }) : ALREADY;
    case "give_up":
      // The client was promised its cancellation.
      return applied(
        job.cancelRequestedAt === undefined ? failure(command.code, command.message) : CANCELLED,
      );
  }
}

/** The events that `facts` become at the time `at`, and the job after them. */
export function record(
  job: Job,
  facts: readonly JobFact[],
  at: number,
  newId: () => string,
): { readonly job: Job; readonly events: readonly JobEvent[] } {
  const events: JobEvent[] = [];
  for (const fact of facts) {
    // The clock may have been set back; the order of events must not change.
    const event = {
      ...fact,
      id: newId(),
      jobId: job.id,
      seq: job.version + 1,
      at: Math.max(at, job.updatedAt),
    };
    events.push(event);
    job = applyEvent(job, event);
  }
  return { job, events };
}

const ALREADY: Decision = { verdict: "already", facts: [] };
const OWNER_LOST: Decision = { verdict: "owner_lost", facts: [] };
const OUT_OF_ORDER: Decision = { verdict: "out_of_order", facts: [] };
const INVALID: Decision = { verdict: "invalid_state", facts: [] };
const HEARD: Decision = { verdict: "applied", facts: [] };

const CANCELLED: JobFact = failure("cancelled", "Training job was cancelled");

function applied(...facts: readonly JobFact[]): Decision {
  return { verdict: "applied", facts };
}

function failure(code: string, message: string): JobFact {
  return { type: "training_failed", data: { code, error_message: message } };
}

/** Whether the run `attempt` still owns the job. A queued job belongs to no run. */
function owns(job: Job, attempt: number): boolean {
  return job.state !== "queued" && job.attempt === attempt;
}

/** Tells the worker of an ended job that the job is over, unless the worker only repeats an earlier message. */
function afterEnd(job: Job, command: JobCommand): Decision {
  switch (command.type) {
    case "tell":
    case "stopped":
    case "lost":
      return command.attempt === job.attempt && job.state === "succeeded" ? ALREADY : OWNER_LOST;
    case "cancel":
      return job.state === "cancelled" ? ALREADY : INVALID;
    case "commit":
      return job.checkpoint?.id === command.checkpointId ? ALREADY : INVALID;
    default:
      return INVALID;
  }
}

function claimed(job: Job, { worker, parent }: JobCommand & { type: "claim" }): Decision {
  return applied({ type: "claimed", data: { worker, attempt: job.attempt + 1, parent } });
}

function applyMessage(job: Job, message: WorkerMessage): Decision {
  // A worker that reported `done` has nothing left to report.
  if (job.state === "finalizing") return message.type === "failed" ? INVALID : ALREADY;
  switch (message.type) {
    case "heartbeat":
      return HEARD;
    case "started":
      return started(job, message);
    case "step":
      return stepped(job, message);
    case "warning":
      return warned(job, message);
    case "done":
      return done(job, message);
    case "failed": {
      const { code = "trainer_failed", message: text, retryable = false } = message;
      return retryable || job.cancelRequestedAt !== undefined
        ? unfinished(job, { code, message: text })
        : applied(failure(named(code), text));
    }
  }
}

function started(job: Job, message: WorkerMessage & { type: "started" }): Decision {
  const { num_sequences, resumable = false } = message;
  if (job.state === "running") return job.plan?.sequences === num_sequences ? ALREADY : INVALID;
  if (job.plan === undefined)
    return applied({ type: "training_started", data: { num_sequences, resumable } });
  if (job.plan.sequences === num_sequences) return applied({ type: "resumed", data: {} });
  // Clients were promised a number of steps; a run with another number cannot continue from there.
  const text = `the job ran again with ${num_sequences} steps instead of ${job.plan.sequences}`;
  return applied(failure("not_reproducible", text));
}

function stepped(job: Job, { step, metrics }: WorkerMessage & { type: "step" }): Decision {
  if (job.state !== "running" || job.plan === undefined) return OUT_OF_ORDER;
  if (step <= job.steps) return ALREADY;
  if (step > job.plan.sequences) return INVALID;
  return step === job.steps + 1 ? applied({ type: "gradient_step", data: metrics }) : OUT_OF_ORDER;
}

/** The most kinds of warnings that a job keeps. */
const MOST_WARNINGS = 20;

/** A repeated run repeats its warnings. */
function warned(job: Job, { code, message, count = 1 }: WorkerMessage & { type: "warning" }): Decision {
  const { warnings = [] } = job;
  if (warnings.length >= MOST_WARNINGS || warnings.some((known) => known.code === code)) return ALREADY;
  return applied({ type: "warning", data: { code, message, count } });
}

function done(job: Job, { files = [], metrics = {} }: WorkerMessage & { type: "done" }): Decision {
  if (job.state !== "running" || job.steps !== job.plan?.sequences) return OUT_OF_ORDER;
  if (job.cancelRequestedAt !== undefined) return applied(CANCELLED);
  if (files.length === 0 && job.steps > 0) return applied(failure("no_files", "the trainer left no files"));
  return applied({ type: "trained", data: { files, metrics } });
}

/** Why a run ended without a result. */
interface Interruption {
  readonly code: string;
  readonly message: string;
  /** Whether its worker was told to stop. */
  readonly planned?: true;
}

/**
 * A run ended without a result. It is repeated if clients cannot notice it (nothing was announced yet, or the trainer
 * can resume) and attempts are left. A planned stop takes none, and needs no bound: each has an operator or a deletion
 * behind it, and the job's deadline stays.
 */
function unfinished(job: Job, { message, ...why }: Interruption): Decision {
  if (job.state === "finalizing") return ALREADY;
  if (job.cancelRequestedAt !== undefined) return applied(CANCELLED);
  const code = named(why.code);
  if (job.plan?.resumable === false)
    return applied(failure(code, `${message}, and the trainer cannot resume`));
  if (why.planned || job.attempt < job.maxAttempts)
    return applied({ type: "requeued", data: { ...why, error_message: message } });
  return applied(failure(code, `${message}, after ${job.attempt} of ${job.maxAttempts} attempts`));
}

/** A worker's own code. `cancelled` is replaced, because no client requested it. */
function named(code: string): string {
  return code === "cancelled" ? "trainer_failed" : code;
}
