// TrainedModels: which checkpoint the name of a trained model means.

/** Which checkpoint of a trained model: a step, the newest, or one by another of its names. */
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
  /** Which of its checkpoints. */
  readonly version: Version;
}

/** A file of a checkpoint, in the artifact store. */
export interface CheckpointFile {
  /** A plain file name: no slash, not `.` or `..`. */
  readonly name: string;
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** What training made. */
interface TrainedCheckpoint {
  /** Unique among all checkpoints. */
  readonly id: string;
  /** What it consists of. */
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
  /** How many jobs made it; 0 before any training. */
  readonly step: number;
  /** When its step was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Absent where the model is its base model: at step 0, and when training has changed nothing. */
  readonly checkpoint?: TrainedCheckpoint;
}

/** A trained model as it is listed. */
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
  /** When that was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether it is known as `ft:…`: a job of OpenAI's fine-tuning interface made it. */
  readonly fineTuned?: boolean;
}

/** Finds trained models. When the storage fails, it throws a `Fault`. Laws: `trainedModelsLaws`. */
export interface TrainedModels {
  /**
   * The model at that version, or undefined when there is no such model or no such checkpoint: never another one
   * instead. `latest` of a model without checkpoints is step 0.
   */
  find(name: TrainedModelName): Promise<TrainedModel | undefined>;

  /** Every model of which `find` has a `latest`, once each. */
  list(): AsyncIterable<TrainedModelEntry>;
}
