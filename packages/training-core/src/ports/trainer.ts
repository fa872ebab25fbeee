// Trainer: what turns a task into a checkpoint. The port and the task that it is given.

import type { TrainingSpec } from "../job/training-spec.ts";
import type { ArtifactFile, WorkerMessage } from "./worker-message.ts";

/**
 * One run of a job, as plain JSON in the form of the wire, so that it can be handed to a trainer in this
 * process, on a child's pipe or over HTTP without being converted.
 */
export interface TrainingTask {
  /** The job. Also the source of randomness: the same job run again uses the same seed. */
  readonly job_id: string;
  /** Which run of the job this is: 1, then one more after each retry. */
  readonly attempt: number;
  /** How many steps earlier runs have reported. A resumable trainer repeats them or starts after them. */
  readonly steps_reported: number;
  /** The model that is trained. */
  readonly model: {
    readonly id: string;
    readonly entity: string;
    readonly project: string;
    readonly name: string;
    readonly base_model: string;
  };
  /** The checkpoint to start from. Step 0 without files is the base model as it is. */
  readonly parent: { readonly step: number; readonly files: readonly ArtifactFile[] };
  /** What to train on, and how. */
  readonly spec: TrainingSpec;
}

/** What a trainer is asked about before it is given a task. */
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
   * Runs the task and says how it goes. The stream ends after `done` or `failed`, or soon after `signal` is
   * aborted (then it may end without a last word). Files named by `done` are already in the artifact store.
   * A stream that throws, or ends early, fails the job; a thrown `Fault` that is retryable may be run again.
   */
  train(task: TrainingTask, signal: AbortSignal): AsyncIterable<WorkerMessage>;

  /**
   * Rejects with a `Fault` that says what is missing when it could not train now, within a few seconds. A trainer
   * without it has nothing that can be missing.
   */
  check?(): Promise<void>;
}
