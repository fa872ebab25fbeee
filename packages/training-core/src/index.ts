export { apply, fold } from "./job/fold.ts";
export {
  ACTIVE,
  hasEnded,
  isActive,
  JOB_STATUSES,
  type Job,
  type JobOrigin,
  type JobState,
  type JobStatus,
  type Skipped,
  type SkipReason,
  statusOf,
  UNFINISHED,
} from "./job/job.ts";
export {
  type JobEvent,
  type JobEventType,
  type JobFact,
  PUBLIC_EVENT_TYPES,
  type PublicEvent,
  publicEvent,
} from "./job/job-event.ts";
export { logMetrics } from "./job/log-metrics.ts";
export type { SftRow } from "./job/sft-row.ts";
export { type Trainable, trainable } from "./job/trainable.ts";
export type { RlSpec, SftSpec, TrainingConfig, TrainingSpec } from "./job/training-spec.ts";
export {
  type Choice,
  type History,
  isChoice,
  type Message,
  type TokenLogprob,
  type Trajectory,
  type TrajectoryGroup,
} from "./job/trajectory.ts";
export { type Decision, type JobCommand, record, transition, type Verdict } from "./job/transition.ts";
export type { Checkpoint } from "./model/checkpoint.ts";
export type { Model, ModelName } from "./model/model.ts";
export {
  readTrainedModelName,
  resolveModel,
  type ServedModel,
  type TrainedModelName,
} from "./model/resolve-model.ts";
export type { ArtifactStore, Blob } from "./ports/artifact-store.ts";
export type { Clock } from "./ports/clock.ts";
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
export { cancelJob } from "./request/cancel-job.ts";
export { createModel, type ModelRequest, readModelRequest } from "./request/create-model.ts";
export { type DeletedCheckpoints, deleteCheckpoints, deleteModel } from "./request/delete-model.ts";
export type { Once } from "./request/idempotency-key.ts";
export {
  type JobQuery,
  type ListQuery,
  listCheckpoints,
  listJobs,
  listModels,
  type SharedListQuery,
} from "./request/list.ts";
export { type LogRequest, log, readLogRequest } from "./request/log-trajectories.ts";
export type { Page } from "./request/page.ts";
export { awaitEvents, type EventQuery, readEvents } from "./request/read-events.ts";
export { requestSchemas } from "./request/request-schemas.ts";
export { type Ingested, ingest, readSftRow, sftRows } from "./request/sft-data.ts";
export {
  type RlRequest,
  readRlRequest,
  readSftRequest,
  type SftRequest,
  submitRl,
  submitSft,
} from "./request/submit-job.ts";
export { firstOf, memoryTrainingData, uploadedData, uploadUrl } from "./request/training-data.ts";
export { type RunnerOptions, run } from "./service/run-jobs.ts";
export { type ConductOptions, conduct, type Heard } from "./service/supervise-task.ts";
export { type Bell, bell } from "./state/change-notifier.ts";
export { defaultPolicy, type Policy, type Training, type TrainingPorts, training } from "./state/context.ts";
export { type Leases, leases } from "./state/leases.ts";
export { type MemoryLimits, rememberingStore } from "./state/remembering-store.ts";
export { countingIds } from "./testing/counting-ids.ts";
export { memoryArtifactStore } from "./testing/memory-artifact-store.ts";
export { memoryTrainingStore } from "./testing/memory-training-store.ts";
export { type Script, scriptedTrainer } from "./testing/scripted-trainer.ts";
export { type SimulatedClock, simulatedClock } from "./testing/simulated-clock.ts";
export { awaitTask, type Claimant, claim } from "./worker/claim.ts";
export { look, reap, recover } from "./worker/expire-jobs.ts";
export { type Reports, readReports } from "./worker/read-reports.ts";
export { type Acknowledgement, type Report, report } from "./worker/report.ts";
export { settle } from "./worker/settle.ts";
