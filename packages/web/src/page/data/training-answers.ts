// What the routes of training answer, as the page reads it.

import type { Json } from "@assay/base";

/** A training job. */
export interface TrainingJob {
  readonly id: string;
  readonly type: "rl" | "sft";
  readonly status: string;
  readonly model_id: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly progress: { readonly step: number; readonly total: number | null };
  readonly num_submitted: number;
  readonly num_trainable: number;
  readonly skipped: readonly { readonly reason: string }[];
  readonly checkpoint_step: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Something that has happened to a job. */
export interface TrainingEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [name: string]: Json };
  readonly created_at?: string;
}

/** A model that is trained. */
export interface TrainedModel {
  readonly id: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly base_model: string;
}

/** A checkpoint of a model. */
export interface Checkpoint {
  readonly id: string;
  readonly step: number;
  readonly metrics: { readonly [name: string]: Json };
}

/** A page of a list. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly last_id?: string;
  readonly has_more: boolean;
}

/** Whether a job goes on no more. */
export function hasEnded({ finished_at }: TrainingJob): boolean {
  return finished_at !== null;
}
