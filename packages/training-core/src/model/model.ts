// Model: the unit of training, whose version guards changes of its checkpoints and jobs.

import type { Metrics } from "../job/worker-message.ts";

/** The full name of a model, unique among the models that are not deleted. */
export interface ModelName {
  /** The team or person that owns it. */
  readonly entity: string;
  /** The project of the entity. */
  readonly project: string;
  /** Its name within the project. */
  readonly name: string;
}

/** A model: a base model, and the checkpoints that training added to it. */
export interface Model extends ModelName {
  /** UUID. */
  readonly id: string;
  /** Increases with each change of the model, its checkpoints or its running job; 1 when new. */
  readonly version: number;
  /** The model that training starts from. */
  readonly baseModel: string;
  /** When it was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The newest step ever; 0 before training. It never decreases, so that steps are not reused. */
  readonly headStep: number;
  /** The number of submitted jobs: the next job's number is one more. */
  readonly jobCount: number;
  /** The job that occupies the model: at most one is starting, running or finalizing. */
  readonly activeJob?: string;
  /** Logged metrics of step 0, the base model, which has no checkpoint. */
  readonly baseMetrics: Metrics;
  /** Whether it was made by a job of OpenAI's fine-tuning interface and has a name that starts with `ft:`. */
  readonly fineTuned?: true;
  /** When it was deleted, how many checkpoints with it, and whether its run too. */
  readonly deleted?: { readonly at: number; readonly checkpoints: number; readonly run?: true };
}
