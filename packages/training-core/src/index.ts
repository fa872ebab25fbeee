/**
 * Models, checkpoints and training jobs. `trainingService` combines everything over ports; its data is plain. `./laws`
 * checks an implementation of a port, `./testing` has implementations for tests.
 *
 * @packageDocumentation
 */

export type { Job, JobStatus } from "./job/job.ts";
export type { JobEvent } from "./job/job-event.ts";
export type { StoredBlob } from "./job/stored-blob.ts";
export type { RlSpec, SftSpec, TrainingSpec } from "./job/training-spec.ts";
export type { ArtifactFile, Metrics, WorkerMessage } from "./job/worker-message.ts";
export type { Checkpoint } from "./model/checkpoint.ts";
export type { Model, ModelName } from "./model/model.ts";
export type { TrainingFile } from "./model/training-file.ts";
export type { ArtifactStore } from "./ports/artifact-store.ts";
export type { Clock } from "./ports/clock.ts";
export type { Ids } from "./ports/ids.ts";
export type { Trainer, TrainingKind, TrainingTask } from "./ports/trainer.ts";
export type { TrainingData } from "./ports/training-data.ts";
export type { Change, CheckpointStore, JobStore, ModelStore, TrainingStore } from "./ports/training-store.ts";
export { uploadedData } from "./request/training-data.ts";
export type { ReportReply } from "./service/supervise-task.ts";
export { type TrainingService, trainingService } from "./service/training-service.ts";
export { cachingStore } from "./state/caching-store.ts";
export type { TrainingServiceParts } from "./state/context.ts";
export type { WorkerReport } from "./worker/report.ts";
