// Model: what is trained, and the one record that changes of its checkpoints and jobs agree on.

import type { Metrics } from "../ports/worker-message.ts";

/** Where a model lives. Unique among the models that are not deleted. */
export interface ModelName {
  /** The team or person that it belongs to. */
  readonly entity: string;
  /** The project of the entity. */
  readonly project: string;
  /** Its name within the project. */
  readonly name: string;
}

/** A model: a base model, and the checkpoints that training has added to it. */
export interface Model extends ModelName {
  /** UUID. */
  readonly id: string;
  /** One more for each change of the model, of its checkpoints or of which of its jobs runs; 1 when new. */
  readonly version: number;
  /** The model that training starts from. */
  readonly baseModel: string;
  /** When it was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The newest step there ever was; 0 before training. Never decreases, so that a step is never used twice. */
  readonly headStep: number;
  /** How many jobs were submitted: the next job's number is one more. */
  readonly jobCount: number;
  /** The job that holds the model: at most one is starting, running or finalizing. */
  readonly activeJob?: string;
  /** Logged metrics of step 0, the base model, which is not a checkpoint. */
  readonly baseMetrics: Metrics;
  /** Made by a job of OpenAI's fine-tuning interface, whose names begin with `ft:`. */
  readonly fineTuned?: true;
  /** When it was deleted, and how many checkpoints went with it. */
  readonly deleted?: { readonly at: number; readonly checkpoints: number };
}
