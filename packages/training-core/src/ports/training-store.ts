// TrainingStore: where models, checkpoints, jobs, their events and the answers to remembered requests are kept.

import type { Json } from "@assay/base";
import type { Job, JobStatus } from "../job/job.ts";
import type { JobEvent, JobEventType } from "../job/job-event.ts";
import type { TrainingSpec } from "../job/training-spec.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model, ModelName } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { FileStore } from "./file-store.ts";

/** An answer that is given again when the same request comes again. */
export interface Reply {
  /** Who asked what, under which key. */
  readonly key: string;
  /** SHA-256 of the request, lower-case hexadecimal: the same key with another request is a mistake. */
  readonly digest: string;
  /** The answer. */
  readonly body: Json;
  /** From when on it is forgotten, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What is written together, or not at all. */
export interface Change {
  /** When the change is made, in milliseconds since 1970: replies that expired before are forgotten. */
  readonly at: number;
  /** The model, new or changed. One change has one model at most. */
  readonly model?: Model;
  /** Jobs as they are after their new events, and these events. */
  readonly jobs?: readonly { readonly job: Job; readonly events: readonly JobEvent[] }[];
  /** What a new job trains on. */
  readonly spec?: { readonly jobId: string; readonly spec: TrainingSpec };
  /** New checkpoints, and new forms of old ones. They come with their model, whose version guards them. */
  readonly checkpoints?: readonly Checkpoint[];
  /** New files, and files as they are once they are deleted. */
  readonly files?: readonly TrainingFile[];
  /** What is answered when the same request comes again. */
  readonly reply?: Reply;
}

/** Reads models. */
export interface ModelStore {
  /** The model, deleted or not. */
  model(id: string): Promise<Model | undefined>;

  /** The model of this name that is not deleted. */
  modelNamed(name: ModelName): Promise<Model | undefined>;

  /** Models that are not deleted, in the order of `createdAt`, then `id`, after the model with the id `after`. */
  models(page: { readonly after?: string; readonly limit: number }): Promise<readonly Model[]>;
}

/** Which checkpoints to list. */
interface CheckpointPage {
  /** By step, ascending or descending. */
  readonly order: "asc" | "desc";
  /** Only steps that come after this one, in the order asked for. */
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

  /** Checkpoints of the model that are not deleted, in the order of their steps. */
  checkpoints(modelId: string, page: CheckpointPage): Promise<readonly Checkpoint[]>;

  /**
   * Whether a checkpoint or a file that is not deleted, or a job that has not ended (its parent, its result, its data),
   * names this blob.
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
  /** Only jobs that come after this one, in the order asked for. */
  readonly after?: Pick<Job, "createdAt" | "id">;
  /** The most jobs to read. */
  readonly limit: number;
}

/** Which events to list. */
interface EventPage {
  /** Only events with a greater `seq`; 0 for all. */
  readonly afterSeq: number;
  /** Only these kinds; all when absent. */
  readonly types?: readonly JobEventType[];
  /** The most events to read. */
  readonly limit: number;
}

/** Reads jobs. */
export interface JobStore {
  /** The job. */
  job(id: string): Promise<Job | undefined>;

  /** What the job trains on: until it has ended, when it is forgotten, because it may be as large as a request. */
  spec(jobId: string): Promise<TrainingSpec | undefined>;

  /** Jobs, in the order of `createdAt`, then `id`. */
  jobs(page: JobPage): Promise<readonly Job[]>;

  /**
   * Of each model that is not deleted and has no `activeJob`, the queued job with the smallest `number`;
   * in the order of `createdAt`, then `id`, at most `limit`.
   */
  waiting(limit: number): Promise<readonly Job[]>;

  /** The job's events, in the order of `seq`. */
  events(jobId: string, page: EventPage): Promise<readonly JobEvent[]>;

  /** The event of the job with this id. */
  event(jobId: string, id: string): Promise<JobEvent | undefined>;
}

/**
 * Keeps models, checkpoints, jobs, files and replies. It never interprets a job. Every method is atomic, a read sees
 * every change that `commit` has answered, and what was answered is not lost. When the storage itself fails,
 * methods throw a `Fault`.
 */
export interface TrainingStore extends ModelStore, CheckpointStore, JobStore, FileStore {
  /**
   * Writes the change and resolves to true unless another write came in between; otherwise writes nothing and
   * resolves to false. That is: the model's `version` is one more than the stored one (1 for a new model, whose name
   * must not belong to another model unless that is deleted); each job's `version` is the stored one plus its events
   * here, whose `seq` continue from there; no reply is stored under the reply's key that expires after `at`. Changes
   * of one thing are answered in the order in which they were written.
   */
  commit(change: Change): Promise<boolean>;

  /** The reply under this key, expired or not. */
  reply(key: string): Promise<Reply | undefined>;
}
