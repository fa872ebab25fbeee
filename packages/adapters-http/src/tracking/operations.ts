// The operations of runs and artifacts.

import type { Json } from "@assay/base";
import { numberSchema } from "../request/number-range.ts";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import {
  detailAnswers,
  inQuery,
  jsonContent,
  orNull,
  PROJECT_PARAMETERS,
} from "../routing/operation-parts.ts";
import { DOWNLOADS, UPLOADS } from "./access/signed-urls.ts";

/** The page sizes of runs and of a run's lines. */
export const RUN_PAGE = { least: 1, most: 1000, absent: 50, whole: true };
export const LINE_PAGE = { least: 1, most: 10_000, absent: 1000, whole: true };

const TEXT = { type: "string" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const WHOLE = { type: "integer", minimum: 0 } as const;
const OBJECT = { type: "object", additionalProperties: true } as const;

const inPath = (name: string): Parameter => ({ name, in: "path", required: true, schema: TEXT });
const RUN_PARAMETER = inPath("run");
const FILE_ANSWER: Json = {
  description: "The bytes of the file.",
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};

function object(properties: { readonly [name: string]: Json }): Json {
  return { type: "object", properties, required: Object.keys(properties) };
}

const WORDS = {
  400: "What is wrong with the request.",
  401: "A valid API key is needed.",
  404: "No such run for this key.",
  413: "The body is too large.",
  415: "The body is not JSON, or has an unsupported compression.",
  429: "The server is busy.",
  503: "Try again.",
  507: "No space is left on the server's disk.",
} as const;

const problems = (descriptions: { readonly [status: string]: string }): { readonly [status: string]: Json } =>
  Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, content: jsonContent("RunProblem") },
    ]),
  );

function get(path: string, summary: string, parameters: readonly Parameter[], schema: string): Operation {
  return {
    method: "GET",
    path,
    summary,
    tags: ["runs"],
    parameters: [...PROJECT_PARAMETERS, ...parameters],
    answers: {
      "200": { description: "Found.", content: jsonContent(schema) },
      ...detailAnswers([500]),
      ...problems({
        401: WORDS[401],
        404: WORDS[404],
        422: "What is wrong with the request.",
        503: WORDS[503],
        507: WORDS[507],
      }),
    },
  };
}

function remove(path: string, summary: string, parameter: Parameter): Operation {
  return {
    method: "DELETE",
    path,
    summary,
    tags: ["runs"],
    parameters: [...PROJECT_PARAMETERS, parameter],
    answers: {
      "200": { description: "Deleted.", content: jsonContent("RemovedByName") },
      ...detailAnswers([500]),
      ...problems({
        401: "A valid API key is needed.",
        404: "Not found for this key.",
        409: "It is a checkpoint: delete it through its model.",
        503: "Try again.",
      }),
    },
  };
}

const RUN = {
  id: TEXT,
  name: TEXT,
  display_name: TEXT,
  state: { enum: ["running", "finished", "failed", "crashed"] },
  created_at: TIME,
  heartbeat_at: TIME,
  exit_code: orNull({ type: "integer" }),
  group: orNull(TEXT),
  job_type: orNull(TEXT),
  tags: { type: "array", items: TEXT },
  notes: orNull(TEXT),
  last_step: orNull({ type: "number" }),
  history_lines: WHOLE,
  summary: OBJECT,
  model_id: orNull(TEXT),
} as const;

const HISTORY_LINE = {
  type: "object",
  properties: {
    _step: {
      type: ["number", "null"],
      description: "The step, if the client named it; otherwise the line's number, from 0.",
    },
  },
  additionalProperties: {},
} as const;

/** The schemas that operations refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = {
  Run: object(RUN),
  RunDetails: object({ ...RUN, config: OBJECT, history_keys: { type: "array", items: TEXT } }),
  RunList: object({
    runs: { type: "array", items: { $ref: "#/components/schemas/Run" } },
    next: orNull(TEXT),
  }),
  RunHistory: object({
    history: { type: "array", items: HISTORY_LINE },
    next_step: orNull({ type: "number" }),
  }),
  RunUpdate: {
    type: "object",
    properties: {
      files: {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: { offset: WHOLE, content: { type: "array", items: TEXT } },
        },
      },
      uploaded: { type: "array", items: TEXT },
      complete: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      exitcode: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
  },
  RemovedByName: object({ name: TEXT, deleted: { const: true } }),
  GraphqlRequest: {
    type: "object",
    properties: { query: TEXT, variables: orNull(OBJECT), operationName: orNull(TEXT) },
    required: ["query"],
  },
  RunProblem: {
    type: "object",
    properties: {
      detail: { description: "What is wrong: a text, or a list of issues." },
      errors: { type: "array", items: { type: "object" } },
    },
    required: ["detail"],
  },
  GraphqlErrors: {
    type: "object",
    properties: {
      detail: {},
      errors: {
        type: "array",
        items: { type: "object", properties: { message: TEXT }, required: ["message"] },
      },
    },
    required: ["errors"],
  },
};

const ERRORS: { readonly [status: string]: Json } = Object.fromEntries(
  Object.entries(WORDS).map(([status, description]) => [
    status,
    { description, content: jsonContent("GraphqlErrors") },
  ]),
);

const PROJECT = "/v2/{entity}/{project}";
const RUN_PATH = `${PROJECT}/runs/{run}`;
const EXPIRED: Json = { description: "The address has expired.", content: jsonContent("GraphqlErrors") };

/** The operations of runs and artifacts, and those of W&B clients. */
export const OPERATIONS: Operations = {
  listRuns: get(
    `${PROJECT}/runs`,
    "List the runs of a project, newest first.",
    [
      inQuery("after", TEXT, "The `next` of the previous page."),
      inQuery("limit", numberSchema(RUN_PAGE), "Runs of a page."),
    ],
    "RunList",
  ),
  getRun: get(RUN_PATH, "A run with its configuration and summary.", [RUN_PARAMETER], "RunDetails"),
  deleteRun: remove(RUN_PATH, "Delete a run with its lines and files permanently.", RUN_PARAMETER),
  deleteArtifact: remove(
    `${PROJECT}/artifacts/{name}`,
    "Delete a version of an artifact, called NAME:VERSION or NAME:ALIAS, with its aliases, permanently.",
    inPath("name"),
  ),
  getRunHistory: get(
    `${RUN_PATH}/history`,
    "Show what a run has logged, by step.",
    [
      RUN_PARAMETER,
      inQuery(
        "key",
        { type: "array", items: TEXT },
        "Only lines that have this key, and only this key of them; may be repeated.",
      ),
      inQuery("min_step", { ...WHOLE, default: 0 }, "The first step."),
      inQuery("max_step", WHOLE, "The step after the last."),
      inQuery("limit", numberSchema(LINE_PAGE), "Lines of a page."),
    ],
    "RunHistory",
  ),
  wandbGraphql: {
    method: "POST",
    path: "/graphql",
    summary: "Answer the GraphQL queries of W&B's clients about runs and artifacts.",
    tags: ["wandb"],
    body: { required: true, content: jsonContent("GraphqlRequest") },
    answers: {
      "200": {
        description: "The data, or what is wrong as `errors`.",
        content: { "application/json": { schema: OBJECT } },
      },
      ...ERRORS,
    },
    // Mutations require `write`, which is checked when the document is read.
    verbs: ["read", "write"],
  },
  wandbFileStream: {
    method: "POST",
    path: "/files/{entity}/{project}/{run}/file_stream",
    summary: "Log lines of a run, each at its line number.",
    tags: ["wandb"],
    parameters: [...PROJECT_PARAMETERS, RUN_PARAMETER],
    body: { required: true, content: jsonContent("RunUpdate") },
    answers: {
      "200": { description: "Stored.", content: { "application/json": { schema: OBJECT } } },
      ...ERRORS,
    },
  },
  wandbUpload: {
    method: "PUT",
    path: `${UPLOADS}{address}`,
    pattern: `${UPLOADS}*`,
    summary: "Upload a file to a URL from GraphQL.",
    tags: ["wandb"],
    key: "none",
    parameters: [inPath("address")],
    body: { content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } },
    answers: {
      "200": { description: "Stored.", content: { "application/json": { schema: OBJECT } } },
      "403": EXPIRED,
      ...ERRORS,
    },
  },
  wandbDownload: {
    method: "GET",
    path: `${DOWNLOADS}{address}`,
    pattern: `${DOWNLOADS}*`,
    summary: "Download a file from a URL from GraphQL.",
    tags: ["wandb"],
    key: "none",
    parameters: [inPath("address")],
    answers: { "200": FILE_ANSWER, "403": EXPIRED, ...ERRORS },
  },
  wandbArtifactFile: {
    method: "GET",
    path: "/artifactsV2/{region}/{entity}/{project}/{collection}/{artifact}/{md5}/{file}",
    pattern: "/artifactsV2/:region/:entity/:project/:collection/:artifact/:md5/*",
    summary: "Download a file of an artifact by its MD5.",
    tags: ["wandb"],
    stream: "large",
    parameters: [
      inPath("region"),
      ...PROJECT_PARAMETERS,
      ...["collection", "artifact", "md5", "file"].map(inPath),
    ],
    answers: { "200": FILE_ANSWER, ...ERRORS },
  },
};
