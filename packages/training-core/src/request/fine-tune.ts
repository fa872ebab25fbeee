// Fine-tuning for OpenAI's clients: files by ID, and a new model for each job.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { lazySchemas } from "@assay/base/internal";
import { type } from "arktype";
import type { FineTuning, Hyperparameter } from "../job/fine-tuning.ts";
import type { Job } from "../job/job.ts";
import type { TrainingConfig } from "../job/training-spec.ts";
import type { Model, ModelName } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { TrainingContext } from "../state/context.ts";
import { resolveModel, type ServedModel } from "../state/resolve-model.ts";
import { baseModelIssue, nameIssues } from "./create-model.ts";
import type { IdempotencyKey } from "./idempotency-key.ts";
import { readTyped } from "./parse/issues.ts";
import { checkRows, type UploadedRows } from "./parse/sft-data.ts";
import { allTrainable, type JobModel, jobOfKey, submit } from "./submit-job.ts";

/** A request for a fine-tuning job in OpenAI's format. */
export interface FineTuningRequest extends Omit<FineTuning, "seed"> {
  /** The seed of the order of rows; chosen if absent. */
  readonly seed?: number;
}

/** The input of a job in addition to its request. */
export interface FineTuningTarget extends Omit<ModelName, "name"> {
  /** The trained model to continue from, if the request names one. */
  readonly from?: ModelName & { readonly step: number | "latest" };
}

const requestBody = lazySchemas(() => {
  const hyperparameters = type({
    "+": "reject",
    "n_epochs?": "1 <= number.integer <= 50 | 'auto' | null",
    "batch_size?": "1 <= number.integer <= 256 | 'auto' | null",
    "learning_rate_multiplier?": type("number > 0").or("'auto' | null"),
  });

  return type({
    "+": "reject",
    model: "0 < string <= 1024",
    training_file: "0 < string <= 64",
    "validation_file?": "string <= 64 | null",
    "hyperparameters?": hyperparameters.or("null"),
    "method?": type({
      "+": "reject",
      type: "'supervised' | 'dpo' | 'reinforcement'",
      "supervised?": type({ "+": "reject", "hyperparameters?": hyperparameters.or("null") }).or("null"),
      "dpo?": "object | null",
      "reinforcement?": "object | null",
    }).or("null"),
    "suffix?": "string <= 64 | null",
    "seed?": "0 <= number.integer <= 2147483647 | null",
    "metadata?": type("Record<string, string>").or("null"),
    "integrations?": "unknown[] | null",
  });
});

/** The JSON Schema of a request for a fine-tuning job. */
export function fineTuningSchema(): object {
  return requestBody().toJsonSchema();
}

const MOST_METADATA = 16;

/** Reads the body of a request for a fine-tuning job. Issues: `missing`, `type`, `name`, `unsupported`. */
export function readFineTuningRequest(raw: unknown): Result<FineTuningRequest> {
  const read = readTyped(requestBody(), raw);
  if (!read.ok) return read;
  const { model, method, suffix, seed, metadata, integrations } = read.value;
  const issues: Issue[] = [];
  if (method != null && method.type !== "supervised") {
    const message = `only supervised fine-tuning is supported here; for reinforcement learning use /v1/preview/training-jobs`;
    issues.push({ code: "unsupported", path: ["method", "type"], message });
  }
  for (const other of ["dpo", "reinforcement"] as const) {
    if (method?.type !== "supervised" || method[other] == null) continue;
    issues.push({ code: "unsupported", path: ["method", other], message: "the type is supervised" });
  }
  // Older clients send them outside of the method, and some send both.
  const places = [method?.supervised?.hyperparameters, read.value.hyperparameters];
  const given = (name: keyof FineTuning["hyperparameters"]): Hyperparameter => {
    const [value = "auto", other = value] = places.flatMap((place) => place?.[name] ?? []);
    if (value !== other) {
      const message = "method.supervised.hyperparameters has a different value";
      issues.push({ code: "type", path: ["hyperparameters", name], message });
    }
    return value;
  };
  const hyperparameters = {
    n_epochs: given("n_epochs"),
    batch_size: given("batch_size"),
    learning_rate_multiplier: given("learning_rate_multiplier"),
  };
  if (integrations != null && integrations.length > 0) {
    const message = "integrations are not supported: metrics are in the events of the job";
    issues.push({ code: "unsupported", path: ["integrations"], message });
  }
  if (suffix) issues.push(...nameIssues("suffix", suffix));
  issues.push(...metadataIssues(metadata ?? {}));
  if (issues.length > 0) return bad(issues);
  return ok({
    model,
    trainingFile: read.value.training_file,
    ...(read.value.validation_file && { validationFile: read.value.validation_file }),
    hyperparameters,
    ...(suffix && { suffix }),
    ...(seed != null && { seed }),
    ...(metadata != null && { metadata }),
  });
}

function metadataIssues(metadata: Readonly<Record<string, string>>): readonly Issue[] {
  const pairs = Object.entries(metadata);
  const long = pairs.some(([name, value]) => name.length > 64 || value.length > 512);
  if (pairs.length <= MOST_METADATA && !long) return [];
  const message = `metadata may have at most ${MOST_METADATA} names of 64 characters, with values of 512`;
  return [{ code: "type", path: ["metadata"], message }];
}

/**
 * Reads the files of a request and queues a job for them, together with its new model. Issues: `file_not_found`,
 * `invalid_file` (with its line), `model_not_found`, `base_model`, `idempotency_key`.
 */
export async function submitFineTuning(
  training: TrainingContext,
  request: FineTuningRequest,
  place: FineTuningTarget,
  once?: IdempotencyKey,
): Promise<Result<Job>> {
  // Reads no files for a request that was already answered.
  const earlier = await jobOfKey(training, once);
  if (earlier !== undefined) return earlier;
  const start = await startOf(training, request, place);
  if (!start.ok) return start;
  const rows = await rowsOf(training, place, "training_file", request.trainingFile);
  if (!rows.ok) return rows;
  const { validationFile } = request;
  const validation =
    validationFile === undefined
      ? ok(undefined)
      : await rowsOf(training, place, "validation_file", validationFile);
  if (!validation.ok) return validation;
  const seed = request.seed ?? seedOf(training.ids.next());
  const n_epochs = epochsOf(request.hyperparameters.n_epochs, rows.value.rows);
  const fineTuning: FineTuning = {
    ...request,
    hyperparameters: { ...request.hyperparameters, n_epochs },
    seed,
  };
  const spec = {
    kind: "sft" as const,
    training_data_url: `files/${request.trainingFile}`,
    data: rows.value.data,
    rows: rows.value.rows,
    ...(validation.value !== undefined && { validation: validation.value.data }),
    config: configOf(fineTuning),
  };
  const find = async (jobId: string) => ok(newModel(training, place, start.value, nameOf(request, jobId)));
  return submit(training, { find, spec, trainable: allTrainable(rows.value.rows), fineTuning }, once);
}

/** The start of a job: a base model, or a checkpoint of a trained one. */
interface Start extends Pick<ServedModel, "checkpoint"> {
  readonly baseModel: string;
}

async function startOf(
  training: TrainingContext,
  { model }: FineTuningRequest,
  { from }: FineTuningTarget,
): Promise<Result<Start>> {
  if (from === undefined) {
    const refused = baseModelIssue(training, model, "model");
    return refused === undefined ? ok({ baseModel: model, checkpoint: undefined }) : bad([refused]);
  }
  const found = await resolveModel(training.store, from);
  if (!found.ok) return found;
  return ok({ baseModel: found.value.model.baseModel, checkpoint: found.value.checkpoint });
}

/** The rows of the file with this ID, which must be in the same project. */
async function rowsOf(
  training: TrainingContext,
  { entity, project }: FineTuningTarget,
  field: string,
  id: string,
): Promise<Result<UploadedRows>> {
  const file = await training.store.file(id);
  if (file === undefined || !isUsable(file, entity, project))
    return bad([{ code: "file_not_found", path: [field], message: "no such file in this project" }]);
  if (file.purpose !== "fine-tune")
    return bad([
      { code: "invalid_file", path: [field], message: `the file is for ${file.purpose}, not for fine-tune` },
    ]);
  const rows = await checkRows(training, file.data);
  if (rows.ok) return rows;
  return bad(
    rows.issues.map(({ path, message }) => ({
      code: "invalid_file",
      path: [field],
      message:
        path.length === 0
          ? message
          : `${path.slice(0, 2).join(" ")}: ${[...path.slice(2), message].join(": ")}`,
    })),
  );
}

function isUsable(file: TrainingFile, entity: string, project: string): boolean {
  return file.deletedAt === undefined && file.entity === entity && file.project === project;
}

/** The part of a job's ID that is in the name of its model. */
const ID_LENGTH = 8;

function nameOf({ suffix }: FineTuningRequest, jobId: string): string {
  const id = jobId.replaceAll("-", "").slice(-ID_LENGTH);
  return suffix === undefined ? id : `${suffix}-${id}`;
}

function newModel(
  training: TrainingContext,
  { entity, project, from }: FineTuningTarget,
  { baseModel, checkpoint }: Start,
  name: string,
): JobModel {
  const createdAt = training.clock.now();
  const model: Model = {
    id: training.ids.next(),
    version: 0,
    entity,
    project,
    name,
    baseModel,
    createdAt,
    headStep: checkpoint === undefined ? 0 : 1,
    jobCount: 0,
    baseMetrics: {},
    fineTuned: true,
  };
  if (checkpoint === undefined || from === undefined) return { model };
  const { files, metrics, modelId, step } = checkpoint;
  const copy = {
    id: training.ids.next(),
    modelId: model.id,
    step: 1,
    parentStep: 0,
    files,
    metrics,
    createdAt,
  };
  return { model, checkpoints: [{ ...copy, copyOf: { modelId, step } }] };
}

/** The trainer's settings, without those left to it. */
function configOf({ hyperparameters, seed }: FineTuning): TrainingConfig {
  const { n_epochs, batch_size, learning_rate_multiplier: times } = hyperparameters;
  return {
    epochs: n_epochs === "auto" ? null : n_epochs,
    batch_size: batch_size === "auto" ? null : batch_size,
    learning_rate: times === "auto" ? null : times * USUAL_RATE,
    seed,
  };
}

/** The learning rate that clients of large models send by default. */
const USUAL_RATE = 5e-5;

/** At least a hundred rows are seen, in at most 25 passes: the rule for `auto` in OpenAI's cookbook. */
function epochsOf(asked: Hyperparameter, rows: number): number {
  if (asked !== "auto") return asked;
  if (3 * rows < 100) return Math.min(25, Math.floor(100 / rows));
  return 3 * rows > 25_000 ? Math.max(1, Math.floor(25_000 / rows)) : 3;
}

function seedOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 7), 16) || 0;
}
