// TrainingSpec: what a job trains on, and how, in the form of the wire. Read once, when the job is submitted.

import type { Json } from "@assay/base";
import type { StoredBlob } from "../ports/artifact-store.ts";
import type { TrajectoryGroup } from "./trajectory.ts";

/** Settings by name. Absent and null mean the trainer's default; unknown names pass through. */
export type TrainingConfig = Readonly<Record<string, Json>>;

/** A reinforcement-learning job. */
export interface RlSpec {
  /** Reinforcement learning. */
  readonly kind: "rl";
  /** What was tried, and how good it was. */
  readonly trajectory_groups: readonly TrajectoryGroup[];
  /** `learning_rate`, `epsilon`, `loss_fn`…, as `experimental_config` gave them. */
  readonly config: TrainingConfig;
}

/** A supervised fine-tuning job. */
export interface SftSpec {
  /** Supervised fine-tuning. */
  readonly kind: "sft";
  /** Where the data came from. */
  readonly training_data_url: string;
  /** The data itself: JSON lines, each `{"messages": [...], "tools": [...]?}`, all read and found right. */
  readonly data: StoredBlob;
  /** How many lines hold a row. */
  readonly rows: number;
  /** Conversations that are not learned: trainers that can measure the new checkpoint on them, as `val/loss`. */
  readonly validation?: StoredBlob;
  /** `batch_size`, `learning_rate`, `assistant_turns`… */
  readonly config: TrainingConfig;
}

/** What a job trains on, and how. */
export type TrainingSpec = RlSpec | SftSpec;

/** The blobs that a job reads beside its parent's files. */
export function dataOf(spec: TrainingSpec | undefined): readonly StoredBlob[] {
  if (spec?.kind !== "sft") return [];
  return spec.validation === undefined ? [spec.data] : [spec.data, spec.validation];
}
