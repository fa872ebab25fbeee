// FineTuning: the request for a job in the terms of OpenAI's interface, kept to show it again.

/** What the trainer is left to choose, or what it was told. */
export type Hyperparameter = number | "auto";

/** The settings of a job under OpenAI's names. */
interface Hyperparameters {
  /** How often to go through the rows. */
  readonly n_epochs: Hyperparameter;
  /** Rows per step. */
  readonly batch_size: Hyperparameter;
  /** Times the usual learning rate. */
  readonly learning_rate_multiplier: Hyperparameter;
}

/** What a fine-tuning job was asked for. */
export interface FineTuning {
  /** The name of the model that it starts from, as it was asked for. */
  readonly model: string;
  /** The id of the file with its conversations. */
  readonly trainingFile: string;
  /** The id of the file with conversations that its checkpoint is measured on. */
  readonly validationFile?: string;
  /** How to train. */
  readonly hyperparameters: Hyperparameters;
  /** What stands in the name of the model that it makes. */
  readonly suffix?: string;
  /** What the order of rows follows from. */
  readonly seed: number;
  /** Words of the client's own. */
  readonly metadata?: Readonly<Record<string, string>>;
}
