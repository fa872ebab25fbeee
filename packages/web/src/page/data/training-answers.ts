// The answers of the training routes, with the names that the page uses.

import type { Schemas } from "@assay/client";

/** A training job. */
export type TrainingJob = Schemas["TrainingJob"];

/** An event of a job. */
export type TrainingEvent = Schemas["TrainingJobEvent"];

/** A trained model. */
export type TrainedModel = Schemas["TrainingModel"];

/** A checkpoint of a model. */
export type Checkpoint = Schemas["Checkpoint"];

/** The aliases of a model's checkpoints. */
export type AliasList = Schemas["AliasList"];

/** A page of a list. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly last_id?: string;
  readonly has_more: boolean;
}

/** Whether a job has ended. */
export function hasEnded({ finished_at }: TrainingJob): boolean {
  return finished_at !== null;
}
