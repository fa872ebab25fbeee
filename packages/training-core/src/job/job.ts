// Job: what the events of a training job add up to. Nothing here changes a job: transition.ts does.

import type { ArtifactFile, Metrics } from "../ports/worker-message.ts";
import type { FineTuning } from "./fine-tuning.ts";
import type { TrainingSpec } from "./training-spec.ts";

/**
 * The state of a job: `queued` → `starting` (a worker has it) → `running` (steps come in) → `finalizing` (trained,
 * checkpoint not yet written) → one of `succeeded`, `failed`, `cancelled`, which are final.
 */
export type JobState =
  | "queued"
  | "starting"
  | "running"
  | "finalizing"
  | "succeeded"
  | "failed"
  | "cancelled";

/** Why a trajectory is not trained on. */
export interface Skipped {
  /** Index of its group. */
  readonly group: number;
  /** Its index in the group. */
  readonly trajectory: number;
  /** What stands in the way. */
  readonly reason: SkipReason;
}

/**
 * `no_choice` (nothing in it was sampled), `no_logprobs` (sampled without log-probabilities), `no_tokens` (every
 * sampled answer is empty), `no_advantage` (every trajectory of its group has the same reward), `overlength`
 * (more sampled tokens than `packed_sequence_length`).
 */
export type SkipReason = "no_choice" | "no_logprobs" | "no_tokens" | "no_advantage" | "overlength";

/** What a new job is. */
export interface JobOrigin {
  /** The model that it trains. */
  readonly modelId: string;
  /** 1 for the model's first job, then one more for each. A model's jobs run in this order. */
  readonly number: number;
  /** Reinforcement learning, or supervised fine-tuning. */
  readonly kind: TrainingSpec["kind"];
  /** How many trajectories or rows there are. */
  readonly size: number;
  /** How many of them can be trained on. With none, the job succeeds without a trainer. */
  readonly trainable: number;
  /** The first of those that cannot, and why. */
  readonly skipped: readonly Skipped[];
  /** How often it may be run. */
  readonly maxAttempts: number;
  /** Where the conversations of a fine-tuning job came from, and the SHA-256 of what was read there. */
  readonly data?: { readonly url: string; readonly sha256: string };
  /** What was asked for, when that was in OpenAI's words. */
  readonly fineTuning?: FineTuning;
}

/** A warning about a job's result that is not a failure. */
export interface JobWarning {
  /** What kind, such as `rows_cut`. */
  readonly code: string;
  /** It in a sentence. */
  readonly message: string;
  /** How many rows, trajectories or steps it is about. */
  readonly count: number;
}

/** A training job: the fold of its events. Times are milliseconds since 1970 and never decrease along a job. */
export interface Job extends JobOrigin {
  /** UUID. */
  readonly id: string;
  /** How many events it has. */
  readonly version: number;
  /** Where it is. */
  readonly state: JobState;
  /** How often a worker has taken it; also the fencing epoch that this worker's messages must carry. */
  readonly attempt: number;
  /** Who took it last. */
  readonly worker?: string;
  /** What its last run starts from. */
  readonly parent?: { readonly step: number; readonly files: readonly ArtifactFile[] };
  /** What the trainer announced. */
  readonly plan?: { readonly sequences: number; readonly resumable: boolean };
  /** How many steps are reported. */
  readonly steps: number;
  /** What the trainer warned of, the first of each code. None when absent. */
  readonly warnings?: readonly JobWarning[];
  /** What the trainer made. */
  readonly trained?: { readonly files: readonly ArtifactFile[]; readonly metrics: Metrics };
  /** What it became. */
  readonly checkpoint?: { readonly id: string; readonly step: number };
  /** Why it failed or was cancelled. */
  readonly error?: { readonly code: string; readonly message: string };
  /** When someone asked to cancel it. It is cancelled once its worker has stopped. */
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

/** Where a job is, as it is shown and found: `cancelling` from when someone asks to cancel it until it has ended. */
export type JobStatus = JobState | "cancelling";

/** The status that a job has. */
export function statusOf({ state, cancelRequestedAt }: Pick<Job, "state" | "cancelRequestedAt">): JobStatus {
  return cancelRequestedAt !== undefined && !hasEnded(state) ? "cancelling" : state;
}

/** Statuses of a job that a worker holds. */
export const ACTIVE: readonly JobStatus[] = ["starting", "running", "finalizing", "cancelling"];

/** Statuses of a job that has not ended. */
export const UNFINISHED: readonly JobStatus[] = ["queued", ...ACTIVE];

/** All statuses, in the order in which a job passes through them. */
export const JOB_STATUSES: readonly JobStatus[] = [...UNFINISHED, "succeeded", "failed", "cancelled"];

/** Whether a job in this state holds its model. */
export function isActive(state: JobState): boolean {
  return ACTIVE.includes(state);
}

/** Whether a job in this state is over: it never changes again. */
export function hasEnded(state: JobState): boolean {
  return !UNFINISHED.includes(state);
}
