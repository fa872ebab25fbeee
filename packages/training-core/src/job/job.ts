// Job: the state of a training job, computed from its events. Only transition.ts changes jobs.

import type { FineTuning } from "./fine-tuning.ts";
import type { TrainingSpec } from "./training-spec.ts";
import type { ArtifactFile, Metrics } from "./worker-message.ts";

/**
 * The state of a job: `queued` → `starting` (a worker has it) → `running` (steps are reported) → `finalizing`
 * (trained, checkpoint not yet written) → one of `succeeded`, `failed`, `cancelled`, which are final.
 */
export type JobState =
  | "queued"
  | "starting"
  | "running"
  | "finalizing"
  | "succeeded"
  | "failed"
  | "cancelled";

/** A trajectory that cannot be trained on. */
export interface Skipped {
  /** The index of its group. */
  readonly group: number;
  /** Its index in the group. */
  readonly trajectory: number;
  /** The reason. */
  readonly reason: SkipReason;
}

/**
 * `no_choice` (nothing in it was sampled), `no_logprobs` (sampled without log-probabilities), `no_tokens` (every
 * sampled answer is empty), `no_advantage` (all trajectories of its group have the same reward), `overlength` (more
 * sampled tokens than `packed_sequence_length`).
 */
export type SkipReason = "no_choice" | "no_logprobs" | "no_tokens" | "no_advantage" | "overlength";

/** A new job. */
export interface JobOrigin {
  /** The model to train. */
  readonly modelId: string;
  /** 1 for the model's first job, then one more for each. The jobs of a model run in this order. */
  readonly number: number;
  /** Reinforcement learning, or supervised fine-tuning. */
  readonly kind: TrainingSpec["kind"];
  /** The number of trajectories or rows. */
  readonly size: number;
  /** How many of them can be trained on. If none, the job succeeds without a trainer. */
  readonly trainable: number;
  /** The first ones that cannot, with reasons. */
  readonly skipped: readonly Skipped[];
  /** How often it may be run. Each planned stop of its worker, such as a server's shutdown, adds one. */
  readonly maxAttempts: number;
  /** The source of a fine-tuning job's conversations, and the SHA-256 of the data. */
  readonly data?: { readonly url: string; readonly sha256: string };
  /** The request, if it came through OpenAI's interface. */
  readonly fineTuning?: FineTuning;
}

/** A warning about a job's result that is not a failure. */
export interface JobWarning {
  /** The kind, such as `rows_cut`. */
  readonly code: string;
  /** The warning as a sentence. */
  readonly message: string;
  /** The number of rows, trajectories or steps it is about. */
  readonly count: number;
}

/** A training job: the fold of its events. Times are milliseconds since 1970 and never decrease along a job. */
export interface Job extends JobOrigin {
  /** UUID. */
  readonly id: string;
  /** The number of its events. */
  readonly version: number;
  /** Its state. */
  readonly state: JobState;
  /** How often a worker has taken it; also the fencing epoch that this worker's messages must carry. */
  readonly attempt: number;
  /** The worker that took it last. */
  readonly worker?: string;
  /** The checkpoint that its last run starts from. */
  readonly parent?: { readonly step: number; readonly files: readonly ArtifactFile[] };
  /** The plan that the trainer announced. */
  readonly plan?: { readonly sequences: number; readonly resumable: boolean };
  /** The number of reported steps. */
  readonly steps: number;
  /** The trainer's warnings, the first of each code. Absent if there are none. */
  readonly warnings?: readonly JobWarning[];
  /** The files that the trainer made. */
  readonly trained?: { readonly files: readonly ArtifactFile[]; readonly metrics: Metrics };
  /** The checkpoint it became. */
  readonly checkpoint?: { readonly id: string; readonly step: number };
  /** Why it failed or was cancelled. */
  readonly error?: { readonly code: string; readonly message: string };
  /** When cancellation was requested. It is cancelled once its worker has stopped. */
  readonly cancelRequestedAt?: number;
  /** When it was submitted. */
  readonly createdAt: number;
  /** When it was first taken. */
  readonly startedAt?: number;
  /** When it ended. */
  readonly finishedAt?: number;
  /** When its last event was written. */
  readonly updatedAt: number;
}

/** The status of a job, as shown and searched: `cancelling` from the request to cancel it until it has ended. */
export type JobStatus = JobState | "cancelling";

/** The status that a job has. */
export function statusOf({ state, cancelRequestedAt }: Pick<Job, "state" | "cancelRequestedAt">): JobStatus {
  return cancelRequestedAt !== undefined && !hasEnded(state) ? "cancelling" : state;
}

/** The statuses of a job that a worker holds. */
export const ACTIVE: readonly JobStatus[] = ["starting", "running", "finalizing", "cancelling"];

/** The statuses of a job that has not ended. */
export const UNFINISHED: readonly JobStatus[] = ["queued", ...ACTIVE];

/** All statuses, in the order in which a job passes through them. */
export const JOB_STATUSES: readonly JobStatus[] = [...UNFINISHED, "succeeded", "failed", "cancelled"];

/** Whether a job in this state occupies its model. */
export function isActive(state: JobState): boolean {
  return ACTIVE.includes(state);
}

/** Whether a job in this state has ended and never changes again. */
export function hasEnded(state: JobState): boolean {
  return !UNFINISHED.includes(state);
}
