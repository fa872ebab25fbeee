export { type Bell, bell } from "./bell.ts";
export { cancelJob } from "./cancel.ts";
export type { Checkpoint } from "./checkpoint.ts";
export { awaitTask, type Claimant, claim } from "./claim.ts";
export { type ConductOptions, conduct, type Heard } from "./conduct.ts";
export { countingIds } from "./counting-ids.ts";
export { createModel, type ModelRequest, readModelRequest } from "./create-model.ts";
export { type DeletedCheckpoints, deleteCheckpoints, deleteModel } from "./delete-model.ts";
export { apply, fold } from "./fold.ts";
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
} from "./job.ts";
export {
  type JobEvent,
  type JobEventType,
  type JobFact,
  PUBLIC_EVENT_TYPES,
  type PublicEvent,
  publicEvent,
} from "./job-event.ts";
export { type Leases, leases } from "./leases.ts";
export { type JobQuery, type ListQuery, listCheckpoints, listJobs, listModels } from "./list.ts";
export { type LogRequest, log, readLogRequest } from "./log.ts";
export { logMetrics } from "./log-metrics.ts";
export { memoryArtifactStore } from "./memory-artifact-store.ts";
export { memoryTrainingStore } from "./memory-training-store.ts";
export type { Model, ModelName } from "./model.ts";
export type { Once } from "./once.ts";
export type { Page } from "./page.ts";
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
export { awaitEvents, type EventQuery, readEvents } from "./read-events.ts";
export { type Reports, readReports } from "./read-reports.ts";
export { look, reap, recover } from "./reap.ts";
export { type MemoryLimits, rememberingStore } from "./remembering-store.ts";
export { type Acknowledgement, type Report, report } from "./report.ts";
export { requestSchemas } from "./request-schemas.ts";
export {
  readTrainedModelName,
  resolveModel,
  type ServedModel,
  type TrainedModelName,
} from "./resolve-model.ts";
export { type RunnerOptions, run } from "./runner.ts";
export { type Script, scriptedTrainer } from "./scripted-trainer.ts";
export { settle } from "./settle.ts";
export { type Ingested, ingest, readSftRow, sftRows } from "./sft-data.ts";
export type { SftRow } from "./sft-row.ts";
export { type SimulatedClock, simulatedClock } from "./simulated-clock.ts";
export {
  type RlRequest,
  readRlRequest,
  readSftRequest,
  type SftRequest,
  submitRl,
  submitSft,
} from "./submit.ts";
export { type Trainable, trainable } from "./trainable.ts";
export { defaultPolicy, type Policy, type Training, type TrainingPorts, training } from "./training.ts";
export { firstOf, memoryTrainingData, uploadedData, uploadUrl } from "./training-data.ts";
export type { RlSpec, SftSpec, TrainingConfig, TrainingSpec } from "./training-spec.ts";
export {
  type Choice,
  type History,
  isChoice,
  type Message,
  type TokenLogprob,
  type Trajectory,
  type TrajectoryGroup,
} from "./trajectory.ts";
export { type Decision, type JobCommand, record, transition, type Verdict } from "./transition.ts";
