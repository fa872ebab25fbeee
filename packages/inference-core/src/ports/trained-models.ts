// TrainedModels: resolves the name of a trained model to a checkpoint.

/** The version of a trained model: a step, the newest, or another alias. */
export type Version =
  | { readonly kind: "latest" }
  | { readonly kind: "step"; readonly step: number }
  | { readonly kind: "alias"; readonly alias: string };

/** The name of a trained model at a version. */
export interface TrainedModelName {
  /** A team or user. */
  readonly entity: string;
  /** One of its projects. */
  readonly project: string;
  /** The model, in its project. */
  readonly name: string;
  /** The version. */
  readonly version: Version;
}

/** A file of a checkpoint, in the artifact store. */
export interface CheckpointFile {
  /** A plain file name: without a slash, not `.` or `..`. */
  readonly name: string;
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
}

/** The result of training. */
interface TrainedCheckpoint {
  /** Unique among all checkpoints. */
  readonly id: string;
  /** Its files. */
  readonly files: readonly CheckpointFile[];
}

/** A trained model at one step. */
export interface TrainedModel {
  /** A team or user. */
  readonly entity: string;
  /** One of its projects. */
  readonly project: string;
  /** The model, in its project. */
  readonly name: string;
  /** The catalogue id of the model that training started from. */
  readonly baseModel: string;
  /** The number of jobs that made it; 0 before any training. */
  readonly step: number;
  /** When its step was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Absent if the model equals its base model: at step 0, and if training has changed nothing. */
  readonly checkpoint?: TrainedCheckpoint;
}

/** A trained model in a list. */
export interface TrainedModelEntry {
  /** A team or user. */
  readonly entity: string;
  /** One of its projects. */
  readonly project: string;
  /** The model, in its project. */
  readonly name: string;
  /** The catalogue id of the model that training started from. */
  readonly baseModel: string;
  /** Its newest step; 0 before any training. */
  readonly step: number;
  /** When that step was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether its name is `ft:…`, because a job of OpenAI's fine-tuning interface made it. */
  readonly fineTuned?: boolean;
}

/** Finds trained models. Throws a `Fault` when the storage fails. Laws: `trainedModelsLaws`. */
export interface TrainedModels {
  /**
   * The model at that version, or undefined if the model or the checkpoint does not exist: never another one instead.
   * `latest` of a model without checkpoints is step 0.
   */
  find(name: TrainedModelName): Promise<TrainedModel | undefined>;

  /** Every model for which `find` has a `latest`, once each. */
  list(): AsyncIterable<TrainedModelEntry>;
}
