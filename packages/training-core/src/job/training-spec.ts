// TrainingSpec: the data and settings of a job in wire format. Read once, when the job is submitted.

import type { Json } from "@assay/base";
import type { StoredBlob } from "./stored-blob.ts";
import type { TrajectoryGroup } from "./trajectory.ts";

/** Settings by name. Absent and null mean the trainer's default; unknown names are passed through. */
export type TrainingConfig = Readonly<Record<string, Json>>;

/** A reinforcement-learning job. */
export interface RlSpec {
  /** Reinforcement learning. */
  readonly kind: "rl";
  /** The attempts with their rewards. */
  readonly trajectory_groups: readonly TrajectoryGroup[];
  /** `learning_rate`, `epsilon`, `loss_fn` and so on, as in `experimental_config`. */
  readonly config: TrainingConfig;
}

/** A supervised fine-tuning job. */
export interface SftSpec {
  /** Supervised fine-tuning. */
  readonly kind: "sft";
  /** Where the data came from. */
  readonly training_data_url: string;
  /** The data itself: valid JSON lines, each `{"messages": [...], "tools": [...]?}`. */
  readonly data: StoredBlob;
  /** The number of rows. */
  readonly rows: number;
  /** Validation conversations: trainers that can evaluate the new checkpoint on them report `val/loss`. */
  readonly validation?: StoredBlob;
  /** `batch_size`, `learning_rate`, `assistant_turns`… */
  readonly config: TrainingConfig;
}

/** The data and settings of a job. */
export type TrainingSpec = RlSpec | SftSpec;

/** The blobs that a job reads in addition to its parent's files. */
export function dataOf(spec: TrainingSpec | undefined): readonly StoredBlob[] {
  if (spec?.kind !== "sft") return [];
  return spec.validation === undefined ? [spec.data] : [spec.data, spec.validation];
}
