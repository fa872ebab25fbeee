// The operations of area B. The schemas that describe requests also validate them.

import type { Json } from "@assay/base";
import { JOB_STATUSES, requestSchemas } from "@assay/training-core/internal";
import { numberSchema } from "../request/number-range.ts";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import { inQuery, jsonContent, orNull, schemaRef } from "../routing/operation-parts.ts";
import { WAIT } from "./request/handler-parts.ts";
import { PAGE } from "./request/query.ts";

const TEXT = { type: "string" } as const;
const UUID = { type: "string", format: "uuid" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const TIME = { type: "string", format: "date-time" } as const;
const METRICS = { type: "object", additionalProperties: { type: "number" } } as const;
const DATA = { type: "object", additionalProperties: true } as const;

/** A body of a schema, or of a media type. */
const content = (name: string): { readonly [type: string]: Json } =>
  name.includes("/") ? { [name]: { schema: TEXT } } : jsonContent(name);
const object = (properties: { readonly [name: string]: Json }): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  additionalProperties: true,
});
const listOf = (name: string): Json =>
  object({
    object: { const: "list" },
    data: { type: "array", items: schemaRef(name) },
    first_id: TEXT,
    last_id: TEXT,
    has_more: { type: "boolean" },
  });

const NEXT = [
  inQuery("after", TEXT, "Only items after the one with this id."),
  inQuery("limit", numberSchema(PAGE), "The most items."),
];
const inOrder = (absent: "asc" | "desc"): readonly Parameter[] => [
  ...NEXT,
  inQuery("order", { enum: ["asc", "desc"], default: absent }, "By age or step."),
];
const WAITING = inQuery("wait", numberSchema(WAIT), "Seconds to wait for news when there is none.");
const EVENTS = [
  ...NEXT,
  inQuery("include", { enum: ["all"] }, "The service's own events too, such as submitted and claimed."),
  WAITING,
];
const JOBS = [
  ...inOrder("desc"),
  inQuery("status", TEXT, "Only jobs with these statuses, with commas between."),
  inQuery("model_id", TEXT, "Only jobs of this model."),
];

const EVALUATIONS = [
  ...inOrder("asc"),
  inQuery("step", COUNT, "Only those that name the checkpoint of this step."),
  inQuery("project", TEXT, "The project that was evaluated in, entity/project: the model's own by default."),
];

const ONCE: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  schema: TEXT,
  description: "Repeating a request with the same key changes nothing and returns the same answer.",
};

/** The short form of an operation. */
interface Short {
  readonly method: Operation["method"];
  readonly path: string;
  readonly summary: string;
  /** The schema of the JSON body, or the media type of another one. */
  readonly body?: string;
  /** The schema of the JSON answer, or the media type of another one. */
  readonly answer: string;
  readonly query?: readonly Parameter[];
  readonly key?: "none";
  readonly unlisted?: string;
  readonly stream?: "large";
}

const WORKERS = "only workers call it, with their own protocol";

const SHORT: { readonly [id: string]: Short } = {
  system_check: {
    method: "GET",
    path: "/v1/system-check",
    summary: "Check that everything that training depends on works.",
    answer: "SystemCheck",
    key: "none",
  },
  create_model: {
    method: "POST",
    path: "/v1/preview/models",
    summary: "Create a model, or find it.",
    body: "ModelRequest",
    answer: "TrainingModel",
  },
  list_models: {
    method: "GET",
    path: "/v1/preview/models",
    summary: "List models, oldest first (an extension).",
    query: NEXT,
    answer: "TrainingModelList",
  },
  get_model: {
    method: "GET",
    path: "/v1/preview/models/{model_id}",
    summary: "Show a model (an extension).",
    answer: "TrainingModelDetails",
  },
  delete_model: {
    method: "DELETE",
    path: "/v1/preview/models/{model_id}",
    summary: "Delete a model and what belongs to it.",
    answer: "DeletedModel",
  },
  list_checkpoints: {
    method: "GET",
    path: "/v1/preview/models/{model_id}/checkpoints",
    summary: "List checkpoints by step.",
    query: inOrder("asc"),
    answer: "CheckpointList",
  },
  delete_checkpoints: {
    method: "DELETE",
    path: "/v1/preview/models/{model_id}/checkpoints",
    summary: "Delete checkpoints.",
    body: "StepsRequest",
    answer: "DeletedCheckpoints",
  },
  get_checkpoint: {
    method: "GET",
    path: "/v1/preview/models/{model_id}/checkpoints/{step}",
    summary: "Show a checkpoint and its files (an extension).",
    answer: "CheckpointDetails",
  },
  download_checkpoint_file: {
    method: "GET",
    path: "/v1/preview/models/{model_id}/checkpoints/{step}/files/{name}",
    summary: "Download a file of a checkpoint (an extension).",
    stream: "large",
    answer: "application/octet-stream",
  },
  list_aliases: {
    method: "GET",
    path: "/v1/preview/models/{model_id}/aliases",
    summary: "List the aliases of checkpoints (an extension).",
    answer: "AliasList",
  },
  set_alias: {
    method: "PUT",
    path: "/v1/preview/models/{model_id}/aliases/{alias}",
    summary: "Give an alias to a checkpoint, or to the best one by a metric (an extension).",
    body: "AliasTarget",
    answer: "Alias",
  },
  delete_alias: {
    method: "DELETE",
    path: "/v1/preview/models/{model_id}/aliases/{alias}",
    summary: "Remove an alias (an extension).",
    answer: "DeletedAlias",
  },
  list_model_evaluations: {
    method: "GET",
    path: "/v1/preview/models/{model_id}/evaluations",
    summary: "List the evaluations that were run against a model, by start (an extension).",
    query: EVALUATIONS,
    answer: "ModelEvaluationList",
  },
  log: {
    method: "POST",
    path: "/v1/preview/models/{model_id}/log",
    summary: "Log trajectories: their statistics become metrics.",
    body: "LogRequest",
    answer: "Logged",
  },
  create_rl_training_job: {
    method: "POST",
    path: "/v1/preview/training-jobs",
    summary: "Submit a reinforcement job.",
    body: "RlRequest",
    answer: "TrainingJob",
  },
  list_training_jobs: {
    method: "GET",
    path: "/v1/preview/training-jobs",
    summary: "List jobs, newest first (an extension).",
    query: JOBS,
    answer: "TrainingJobList",
  },
  create_sft_training_job: {
    method: "POST",
    path: "/v1/preview/sft-training-jobs",
    summary: "Submit a fine-tuning job.",
    body: "SftRequest",
    answer: "TrainingJob",
  },
  upload_training_data: {
    method: "POST",
    path: "/v1/preview/training-data",
    summary: "Upload conversations, one JSON object per line (an extension).",
    body: "application/x-ndjson",
    answer: "TrainingData",
  },
  get_training_job: {
    method: "GET",
    path: "/v1/preview/training-jobs/{training_job_id}",
    summary: "Show a job.",
    answer: "TrainingJob",
  },
  cancel_training_job: {
    method: "POST",
    path: "/v1/preview/training-jobs/{training_job_id}/cancel",
    summary: "Cancel a job (an extension).",
    answer: "TrainingJob",
  },
  list_training_job_events: {
    method: "GET",
    path: "/v1/preview/training-jobs/{training_job_id}/events",
    summary: "List a job's events, oldest first; as text/event-stream, future ones too.",
    query: EVENTS,
    stream: "large",
    answer: "TrainingJobEventList",
  },
  claim_task: {
    method: "POST",
    path: "/v1/preview/worker/claim",
    unlisted: WORKERS,
    summary: "Take a job, or wait for one.",
    query: [WAITING],
    body: "application/json",
    answer: "application/json",
  },
  report_messages: {
    method: "POST",
    path: "/v1/preview/training-jobs/{training_job_id}/messages",
    unlisted: WORKERS,
    summary: "Report the progress of a claimed job.",
    body: "application/json",
    answer: "application/json",
  },
  fetch_job_file: {
    method: "GET",
    path: "/v1/preview/training-jobs/{training_job_id}/files/{sha256}",
    unlisted: WORKERS,
    summary: "Download a parent's file, or the data, of a claimed job.",
    answer: "application/octet-stream",
  },
  leave_job_file: {
    method: "POST",
    path: "/v1/preview/training-jobs/{training_job_id}/files",
    unlisted: WORKERS,
    summary: "Upload a file of the checkpoint of a claimed job.",
    body: "application/octet-stream",
    answer: "application/json",
  },
};

/** The schemas that they refer to. */
export function trainingSchemas(): { readonly [name: string]: Json } {
  return { ...requestSchemas(), ...SCHEMAS };
}

function described(id: string, { body, answer, query: asked = [], ...operation }: Short): Operation {
  const { method, path, key } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path" as const,
    required: true,
    schema: name === "step" ? COUNT : TEXT,
  }));
  const refusals =
    body === undefined
      ? ["401", "404", "409", "422", "503", "507"]
      : ["400", "401", "404", "409", "413", "415", "422", "503", "507"];
  return {
    ...operation,
    tags: ["training"],
    parameters: [...named, ...asked, ...(id.startsWith("create_") ? [ONCE] : [])],
    ...(body !== undefined && { body: { required: true, content: content(body) } }),
    answers: {
      "200": { description: "Done.", content: content(answer) },
      ...Object.fromEntries(
        refusals.map((status) => [status, { description: REFUSALS[status]!, content: content("Refusal") }]),
      ),
    },
    ...(key === "none" ? { verbs: [] } : method !== "GET" && { verbs: ["train"] }),
  };
}

const REFUSALS: { readonly [status: string]: string } = {
  "400": "The body cannot be decoded.",
  "401": "A valid API key is needed.",
  "404": "Not found, or not visible to this key.",
  "409": "It conflicts with what exists.",
  "413": "The body is too large.",
  "415": "The body has an unsupported type.",
  "422": "The request is wrong; `detail` says where.",
  "503": "A service that this needs does not respond: try again later.",
  "507": "No space is left on the server's disk.",
};

/** The operations of training and its workers. */
export const OPERATIONS: Operations = Object.fromEntries(
  Object.entries(SHORT).map(([id, operation]) => [id, described(id, operation)]),
);

const CHECK = object({
  success: { type: "boolean" },
  duration: { type: "number" },
  errors: { type: "array", items: TEXT },
});
const CHECKPOINT = { id: UUID, step: COUNT, metrics: METRICS };

const MODEL = {
  id: UUID,
  entity: TEXT,
  project: TEXT,
  name: TEXT,
  base_model: TEXT,
  run_id: orNull(TEXT),
};

const SCHEMAS: { readonly [name: string]: Json } = {
  TrainingModel: object(MODEL),
  TrainingModelDetails: object({
    ...MODEL,
    object: { const: "training.model" },
    created_at: TIME,
    step: COUNT,
    active_job_id: orNull(UUID),
    metrics: CHECKPOINT.metrics,
  }),
  TrainingModelList: listOf("TrainingModelDetails"),
  DeletedModel: object({ model_id: UUID, deleted_checkpoints: COUNT, deleted_run: { type: "boolean" } }),
  Checkpoint: object(CHECKPOINT),
  CheckpointList: listOf("Checkpoint"),
  CheckpointDetails: object({
    ...CHECKPOINT,
    model_id: UUID,
    base_model: TEXT,
    parent_step: COUNT,
    copy_of: orNull({ type: "object", properties: { model_id: UUID, step: COUNT } }),
    training_data: orNull({ type: "object", properties: { url: TEXT, sha256: TEXT } }),
    training_job_id: orNull(UUID),
    created_at: TIME,
    files: { type: "array", items: object({ name: TEXT, sha256: TEXT, size: COUNT, path: TEXT }) },
  }),
  AliasTarget: {
    type: "object",
    description: "A step, or a metric whose best checkpoint the alias follows.",
    oneOf: [
      { required: ["step"], not: { required: ["metric"] } },
      { required: ["metric"], not: { required: ["step"] } },
    ],
    properties: {
      step: { type: "integer" },
      metric: { type: "string", minLength: 1, maxLength: 256 },
      goal: { enum: ["max", "min"], description: "Which value is best; default max." },
    },
  },
  Alias: object({ alias: TEXT, step: COUNT, metric: orNull(TEXT), goal: orNull({ enum: ["max", "min"] }) }),
  AliasList: object({ object: { const: "list" }, data: { type: "array", items: schemaRef("Alias") } }),
  DeletedAlias: object({ alias: TEXT, deleted: { const: true } }),
  ModelEvaluation: object({
    id: TEXT,
    project: TEXT,
    name: orNull(TEXT),
    model: TEXT,
    step: orNull(COUNT),
    alias: orNull(TEXT),
    started_at: orNull(TIME),
    ended_at: orNull(TIME),
    trials: COUNT,
  }),
  ModelEvaluationList: listOf("ModelEvaluation"),
  StepsRequest: {
    type: "object",
    required: ["steps"],
    properties: { steps: { type: "array", maxItems: 10_000, items: { type: "integer" } } },
  },
  DeletedCheckpoints: object({
    deleted_count: COUNT,
    not_found_steps: { type: "array", items: { type: "integer" } },
  }),
  Logged: object({ metrics: METRICS }),
  TrainingData: object({ training_data_url: TEXT, sha256: TEXT, bytes: COUNT, rows: COUNT }),
  TrainingJob: object({
    id: UUID,
    object: { const: "training.job" },
    type: { enum: ["rl", "sft"] },
    status: { enum: JOB_STATUSES },
    model_id: UUID,
    created_at: TIME,
    started_at: orNull(TIME),
    finished_at: orNull(TIME),
    attempt: COUNT,
    max_attempts: COUNT,
    progress: object({ step: COUNT, total: orNull(COUNT) }),
    num_submitted: COUNT,
    num_trainable: COUNT,
    skipped: { type: "array", items: object({ group: COUNT, trajectory: COUNT, reason: TEXT }) },
    warnings: { type: "array", items: object({ code: TEXT, message: TEXT, count: COUNT }) },
    checkpoint_step: orNull(COUNT),
    error: orNull({
      type: "object",
      required: ["code", "message"],
      properties: { code: TEXT, message: TEXT },
    }),
  }),
  TrainingJobList: listOf("TrainingJob"),
  TrainingJobEvent: object({
    id: UUID,
    type: TEXT,
    created_at: { ...TEXT, format: "date-time" },
    data: DATA,
  }),
  TrainingJobEventList: listOf("TrainingJobEvent"),
  SystemCheck: object({
    api: { type: "boolean" },
    database: { type: "boolean" },
    cpu_queue: CHECK,
    gpu_queue: CHECK,
  }),
  Refusal: object({
    detail: { anyOf: [TEXT, { type: "array", items: DATA }] },
    error: object({ message: TEXT, type: TEXT, param: orNull(TEXT), code: orNull(TEXT) }),
  }),
};
