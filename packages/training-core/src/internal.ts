/**
 * Exports of `@assay/training-core` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export type { FineTuning } from "./job/fine-tuning.ts";
export { hasEnded, isActive, JOB_STATUSES, type JobState, statusOf } from "./job/job.ts";
export { type JobFact, publicEvent } from "./job/job-event.ts";
export { dataOf, type TrainingConfig } from "./job/training-spec.ts";
export type { Verdict } from "./job/transition.ts";
export { readWorkerMessage } from "./job/worker-message.ts";
export { linkedController } from "./linked-controller.ts";
export type { JobPage, Reply } from "./ports/training-store.ts";
export { readModelRequest } from "./request/create-model.ts";
export type { FileDescription } from "./request/files.ts";
export {
  type FineTuningTarget,
  fineTuningSchema,
  readFineTuningRequest,
} from "./request/fine-tune.ts";
export type { IdempotencyKey } from "./request/idempotency-key.ts";
export type { SharedListQuery } from "./request/lists/list.ts";
export type { NumberedEvent } from "./request/lists/newest-events.ts";
export type { Page } from "./request/lists/page.ts";
export type { EventQuery } from "./request/lists/read-events.ts";
export { readLogRequest } from "./request/log-trajectories.ts";
export { sftRows } from "./request/parse/sft-data.ts";
export { requestSchemas } from "./request/request-schemas.ts";
export { readRlRequest, readSftRequest } from "./request/submit-job.ts";
export { firstTrainingData, uploadUrl } from "./request/training-data.ts";
export type { RunJobsOptions } from "./service/run-jobs.ts";
export { superviseTask } from "./service/supervise-task.ts";
export { backoff } from "./state/backoff.ts";
export type { TrainingPolicy } from "./state/context.ts";
export { resolveModel } from "./state/resolve-model.ts";
export { readReports } from "./worker/read-reports.ts";
