// FineTuning: the request for a job in the format of OpenAI's interface, kept for responses about the job.

/** A setting left to the trainer, or its value. */
export type Hyperparameter = number | "auto";

/** The settings of a job under OpenAI's names. */
interface Hyperparameters {
  /** The number of passes over the rows. */
  readonly n_epochs: Hyperparameter;
  /** The number of rows per step. */
  readonly batch_size: Hyperparameter;
  /** A factor of the usual learning rate. */
  readonly learning_rate_multiplier: Hyperparameter;
}

/** The request for a fine-tuning job. */
export interface FineTuning {
  /** The name of the model to start from, as requested. */
  readonly model: string;
  /** The ID of the file with its conversations. */
  readonly trainingFile: string;
  /** The ID of the file with conversations for validating its checkpoint. */
  readonly validationFile?: string;
  /** How to train. */
  readonly hyperparameters: Hyperparameters;
  /** The suffix in the name of the new model. */
  readonly suffix?: string;
  /** The seed of the order of rows. */
  readonly seed: number;
  /** The client's own metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}
