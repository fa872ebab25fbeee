// Area B as an OpenAPI document describes it. Requests are described by the schemas that validate them.

import type { Json } from "@assay/base";
import { JOB_STATUSES, requestSchemas } from "@assay/training-core";
import type { OpenApiPart } from "../face.ts";

const TEXT = { type: "string" } as const;
const UUID = { type: "string", format: "uuid" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const TIME = { type: "string", format: "date-time" } as const;
const METRICS = { type: "object", additionalProperties: { type: "number" } } as const;
const DATA = { type: "object", additionalProperties: true } as const;
const orNull = (schema: { readonly [name: string]: Json }) => ({ anyOf: [schema, { type: "null" }] });

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (name: string) => ({ "application/json": { schema: ref(name) } });
const object = (properties: { readonly [name: string]: Json }): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  additionalProperties: true,
});
const listOf = (name: string): Json =>
  object({
    object: { const: "list" },
    data: { type: "array", items: ref(name) },
    first_id: TEXT,
    last_id: TEXT,
    has_more: { type: "boolean" },
  });

const query = (name: string, schema: { readonly [name: string]: Json }, description: string) => ({
  name,
  in: "query",
  schema,
  description,
});
const PAGE = [
  query("after", TEXT, "Only what comes after the item with this id."),
  query("limit", { type: "integer", minimum: 1, maximum: 100 }, "The most items."),
  query("order", { enum: ["asc", "desc"] }, "By age or step."),
];
const EVENTS = [
  ...PAGE.slice(0, 2),
  query("include", { enum: ["all"] }, "The service's own events too, such as submitted and claimed."),
  query("wait", { type: "number", minimum: 0, maximum: 55 }, "Seconds to wait for news when there is none."),
];
const JOBS = [
  ...PAGE,
  query("status", TEXT, "Only jobs with these statuses, with commas between."),
  query("model_id", TEXT, "Only jobs of this model."),
];

const EVALUATIONS = [
  ...PAGE,
  query("step", COUNT, "Only those that name the checkpoint of this step."),
  query("project", TEXT, "The project that was evaluated in, entity/project: the model's own by default."),
];

interface Operation {
  readonly id: string;
  readonly summary: string;
  /** Schema of the JSON body, or the media type of one that is not JSON. */
  readonly body?: string;
  readonly answer: string | { readonly type: string };
  readonly query?: readonly Json[];
  readonly open?: boolean;
}

const OPERATIONS: { readonly [path: string]: { readonly [method: string]: Operation } } = {
  "/v1/system-check": {
    get: {
      id: "system_check",
      summary: "Whether everything that training needs works.",
      answer: "SystemCheck",
      open: true,
    },
  },
  "/v1/preview/models": {
    post: {
      id: "create_model",
      summary: "Create a model, or find it.",
      body: "ModelRequest",
      answer: "TrainingModel",
    },
    get: {
      id: "list_models",
      summary: "List models (an extension).",
      query: PAGE,
      answer: "TrainingModelList",
    },
  },
  "/v1/preview/models/{model_id}": {
    get: { id: "get_model", summary: "Show a model (an extension).", answer: "TrainingModel" },
    delete: { id: "delete_model", summary: "Delete a model and what belongs to it.", answer: "DeletedModel" },
  },
  "/v1/preview/models/{model_id}/checkpoints": {
    get: {
      id: "list_checkpoints",
      summary: "List checkpoints by step.",
      query: PAGE,
      answer: "CheckpointList",
    },
    delete: {
      id: "delete_checkpoints",
      summary: "Delete checkpoints.",
      body: "StepsRequest",
      answer: "DeletedCheckpoints",
    },
  },
  "/v1/preview/models/{model_id}/checkpoints/{step}": {
    get: {
      id: "get_checkpoint",
      summary: "Show a checkpoint and its files (an extension).",
      answer: "CheckpointDetails",
    },
  },
  "/v1/preview/models/{model_id}/checkpoints/{step}/files/{name}": {
    get: {
      id: "download_checkpoint_file",
      summary: "Download a file of a checkpoint (an extension).",
      answer: { type: "application/octet-stream" },
    },
  },
  "/v1/preview/models/{model_id}/aliases": {
    get: {
      id: "list_aliases",
      summary: "List the names of checkpoints that are no steps (an extension).",
      answer: "AliasList",
    },
  },
  "/v1/preview/models/{model_id}/aliases/{alias}": {
    put: {
      id: "set_alias",
      summary: "Give a name to a checkpoint, or to whichever is best by a metric (an extension).",
      body: "AliasTarget",
      answer: "Alias",
    },
    delete: { id: "delete_alias", summary: "Take a name away (an extension).", answer: "DeletedAlias" },
  },
  "/v1/preview/models/{model_id}/evaluations": {
    get: {
      id: "list_model_evaluations",
      summary: "List the evaluations that were run against a model, by start (an extension).",
      query: EVALUATIONS,
      answer: "ModelEvaluationList",
    },
  },
  "/v1/preview/models/{model_id}/log": {
    post: {
      id: "log",
      summary: "Log trajectories: their statistics become metrics.",
      body: "LogRequest",
      answer: "Logged",
    },
  },
  "/v1/preview/training-jobs": {
    post: {
      id: "create_rl_training_job",
      summary: "Submit a reinforcement job.",
      body: "RlRequest",
      answer: "TrainingJob",
    },
    get: {
      id: "list_training_jobs",
      summary: "List jobs, newest first (an extension).",
      query: JOBS,
      answer: "TrainingJobList",
    },
  },
  "/v1/preview/sft-training-jobs": {
    post: {
      id: "create_sft_training_job",
      summary: "Submit a fine-tuning job.",
      body: "SftRequest",
      answer: "TrainingJob",
    },
  },
  "/v1/preview/training-data": {
    post: {
      id: "upload_training_data",
      summary: "Upload conversations, one JSON object on each line (an extension).",
      body: "application/x-ndjson",
      answer: "TrainingData",
    },
  },
  "/v1/preview/training-jobs/{training_job_id}": {
    get: { id: "get_training_job", summary: "Show a job.", answer: "TrainingJob" },
  },
  "/v1/preview/training-jobs/{training_job_id}/cancel": {
    post: { id: "cancel_training_job", summary: "Cancel a job (an extension).", answer: "TrainingJob" },
  },
  "/v1/preview/training-jobs/{training_job_id}/events": {
    get: {
      id: "list_training_job_events",
      summary: "List a job's events, oldest first; as text/event-stream, those to come too.",
      query: EVENTS,
      answer: "TrainingJobEventList",
    },
  },
};

/** The paths and schemas of the training face, but for those that only workers use. */
export function trainingOpenApi(): OpenApiPart {
  const paths = Object.entries(OPERATIONS).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, described(path, operation)]),
    ),
  ]);
  return { paths: Object.fromEntries(paths), schemas: { ...requestSchemas(), ...SCHEMAS } };
}

function described(path: string, { id, summary, body, answer, query: asked = [], open }: Operation): Json {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path",
    required: true,
    schema: name === "step" ? COUNT : TEXT,
  }));
  const once = {
    name: "Idempotency-Key",
    in: "header",
    schema: TEXT,
    description: "The same request under the same key is answered as before, and nothing happens.",
  };
  const media = body?.includes("/") ? { [body]: { schema: TEXT } } : content(body ?? "");
  const given = typeof answer === "string" ? content(answer) : { [answer.type]: { schema: TEXT } };
  const refusals =
    body === undefined
      ? ["401", "404", "409", "422", "503", "507"]
      : ["400", "401", "404", "409", "413", "415", "422", "503", "507"];
  return {
    operationId: id,
    summary,
    tags: ["training"],
    ...(open && { security: [{}] }),
    parameters: [...named, ...asked, ...(id.startsWith("create_") ? [once] : [])],
    ...(body !== undefined && { requestBody: { required: true, content: media } }),
    responses: {
      "200": { description: "Done.", content: given },
      ...Object.fromEntries(
        refusals.map((status) => [status, { description: REFUSALS[status]!, content: content("Refusal") }]),
      ),
    },
  };
}

const REFUSALS: { readonly [status: string]: string } = {
  "400": "The body cannot be decoded.",
  "401": "A valid API key is needed.",
  "404": "There is no such thing, or none that this key may see.",
  "409": "It contradicts what is there.",
  "413": "The body is too large.",
  "415": "The body is of a kind that is not understood.",
  "422": "The request is wrong; `detail` says where.",
  "503": "Something that is needed does not answer: come back later.",
  "507": "No space is left on the server's disk.",
};

const CHECK = object({
  success: { type: "boolean" },
  duration: { type: "number" },
  errors: { type: "array", items: TEXT },
});
const CHECKPOINT = { id: UUID, step: COUNT, metrics: METRICS };

const SCHEMAS: { readonly [name: string]: Json } = {
  TrainingModel: object({
    id: UUID,
    entity: TEXT,
    project: TEXT,
    name: TEXT,
    base_model: TEXT,
    run_id: orNull(TEXT),
  }),
  TrainingModelList: listOf("TrainingModel"),
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
    description: "A step, or a metric whose best checkpoint the alias always means.",
    oneOf: [
      { required: ["step"], not: { required: ["metric"] } },
      { required: ["metric"], not: { required: ["step"] } },
    ],
    properties: {
      step: { type: "integer" },
      metric: { type: "string", minLength: 1, maxLength: 256 },
      goal: { enum: ["max", "min"], description: "Which value is best; max when it is not said." },
    },
  },
  Alias: object({ alias: TEXT, step: COUNT, metric: orNull(TEXT), goal: orNull({ enum: ["max", "min"] }) }),
  AliasList: object({ object: { const: "list" }, data: { type: "array", items: ref("Alias") } }),
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
