// Trainer: turns a task into a checkpoint. Defines the port and its tasks.

import type { TrainingSpec } from "../job/training-spec.ts";
import type { ArtifactFile, WorkerMessage } from "../job/worker-message.ts";

/**
 * One run of a job, as plain JSON in wire format, so that it can be passed to a trainer in this process, to a child
 * process or over HTTP without conversion.
 */
export interface TrainingTask {
  /** The job's ID. It also seeds randomness: another run of the same job uses the same seed. */
  readonly job_id: string;
  /** The number of the run: 1, then one more after each retry. */
  readonly attempt: number;
  /** The number of steps that earlier runs reported. A resumable trainer repeats them or starts after them. */
  readonly steps_reported: number;
  /** The model to train. */
  readonly model: {
    readonly id: string;
    readonly entity: string;
    readonly project: string;
    readonly name: string;
    readonly base_model: string;
  };
  /** The checkpoint to start from. Step 0 without files is the unchanged base model. */
  readonly parent: { readonly step: number; readonly files: readonly ArtifactFile[] };
  /** The data and settings to train with. */
  readonly spec: TrainingSpec;
}

/** The properties of a task that a trainer sees before it receives the task. */
export interface TrainingKind {
  /** Reinforcement learning, or supervised fine-tuning. */
  readonly kind: TrainingSpec["kind"];
  /** The base model, as the model's creator wrote it. */
  readonly baseModel: string;
}

/** Turns tasks into checkpoints. It knows nothing of queues, leases, retries or the store of jobs. */
export interface Trainer {
  /** Whether it can train this. Never throws. */
  accepts(work: TrainingKind): boolean;

  /**
   * Runs the task and reports its progress. The stream ends after `done` or `failed`, or soon after `signal` is
   * aborted (then possibly without a last message). Files named by `done` are already in the artifact store. A stream
   * that throws, or ends early, fails the job; after a retryable `Fault` the job may be run again.
   */
  train(task: TrainingTask, signal: AbortSignal): AsyncIterable<WorkerMessage>;

  /**
   * Rejects within a few seconds with a `Fault` that names what is missing if it cannot train now. Absent if nothing
   * can be missing.
   */
  check?(): Promise<void>;
}
