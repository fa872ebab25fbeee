/**
 * Models, checkpoints and training jobs. `trainingService` is the whole of it over ports; what it reads and writes is
 * plain data. `./laws` checks an implementation of a port, `./testing` has implementations for tests.
 *
 * @packageDocumentation
 */

export type { FineTuning, Hyperparameter, Hyperparameters } from "./job/fine-tuning.ts";
export {
  hasEnded,
  isActive,
  JOB_STATUSES,
  type Job,
  type JobOrigin,
  type JobState,
  type JobStatus,
  type JobWarning,
  type Skipped,
  type SkipReason,
  statusOf,
} from "./job/job.ts";
export {
  type JobEvent,
  type JobEventType,
  type JobFact,
  type PublicEvent,
  publicEvent,
} from "./job/job-event.ts";
export type { SftRow } from "./job/sft-row.ts";
export type { Trainable } from "./job/trainable.ts";
export {
  dataOf,
  type RlSpec,
  type SftSpec,
  type TrainingConfig,
  type TrainingSpec,
} from "./job/training-spec.ts";
export type {
  Choice,
  Message,
  MessageHistory,
  TokenLogprob,
  Trajectory,
  TrajectoryGroup,
} from "./job/trajectory.ts";
export type { Verdict } from "./job/transition.ts";
export type { Checkpoint } from "./model/checkpoint.ts";
export type { Model, ModelName } from "./model/model.ts";
export {
  resolveModel,
  type ServedModel,
  type TrainedModelName,
} from "./model/resolve-model.ts";
export type { TrainingFile } from "./model/training-file.ts";
export type { ArtifactStore, StoredBlob } from "./ports/artifact-store.ts";
export type { Clock } from "./ports/clock.ts";
export type { FilePage, FileStore } from "./ports/file-store.ts";
export type { Ids } from "./ports/ids.ts";
export type { Trainer, TrainingKind, TrainingTask } from "./ports/trainer.ts";
export type { TrainingData } from "./ports/training-data.ts";
export type {
  Change,
  CheckpointPage,
  CheckpointStore,
  EventPage,
  JobPage,
  JobStore,
  ModelStore,
  Reply,
  TrainingStore,
} from "./ports/training-store.ts";
export {
  type ArtifactFile,
  type Metrics,
  readWorkerMessage,
  type WorkerMessage,
} from "./ports/worker-message.ts";
export { type ModelRequest, readModelRequest } from "./request/create-model.ts";
export type { DeletedCheckpoints, DeletedModel } from "./request/delete-model.ts";
export type { FileQuery, FileWish } from "./request/files.ts";
export {
  type FineTuningPlace,
  type FineTuningRequest,
  fineTuningSchema,
  readFineTuningRequest,
} from "./request/fine-tune.ts";
export type { IdempotencyKey } from "./request/idempotency-key.ts";
export type { CheckpointImport, ImportedCheckpoint } from "./request/import-checkpoint.ts";
export type { JobQuery, ListQuery, SharedListQuery } from "./request/list.ts";
export { type LogRequest, readLogRequest } from "./request/log-trajectories.ts";
export type { NumberedEvent } from "./request/newest-events.ts";
export type { Page } from "./request/page.ts";
export type { EventQuery } from "./request/read-events.ts";
export { requestSchemas } from "./request/request-schemas.ts";
export { sftRows, type UploadedRows } from "./request/sft-data.ts";
export { type RlRequest, readRlRequest, readSftRequest, type SftRequest } from "./request/submit-job.ts";
export { firstTrainingData, uploadedData, uploadUrl } from "./request/training-data.ts";
export type { RunJobsOptions } from "./service/run-jobs.ts";
export { type ReportReply, type SuperviseOptions, superviseTask } from "./service/supervise-task.ts";
export { type TrainingService, trainingService } from "./service/training-service.ts";
export { type Backoff, backoff } from "./state/backoff.ts";
export type { ChangeNotifier } from "./state/change-notifier.ts";
export type { TrainingPolicy, TrainingServiceParts } from "./state/context.ts";
export { type MemoryLimits, rememberingStore } from "./state/remembering-store.ts";
export type { Claimant } from "./worker/claim.ts";
export { readReports, type WorkerReports } from "./worker/read-reports.ts";
export type { Acknowledgement, WorkerReport } from "./worker/report.ts";
