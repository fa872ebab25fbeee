// TrainingStore: stores models, checkpoints, jobs, their events and the answers to remembered requests.

import type { Json } from "@assay/base";
import type { Job, JobStatus } from "../job/job.ts";
import type { JobEvent, JobEventType } from "../job/job-event.ts";
import type { TrainingSpec } from "../job/training-spec.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model, ModelName } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { FileStore } from "./file-store.ts";

/** A stored answer, repeated when the same request is repeated. */
export interface Reply {
  /** The caller, the route and the key. */
  readonly key: string;
  /** SHA-256 of the request, lower-case hexadecimal: using the same key for another request is an error. */
  readonly digest: string;
  /** The answer. */
  readonly body: Json;
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A change that is written atomically. */
export interface Change {
  /** The time of the change, in milliseconds since 1970: replies that expired before are removed. */
  readonly at: number;
  /** The model, new or changed. A change has at most one model. */
  readonly model?: Model;
  /** Jobs after their new events, with these events. */
  readonly jobs?: readonly { readonly job: Job; readonly events: readonly JobEvent[] }[];
  /** The training data of a new job. */
  readonly spec?: { readonly jobId: string; readonly spec: TrainingSpec };
  /** New or changed checkpoints. They come with their model, whose version guards them. */
  readonly checkpoints?: readonly Checkpoint[];
  /** New or deleted files. */
  readonly files?: readonly TrainingFile[];
  /** The answer to repeat if the same request is repeated. */
  readonly reply?: Reply;
}

/** Reads models. */
export interface ModelStore {
  /** The model, deleted or not. */
  model(id: string): Promise<Model | undefined>;

  /** The model with this name that is not deleted. */
  modelNamed(name: ModelName): Promise<Model | undefined>;

  /** Models that are not deleted, in the order of `createdAt`, then `id`, after the model with the ID `after`. */
  models(page: { readonly after?: string; readonly limit: number }): Promise<readonly Model[]>;
}

/** Which checkpoints to list. */
interface CheckpointPage {
  /** By step, ascending or descending. */
  readonly order: "asc" | "desc";
  /** Only steps after this one, in the requested order. */
  readonly afterStep?: number;
  /** The most checkpoints to read. */
  readonly limit: number;
}

/** Reads checkpoints. */
export interface CheckpointStore {
  /** The checkpoint at this step of the model, deleted or not. */
  checkpoint(modelId: string, step: number): Promise<Checkpoint | undefined>;

  /** The checkpoint of the model with this id, deleted or not. */
  checkpointWithId(modelId: string, id: string): Promise<Checkpoint | undefined>;

  /** Checkpoints of the model that are not deleted, ordered by step. */
  checkpoints(modelId: string, page: CheckpointPage): Promise<readonly Checkpoint[]>;

  /**
   * Whether this blob is used by a checkpoint or file that is not deleted, or by a job that has not ended (as its
   * parent, result or data).
   */
  usesBlob(sha256: string): Promise<boolean>;
}

/** Which jobs to list. */
export interface JobPage {
  /** Only jobs of this model. */
  readonly modelId?: string;
  /** Only jobs with one of these statuses (`statusOf`). */
  readonly statuses?: readonly JobStatus[];
  /** `asc`: oldest first. */
  readonly order: "asc" | "desc";
  /** Only jobs after this one, in the requested order. */
  readonly after?: Pick<Job, "createdAt" | "id">;
  /** The most jobs to read. */
  readonly limit: number;
}

/** Which events to list. */
interface EventPage {
  /** Only events with a greater `seq`; 0 for all. */
  readonly afterSeq: number;
  /** Only these kinds; all if absent. */
  readonly types?: readonly JobEventType[];
  /** The most events to read. */
  readonly limit: number;
}

/** Reads jobs. */
export interface JobStore {
  /** The job. */
  job(id: string): Promise<Job | undefined>;

  /**
   * The data and settings of the job, until it has ended. They are then removed, because they may be as large as a
   * request.
   */
  spec(jobId: string): Promise<TrainingSpec | undefined>;

  /** Jobs, in the order of `createdAt`, then `id`. */
  jobs(page: JobPage): Promise<readonly Job[]>;

  /**
   * For each model that is not deleted and has no `activeJob`, the queued job with the smallest `number`; in the order
   * of `createdAt`, then `id`, at most `limit`.
   */
  waiting(limit: number): Promise<readonly Job[]>;

  /** The job's events, ordered by `seq`. */
  events(jobId: string, page: EventPage): Promise<readonly JobEvent[]>;

  /** The job's event with this ID. */
  event(jobId: string, id: string): Promise<JobEvent | undefined>;
}

/**
 * Keeps models, checkpoints, jobs, files and replies. It never interprets a job. Every method is atomic, a read sees
 * every change that `commit` acknowledged, and acknowledged changes are not lost. Methods throw a `Fault` when the
 * storage itself fails.
 */
export interface TrainingStore extends ModelStore, CheckpointStore, JobStore, FileStore {
  /**
   * Writes the change and resolves to true unless there was a concurrent write; otherwise writes nothing and resolves
   * to false. That is: the model's `version` is one more than the stored one (1 for a new model, whose name must not
   * belong to another model unless that is deleted); each job's `version` is the stored one plus its events here,
   * whose `seq` continue from there; no stored reply under the reply's key expires after `at`. Changes of the same
   * object are acknowledged in the order in which they were written.
   */
  commit(change: Change): Promise<boolean>;

  /** The reply under this key, expired or not. */
  reply(key: string): Promise<Reply | undefined>;
}
