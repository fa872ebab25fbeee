// Files, jobs, events and checkpoints in the format of OpenAI's clients. Times are whole seconds.

import type { Json } from "@assay/base";
import { printFineTunedName } from "@assay/inference-core/internal";
import type { Checkpoint, Job, JobEvent, Model, TrainingFile } from "@assay/training-core";
import { type FineTuning, hasEnded, type JobState, type NumberedEvent } from "@assay/training-core/internal";
import type { View } from "../training/response/responses.ts";

/** The client's ID of a file, a job, an event or a checkpoint: a prefix for its kind, and its UUID. */
export const ID = { file: "file-", job: "ftjob-", event: "ftevent-", checkpoint: "ftckpt-" } as const;

/** The UUID in such an ID. */
export function uuidOf(what: keyof typeof ID, id: string): string {
  return id.startsWith(ID[what]) ? id.slice(ID[what].length) : id;
}

/** A file. */
export function fileView({ id, data, createdAt, name, purpose }: TrainingFile): View {
  return {
    id: ID.file + id,
    object: "file",
    bytes: data.size,
    created_at: seconds(createdAt),
    filename: name,
    purpose,
    status: "processed",
    status_details: null,
  };
}

/** A job created through this interface. */
export interface FineTuningJob extends Job {
  readonly fineTuning: FineTuning;
}

/** Whether this interface created the job. */
export function isFineTuning(job: Job): job is FineTuningJob {
  return job.fineTuning !== undefined;
}

/**
 * The status that clients poll. Files are read before a job is accepted, so it is never `validating_files`. A job that
 * is being cancelled is shown as `cancelled`, its only possible end.
 */
const STATUS: Readonly<Record<JobState, string>> = {
  queued: "queued",
  starting: "running",
  running: "running",
  finalizing: "running",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

/** A job. */
export function jobView(job: FineTuningJob, model: Model): View {
  const { id, state, createdAt, finishedAt, cancelRequestedAt, fineTuning, error } = job;
  const { hyperparameters, suffix, seed, metadata, trainingFile, validationFile } = fineTuning;
  const { n_epochs, batch_size, learning_rate_multiplier } = hyperparameters;
  const settings = { n_epochs, batch_size, learning_rate_multiplier };
  const status = cancelRequestedAt === undefined || hasEnded(state) ? STATUS[state] : "cancelled";
  return {
    id: ID.job + id,
    object: "fine_tuning.job",
    model: fineTuning.model,
    created_at: seconds(createdAt),
    finished_at: finishedAt === undefined ? null : seconds(finishedAt),
    fine_tuned_model: job.checkpoint === undefined ? null : printFineTunedName(model),
    organization_id: model.entity,
    result_files: [],
    status: status!,
    training_file: ID.file + trainingFile,
    validation_file: validationFile === undefined ? null : ID.file + validationFile,
    hyperparameters: settings,
    method: { type: "supervised", supervised: { hyperparameters: settings } },
    trained_tokens: null,
    error: state === "failed" && error !== undefined ? { ...error, param: null } : null,
    user_provided_suffix: suffix ?? null,
    seed,
    estimated_finish: null,
    integrations: [],
    metadata: metadata ?? null,
  };
}

/** An event. */
export function eventView(numbered: NumberedEvent, job: FineTuningJob, model: Model): View {
  const { event } = numbered;
  const { level, message, data } = eventMessage(numbered, job, model);
  return {
    id: ID.event + event.id,
    object: "fine_tuning.job.event",
    created_at: seconds(event.at),
    level,
    message,
    type: data === undefined ? "message" : "metrics",
    data: data ?? {},
  };
}

/** The message of an event for people. */
interface EventMessage {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** Numbers, if there are any. */
  readonly data?: { readonly [name: string]: Json };
}

function eventMessage({ event, step }: NumberedEvent, job: FineTuningJob, model: Model): EventMessage {
  const info = (message: string, data?: EventMessage["data"]): EventMessage => ({
    level: "info",
    message,
    ...(data && { data }),
  });
  switch (event.type) {
    case "submitted":
      return info(`Created fine-tuning job ${ID.job}${job.id}: ${event.data.size} rows`);
    case "claimed":
      return info(
        event.data.attempt === 1
          ? "Fine-tuning job started"
          : `Fine-tuning job started again (attempt ${event.data.attempt})`,
      );
    case "training_started":
      return info(`Training takes ${event.data.num_sequences} steps`);
    case "resumed":
      return info("Training resumes");
    case "gradient_step":
      return info(...stepMessage(event, step, job));
    case "warning":
      return { level: "warn", message: event.data.message };
    case "trained":
      return info("Training has ended; its checkpoint is being written");
    case "training_ended":
      return info(`New fine-tuned model created: ${printFineTunedName(model)}`);
    case "requeued":
      return { level: "warn", message: `${event.data.error_message}; the job is queued again` };
    case "cancel_requested":
      return info("Cancellation was requested");
    case "training_failed":
      return event.data.code === "cancelled"
        ? info("Fine-tuning job cancelled")
        : { level: "error", message: `Fine-tuning job failed: ${event.data.error_message}` };
  }
}

function stepMessage(
  { data }: JobEvent & { readonly type: "gradient_step" },
  step: number,
  job: FineTuningJob,
): [string, { readonly [name: string]: Json }] {
  const { loss, ...others } = data;
  const total = job.plan?.sequences ?? step;
  const lossText = loss === undefined ? "" : `: training loss=${loss.toFixed(2)}`;
  return [
    `Step ${step}/${total}${lossText}`,
    { step, total_steps: total, ...(loss !== undefined && { train_loss: loss }), ...others },
  ];
}

/** A checkpoint of a job. */
export function checkpointView(checkpoint: Checkpoint, job: FineTuningJob, model: Model): View {
  const { "train/loss": train, "val/loss": validation } = checkpoint.metrics;
  return {
    id: ID.checkpoint + checkpoint.id,
    object: "fine_tuning.job.checkpoint",
    created_at: seconds(checkpoint.createdAt),
    fine_tuned_model_checkpoint: printFineTunedName(model, checkpoint.step),
    fine_tuning_job_id: ID.job + job.id,
    step_number: job.steps,
    metrics: {
      step: job.steps,
      ...(train !== undefined && { train_loss: train }),
      ...(validation !== undefined && { full_valid_loss: validation }),
    },
  };
}

function seconds(at: number): number {
  return Math.floor(at / 1000);
}
