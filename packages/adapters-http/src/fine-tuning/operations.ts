// The fine-tuning operations of OpenAI's clients. The schema of a job's request also validates it.

import type { Json } from "@assay/base";
import { fineTuningSchema } from "@assay/training-core/internal";
import { type NumberRange, numberSchema } from "../request/number-range.ts";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import { inQuery, jsonContent, orNull, schemaRef } from "../routing/operation-parts.ts";
import { PAGE } from "../training/request/query.ts";
import { FILE_PAGE } from "./handler-parts.ts";

type Schema = { readonly [name: string]: Json };
/** The possible bodies, by media type. */
type Content = Schema;

const TEXT = { type: "string" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const NUMBER = { type: "number" } as const;
const TIME = { ...COUNT, description: "Seconds since 1970." } as const;
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
    data: { type: "array", items: schemaRef(name) },
    first_id: TEXT,
    last_id: TEXT,
    has_more: { type: "boolean", description: "Whether more follow the last one." },
  });

const AFTER = inQuery("after", TEXT, "Only items after the one with this id.");
const limit = (size: NumberRange) =>
  inQuery("limit", numberSchema(size), "The maximum number of items per page.");
const NEXT = [AFTER, limit(PAGE)];
const METADATA: Parameter = {
  name: "metadata",
  in: "query",
  style: "deepObject",
  explode: true,
  schema: { type: "object", additionalProperties: TEXT },
  description: "Only jobs whose metadata has all of these values, as in metadata[team]=a.",
};
const PROJECT: Parameter = {
  name: "OpenAI-Project",
  in: "header",
  schema: TEXT,
  description:
    "The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key.",
};

/** The short form of an operation. */
interface Short extends Pick<Operation, "method" | "path" | "summary" | "description" | "stream"> {
  readonly query?: readonly Parameter[];
  readonly body?: Content;
  readonly answer: Content;
}

const FILE_FORM: Content = {
  "multipart/form-data": {
    schema: {
      type: "object",
      required: ["file", "purpose"],
      properties: {
        file: {
          type: "string",
          format: "binary",
          description: 'Conversations, one JSON object per line: {"messages": [...]}. At most 256 MiB.',
        },
        purpose: { const: "fine-tune", description: "What the file is for." },
      },
    },
  },
};

const JOBS = "/v1/fine_tuning/jobs";
const NO_PAUSES = "Always refused: jobs cannot be paused.";

const SHORT: { readonly [id: string]: Short } = {
  create_file: {
    method: "POST",
    path: "/v1/files",
    summary: "Upload a file.",
    description: "Its rows are checked when you create a job with it; until then any bytes are accepted.",
    body: FILE_FORM,
    answer: jsonContent("File"),
  },
  list_files: {
    method: "GET",
    path: "/v1/files",
    summary: "List files, newest first.",
    query: [
      AFTER,
      limit(FILE_PAGE),
      inQuery("order", { enum: ["asc", "desc"], default: "desc" }, "Order by upload time."),
      inQuery("purpose", TEXT, "Only files for this purpose."),
    ],
    answer: jsonContent("FileList"),
  },
  retrieve_file: {
    method: "GET",
    path: "/v1/files/{file_id}",
    summary: "Show a file.",
    answer: jsonContent("File"),
  },
  delete_file: {
    method: "DELETE",
    path: "/v1/files/{file_id}",
    summary: "Delete a file.",
    description: "Jobs that are queued or running with it continue.",
    answer: jsonContent("DeletedFile"),
  },
  download_file: {
    method: "GET",
    path: "/v1/files/{file_id}/content",
    summary: "Download the bytes of a file.",
    stream: "large",
    answer: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
  },
  create_fine_tuning_job: {
    method: "POST",
    path: JOBS,
    summary: "Fine-tune a model on a file.",
    description:
      "The model is a base model that this server trains, or a trained model, which is copied and not changed. Files are checked first: an invalid row is a 400 with its line. The new model is in fine_tuned_model once the job has succeeded.",
    body: jsonContent("FineTuningRequest"),
    answer: jsonContent("FineTuningJob"),
  },
  list_fine_tuning_jobs: {
    method: "GET",
    path: JOBS,
    summary: "List the jobs that this interface created, newest first.",
    query: [...NEXT, METADATA],
    answer: jsonContent("FineTuningJobList"),
  },
  retrieve_fine_tuning_job: {
    method: "GET",
    path: `${JOBS}/{job_id}`,
    summary: "Show a job.",
    answer: jsonContent("FineTuningJob"),
  },
  cancel_fine_tuning_job: {
    method: "POST",
    path: `${JOBS}/{job_id}/cancel`,
    summary: "Cancel a job.",
    answer: jsonContent("FineTuningJob"),
  },
  pause_fine_tuning_job: {
    method: "POST",
    path: `${JOBS}/{job_id}/pause`,
    summary: NO_PAUSES,
    answer: jsonContent("FineTuningJob"),
  },
  resume_fine_tuning_job: {
    method: "POST",
    path: `${JOBS}/{job_id}/resume`,
    summary: NO_PAUSES,
    answer: jsonContent("FineTuningJob"),
  },
  list_fine_tuning_events: {
    method: "GET",
    path: `${JOBS}/{job_id}/events`,
    summary: "List the events of a job, newest first.",
    query: NEXT,
    answer: jsonContent("FineTuningEventList"),
  },
  list_fine_tuning_checkpoints: {
    method: "GET",
    path: `${JOBS}/{job_id}/checkpoints`,
    summary: "List the checkpoints of a job: one, once it has succeeded.",
    query: NEXT,
    answer: jsonContent("FineTuningCheckpointList"),
  },
};

/** The schemas that they refer to. */
export function fineTuningSchemas(): Schema {
  const { $schema: _, ...request } = fineTuningSchema() as Schema;
  return { FineTuningRequest: { ...request, description: REQUEST }, ...SCHEMAS };
}

function described({ query: asked = [], body, answer, ...operation }: Short): Operation {
  const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path" as const,
    required: true,
    schema: TEXT,
    description: name === "file_id" ? "Of a file, as in file-…." : "Of a job, as in ftjob-….",
  }));
  const withoutBody = ["400", "401", "404", ...(operation.stream ? ["429"] : []), "422", "503", "507"];
  const refusals = body === undefined ? withoutBody : Object.keys(REFUSALS);
  return {
    ...operation,
    tags: ["fine-tuning"],
    parameters: [...named, ...asked, PROJECT],
    ...(body !== undefined && { body: { required: true, content: body } }),
    answers: {
      "200": { description: "Done.", content: answer },
      ...Object.fromEntries(
        refusals.map((status) => [
          status,
          { description: REFUSALS[status]!, content: jsonContent("Refusal") },
        ]),
      ),
    },
    ...(operation.method !== "GET" && { verbs: ["train"] }),
  };
}

const REFUSALS: { readonly [status: string]: string } = {
  "400": "The request, or a row of its file, is wrong; `param` says which field.",
  "401": "A valid API key is needed, and one that is for the project.",
  "404": "Not found, or not visible to this key.",
  "409": "It conflicts with what exists.",
  "413": "The file is too large.",
  "415": "The body is not JSON, or has an unsupported compression.",
  "422": "The body is not JSON, or the route has no such parameter.",
  "429": "The server is busy, or the key has too many downloads open: try again later.",
  "503": "A service that this needs does not respond: try again later.",
  "507": "No space is left on the server's disk.",
};

/** The operations of files and fine-tuning jobs. */
export const OPERATIONS: Operations = Object.fromEntries(
  Object.entries(SHORT).map(([id, operation]) => [id, described(operation)]),
);

const REQUEST =
  'A request for a fine-tuning job. The server chooses absent and null settings and "auto": n_epochs so that training sees at least a hundred rows. learning_rate_multiplier multiplies the usual rate of 5e-5.';

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
    model: { ...TEXT, description: "The model that it starts from, as requested." },
    created_at: TIME,
    finished_at: orNull(TIME),
    fine_tuned_model: orNull({ ...TEXT, description: "The resulting model, for chats." }),
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
  FineTuningEvent: object("An event of a job.", {
    id: TEXT,
    object: { const: "fine_tuning.job.event" },
    created_at: TIME,
    level: { enum: ["info", "warn", "error"] },
    message: TEXT,
    type: { enum: ["message", "metrics"] },
    data: { type: "object", description: "The metrics of a step, by name." },
  }),
  FineTuningEventList: listOf("FineTuningEvent"),
  FineTuningCheckpoint: object("The result of a job.", {
    id: TEXT,
    object: { const: "fine_tuning.job.checkpoint" },
    created_at: TIME,
    fine_tuned_model_checkpoint: { ...TEXT, description: "Its name, for chats." },
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
