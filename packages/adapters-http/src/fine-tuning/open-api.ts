// The fine-tuning face as an OpenAPI document describes it. Jobs are asked for by the schema that validates them.

import type { Json } from "@assay/base";
import { fineTuningSchema } from "@assay/training-core";
import type { OpenApiPart } from "../face.ts";

type Schema = { readonly [name: string]: Json };

const TEXT = { type: "string" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const NUMBER = { type: "number" } as const;
const TIME = { ...COUNT, description: "Seconds since 1970." } as const;
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const content = (name: string): Schema => ({ "application/json": { schema: ref(name) } });
const object = (description: string, properties: Schema): Schema => ({
  type: "object",
  description,
  required: Object.keys(properties),
  properties,
  additionalProperties: true,
});
const listOf = (name: string): Schema =>
  object("A page of a list.", {
    object: { const: "list" },
    data: { type: "array", items: ref(name) },
    first_id: TEXT,
    last_id: TEXT,
    has_more: { type: "boolean", description: "Whether there are more after the last one." },
  });

const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: "query",
  schema,
  description,
});
const AFTER = query("after", TEXT, "Only what comes after the item with this id.");
const limit = (maximum: number) =>
  query("limit", { type: "integer", minimum: 1, maximum }, "The most items of a page.");
const PAGE = [AFTER, limit(100)];
const PROJECT: Schema = {
  name: "OpenAI-Project",
  in: "header",
  schema: TEXT,
  description:
    "Where it belongs, as team/project: what the project option of clients sends. Default: the one project that the key is for, or default/fine-tuning; lists then have those of every project of the key.",
};

/** One thing that can be asked. */
interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: readonly Json[];
  readonly body?: Schema;
  readonly answer: Schema;
}

const FILE_FORM: Schema = {
  "multipart/form-data": {
    schema: {
      type: "object",
      required: ["file", "purpose"],
      properties: {
        file: {
          type: "string",
          format: "binary",
          description: 'Conversations, one JSON object on each line: {"messages": [...]}. At most 256 MiB.',
        },
        purpose: { const: "fine-tune", description: "What the file is for." },
      },
    },
  },
};

const JOB = "/v1/fine_tuning/jobs/{job_id}";
const NO_PAUSES = "Always refused: jobs cannot be paused here.";

const OPERATIONS: { readonly [path: string]: { readonly [method: string]: Operation } } = {
  "/v1/files": {
    post: {
      id: "create_file",
      summary: "Upload a file.",
      description: "Its rows are read when a job is created with it; until then any bytes are kept.",
      body: FILE_FORM,
      answer: content("File"),
    },
    get: {
      id: "list_files",
      summary: "List files, newest first.",
      query: [
        AFTER,
        limit(10_000),
        query("order", { enum: ["asc", "desc"] }, "By when they were uploaded."),
        query("purpose", TEXT, "Only files for this purpose."),
      ],
      answer: content("FileList"),
    },
  },
  "/v1/files/{file_id}": {
    get: { id: "retrieve_file", summary: "Show a file.", answer: content("File") },
    delete: {
      id: "delete_file",
      summary: "Delete a file.",
      description: "A job that is queued or running with it goes on.",
      answer: content("DeletedFile"),
    },
  },
  "/v1/files/{file_id}/content": {
    get: {
      id: "download_file",
      summary: "Download the bytes of a file.",
      answer: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    },
  },
  "/v1/fine_tuning/jobs": {
    post: {
      id: "create_fine_tuning_job",
      summary: "Fine-tune a model on a file.",
      description:
        "The model is a base model that is trained here, or a trained one, which is copied and stays as it is. Files are read before the answer: a row that is wrong is a 400 with its line. The new model is named in fine_tuned_model once the job has succeeded.",
      body: content("FineTuningRequest"),
      answer: content("FineTuningJob"),
    },
    get: {
      id: "list_fine_tuning_jobs",
      summary: "List the jobs that were created here, newest first.",
      query: PAGE,
      answer: content("FineTuningJobList"),
    },
  },
  [JOB]: {
    get: { id: "retrieve_fine_tuning_job", summary: "Show a job.", answer: content("FineTuningJob") },
  },
  [`${JOB}/cancel`]: {
    post: { id: "cancel_fine_tuning_job", summary: "Cancel a job.", answer: content("FineTuningJob") },
  },
  [`${JOB}/pause`]: {
    post: { id: "pause_fine_tuning_job", summary: NO_PAUSES, answer: content("FineTuningJob") },
  },
  [`${JOB}/resume`]: {
    post: { id: "resume_fine_tuning_job", summary: NO_PAUSES, answer: content("FineTuningJob") },
  },
  [`${JOB}/events`]: {
    get: {
      id: "list_fine_tuning_events",
      summary: "List the events of a job, newest first.",
      query: PAGE,
      answer: content("FineTuningEventList"),
    },
  },
  [`${JOB}/checkpoints`]: {
    get: {
      id: "list_fine_tuning_checkpoints",
      summary: "List the checkpoints of a job: one, once it has succeeded.",
      query: PAGE,
      answer: content("FineTuningCheckpointList"),
    },
  },
};

/** The paths and schemas of the fine-tuning face. */
export function fineTuningOpenApi(): OpenApiPart {
  const { $schema: _, ...request } = fineTuningSchema() as Schema;
  const paths = Object.entries(OPERATIONS).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, described(path, operation)]),
    ),
  ]);
  return {
    paths: Object.fromEntries(paths),
    schemas: { FineTuningRequest: { ...request, description: REQUEST }, ...SCHEMAS },
  };
}

function described(path: string, operation: Operation): Schema {
  const { id, summary, description, query: asked = [], body, answer } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path",
    required: true,
    schema: TEXT,
    description: name === "file_id" ? "Of a file, as in file-…." : "Of a job, as in ftjob-….",
  }));
  const refusals = body === undefined ? ["400", "401", "404", "422", "503", "507"] : Object.keys(REFUSALS);
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: ["fine-tuning"],
    parameters: [...named, ...asked, PROJECT],
    ...(body !== undefined && { requestBody: { required: true, content: body } }),
    responses: {
      "200": { description: "Done.", content: answer },
      ...Object.fromEntries(
        refusals.map((status) => [status, { description: REFUSALS[status]!, content: content("Refusal") }]),
      ),
    },
  };
}

const REFUSALS: { readonly [status: string]: string } = {
  "400": "The request, or a row of its file, is wrong; `param` says which field.",
  "401": "A valid API key is needed, and one that is for the project.",
  "404": "There is no such thing, or none that this key may see.",
  "409": "It contradicts what is there.",
  "413": "The file is too large.",
  "415": "The body is not JSON, or compressed in a way that is not understood.",
  "422": "The body is not JSON, or a parameter is not one of this route.",
  "503": "Something that is needed does not answer: come back later.",
  "507": "No space is left on the server's disk.",
};

const REQUEST =
  'A wish for a fine-tuning job. Absent and null settings, and "auto", are chosen here: n_epochs so that a hundred rows are seen at the least. learning_rate_multiplier is times the usual rate of 5e-5.';

const SETTING: Schema = { anyOf: [NUMBER, { const: "auto" }] };
const SETTINGS = object("How it is trained.", {
  n_epochs: SETTING,
  batch_size: SETTING,
  learning_rate_multiplier: SETTING,
});

const SCHEMAS: { readonly [name: string]: Json } = {
  File: object("An uploaded file.", {
    id: TEXT,
    object: { const: "file" },
    bytes: COUNT,
    created_at: TIME,
    filename: TEXT,
    purpose: TEXT,
    status: { const: "processed" },
  }),
  FileList: listOf("File"),
  DeletedFile: object("A file that is deleted.", {
    id: TEXT,
    object: { const: "file" },
    deleted: { const: true },
  }),
  FineTuningJob: object("A fine-tuning job.", {
    id: TEXT,
    object: { const: "fine_tuning.job" },
    model: { ...TEXT, description: "What it starts from, as it was asked for." },
    created_at: TIME,
    finished_at: orNull(TIME),
    fine_tuned_model: orNull({ ...TEXT, description: "The model that it made, to ask chats of." }),
    organization_id: { ...TEXT, description: "The team that it belongs to." },
    result_files: { type: "array", items: TEXT, description: "Always empty: metrics are in the events." },
    status: { enum: ["validating_files", "queued", "running", "succeeded", "failed", "cancelled"] },
    training_file: TEXT,
    validation_file: orNull(TEXT),
    hyperparameters: SETTINGS,
    trained_tokens: orNull(COUNT),
    error: orNull(object("Why it failed.", { code: TEXT, message: TEXT, param: orNull(TEXT) })),
    seed: COUNT,
    method: { type: "object" },
    user_provided_suffix: orNull(TEXT),
    metadata: orNull({ type: "object", additionalProperties: TEXT }),
    integrations: { type: "array", items: { type: "object" } },
    estimated_finish: orNull(TIME),
  }),
  FineTuningJobList: listOf("FineTuningJob"),
  FineTuningEvent: object("Something that has happened to a job.", {
    id: TEXT,
    object: { const: "fine_tuning.job.event" },
    created_at: TIME,
    level: { enum: ["info", "warn", "error"] },
    message: TEXT,
    type: { enum: ["message", "metrics"] },
    data: { type: "object", description: "The metrics of a step, by name." },
  }),
  FineTuningEventList: listOf("FineTuningEvent"),
  FineTuningCheckpoint: object("What a job has made.", {
    id: TEXT,
    object: { const: "fine_tuning.job.checkpoint" },
    created_at: TIME,
    fine_tuned_model_checkpoint: { ...TEXT, description: "Its name, to ask chats of." },
    fine_tuning_job_id: TEXT,
    step_number: COUNT,
    metrics: {
      type: "object",
      description:
        "train_loss of the last step; full_valid_loss of the validation file where it was measured.",
      additionalProperties: NUMBER,
    },
  }),
  FineTuningCheckpointList: listOf("FineTuningCheckpoint"),
};
