// The training service: operations of callers and reports of workers, as methods of one object over the ports.

import type { Result } from "@assay/base";
import type { Job } from "../job/job.ts";
import type { JobEvent } from "../job/job-event.ts";
import type { Metrics } from "../job/worker-message.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { TrainingTask } from "../ports/trainer.ts";
import type { TrainingStore } from "../ports/training-store.ts";
import { cancelJob } from "../request/cancel-job.ts";
import { createModel, type ModelRequest } from "../request/create-model.ts";
import {
  type DeletedCheckpoints,
  type DeletedModel,
  deleteCheckpoints,
  deleteModel,
} from "../request/delete-model.ts";
import { createFile, deleteFile, type FileDescription, type FileQuery, listFiles } from "../request/files.ts";
import { type FineTuningRequest, type FineTuningTarget, submitFineTuning } from "../request/fine-tune.ts";
import type { IdempotencyKey } from "../request/idempotency-key.ts";
import {
  type CheckpointImport,
  type ImportedCheckpoint,
  importCheckpoint,
} from "../request/import-checkpoint.ts";
import {
  type JobQuery,
  type ListQuery,
  listCheckpoints,
  listJobs,
  listModels,
  type SharedListQuery,
} from "../request/lists/list.ts";
import { type NumberedEvent, newestEvents } from "../request/lists/newest-events.ts";
import type { Page } from "../request/lists/page.ts";
import { awaitEvents, type EventQuery, readEvents } from "../request/lists/read-events.ts";
import { type LogRequest, logTrajectories } from "../request/log-trajectories.ts";
import { storeRows, type UploadedRows } from "../request/parse/sft-data.ts";
import { type RlRequest, type SftRequest, submitRl, submitSft } from "../request/submit-job.ts";
import { type TrainingPolicy, type TrainingServiceParts, trainingContext } from "../state/context.ts";
import { awaitTask, type Claimant, claim } from "../worker/claim.ts";
import { expireIfLost, expireLostJobs, recoverJobs } from "../worker/expire-jobs.ts";
import { type Acknowledgement, report, type WorkerReport } from "../worker/report.ts";
import { type RunJobsOptions, runJobs } from "./run-jobs.ts";

/**
 * Models, checkpoints and training jobs. Errors in a request are returned as issues; when a port fails, its `Fault` is
 * thrown. Times are in milliseconds.
 */
export interface TrainingService {
  /** The store of models, checkpoints and jobs. */
  readonly store: TrainingStore;
  /** The store of checkpoints' and training data's bytes. */
  readonly artifacts: ArtifactStore;
  /** The clock. */
  readonly clock: Clock;
  /** Timeouts and limits of the service. */
  readonly policy: TrainingPolicy;

  /**
   * Creates the model, or finds it if `returnExisting` is set; concurrent requests create one. Issues: `conflict` (the
   * name is taken, or by a model with another base model), `base_model` (not served here), `idempotency_key`.
   */
  createModel(request: ModelRequest, key?: IdempotencyKey): Promise<Result<Model>>;
  /** A page of models, oldest first. The issue `after` for a model that does not exist. */
  listModels(query: Omit<SharedListQuery<Model>, "order">): Promise<Result<Page<Model>>>;
  /**
   * Deletes the model with its checkpoints and ends its jobs. Resolves to the data deleted with it, also when repeated.
   * The caller manages the model's run: it states whether the model `hasRun` (default: no), and deletes the run
   * afterwards.
   */
  deleteModel(modelId: string, hasRun?: boolean): Promise<DeletedModel | undefined>;

  /** A page of the model's checkpoints by step. Issues: `model_not_found`; `after` for one it never had. */
  listCheckpoints(modelId: string, query: ListQuery): Promise<Result<Page<Checkpoint>>>;
  /** Deletes checkpoints in one write; their steps are never reused. Undefined if the model does not exist. */
  deleteCheckpoints(modelId: string, steps: readonly number[]): Promise<DeletedCheckpoints | undefined>;
  /** Adds an external checkpoint to its model, once. Issues: `model_not_found`, `conflict`, `files`. */
  importCheckpoint(checkpoint: CheckpointImport): Promise<Result<ImportedCheckpoint>>;
  /** Adds statistics of trajectories to the newest checkpoint's metrics. Undefined if the model does not exist. */
  logTrajectories(modelId: string, request: LogRequest): Promise<Metrics | undefined>;

  /** Reads training data to its end and stores it if every row is valid; otherwise returns the issues, by line. */
  storeRows(bytes: AsyncIterable<Uint8Array>): Promise<Result<UploadedRows>>;
  /**
   * Queues an RL job. Refused with `no_choice`, `no_logprobs` or `overlength`, naming the trajectories, if these are
   * the reasons why nothing can be trained on. Further issues: `model_not_found`, `idempotency_key`.
   */
  submitRl(request: RlRequest, key?: IdempotencyKey): Promise<Result<Job>>;
  /**
   * Fetches and reads the training data, and queues an SFT job for it. Issues: those of `storeRows`,
   * `unsupported_url`, `data_missing`, `data_denied`, `model_not_found`, `idempotency_key`.
   */
  submitSft(request: SftRequest, key: IdempotencyKey | undefined, signal: AbortSignal): Promise<Result<Job>>;
  /**
   * Stores the bytes, then calls `describe`: in a form, the file may precede the fields that describe it. If
   * `describe` returns issues, nothing is stored. The issue `too_large` for more bytes than a job may have.
   */
  createFile(
    bytes: AsyncIterable<Uint8Array>,
    describe: () => Promise<Result<FileDescription>>,
  ): Promise<Result<TrainingFile>>;
  /** A page of files, ordered by upload. The issue `after` for a file that never existed. */
  listFiles(query: FileQuery): Promise<Result<Page<TrainingFile>>>;
  /** Deletes a file; a job that reads it continues. Resolves to whether the file existed and was not yet deleted. */
  deleteFile(id: string): Promise<boolean>;
  /**
   * Queues a job on uploaded files, together with its new model. Issues: `file_not_found`, `invalid_file` (with its
   * line), `model_not_found`, `base_model`, `idempotency_key`.
   */
  submitFineTuning(
    request: FineTuningRequest,
    place: FineTuningTarget,
    key?: IdempotencyKey,
  ): Promise<Result<Job>>;
  /** A page of all of the job's events, newest first. Issues as for `readEvents`. */
  newestEvents(
    jobId: string,
    query: Pick<EventQuery, "after" | "limit">,
  ): Promise<Result<Page<NumberedEvent>>>;
  /** A page of jobs, ordered by submission. The issue `after` for a job that does not exist. */
  listJobs(query: JobQuery): Promise<Result<Page<Job>>>;
  /**
   * Requests the cancellation of a job: a queued job is cancelled immediately, others when their worker has stopped or
   * is lost. Repeating the request changes nothing. Issues: `job_not_found`; `ended` if it has already succeeded or
   * failed.
   */
  cancelJob(jobId: string): Promise<Result<Job>>;
  /** Ends the job if its lease or deadline has passed. Resolves to the current job. */
  expireIfLost(job: Job): Promise<Job>;
  /** A page of the job's events, oldest first. Issues: `job_not_found`; `after` for an event it does not have. */
  readEvents(jobId: string, query: EventQuery): Promise<Result<Page<JobEvent>>>;
  /** Like `readEvents`, but waits for news: at most `waitMs`, until the job has ended or `signal` is aborted. */
  awaitEvents(
    jobId: string,
    query: EventQuery,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Result<Page<JobEvent>>>;

  /** Takes the oldest waiting job that the claimant accepts; undefined if there is none. */
  claim(claimant: Claimant): Promise<TrainingTask | undefined>;
  /** Like `claim`, but waits for a job: at most `waitMs`, and until `signal` is aborted. */
  awaitTask(claimant: Claimant, waitMs: number, signal: AbortSignal): Promise<TrainingTask | undefined>;
  /**
   * Records a message from the worker of run `attempt`. A repeated message takes effect once. Resolves to undefined if
   * the job does not exist.
   */
  report(jobId: string, attempt: number, message: WorkerReport): Promise<Acknowledgement | undefined>;
  /** Ends every job whose lease or deadline has passed. `runJobs` calls it every few seconds. */
  expireLostJobs(): Promise<void>;
  /**
   * Resumes jobs that an earlier service left unfinished: those of its own workers, named `worker`, count as lost
   * immediately, and trained ones get their checkpoints. `runJobs` calls it at the start.
   */
  recoverJobs(worker: string): Promise<void>;
  /**
   * Trains queued jobs and ends expired ones everywhere until `signal` is aborted; then stops its trainers, returns
   * their jobs to the queue and resolves. When the store fails, it calls `onError` and tries again.
   */
  runJobs(options: RunJobsOptions, signal: AbortSignal): Promise<void>;
}

/** A training service over its ports. Only one process at a time may run the service of a store. */
export function trainingService(parts: TrainingServiceParts): TrainingService {
  const context = trainingContext(parts);
  const { store, artifacts, clock, policy } = context;
  return {
    store,
    artifacts,
    clock,
    policy,
    createModel: (request, key) => createModel(context, request, key),
    listModels: (query) => listModels(context, query),
    deleteModel: (modelId, hasRun = false) => deleteModel(context, modelId, hasRun),
    listCheckpoints: (modelId, query) => listCheckpoints(context, modelId, query),
    deleteCheckpoints: (modelId, steps) => deleteCheckpoints(context, modelId, steps),
    importCheckpoint: (checkpoint) => importCheckpoint(context, checkpoint),
    logTrajectories: (modelId, request) => logTrajectories(context, modelId, request),
    storeRows: (bytes) => storeRows(context, bytes),
    submitRl: (request, key) => submitRl(context, request, key),
    submitSft: (request, key, signal) => submitSft(context, request, key, signal),
    createFile: (bytes, describe) => createFile(context, bytes, describe),
    listFiles: (query) => listFiles(context, query),
    deleteFile: (id) => deleteFile(context, id),
    submitFineTuning: (request, place, key) => submitFineTuning(context, request, place, key),
    newestEvents: (jobId, query) => newestEvents(context, jobId, query),
    listJobs: (query) => listJobs(context, query),
    cancelJob: (jobId) => cancelJob(context, jobId),
    expireIfLost: (job) => expireIfLost(context, job),
    readEvents: (jobId, query) => readEvents(context, jobId, query),
    awaitEvents: (jobId, query, waitMs, signal) => awaitEvents(context, jobId, query, waitMs, signal),
    claim: (claimant) => claim(context, claimant),
    awaitTask: (claimant, waitMs, signal) => awaitTask(context, claimant, waitMs, signal),
    report: (jobId, attempt, message) => report(context, jobId, attempt, message),
    expireLostJobs: () => expireLostJobs(context),
    recoverJobs: (worker) => recoverJobs(context, worker),
    runJobs: (options, signal) => runJobs(context, options, signal),
  };
}
