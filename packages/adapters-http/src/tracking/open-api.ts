// The routes of runs and artifacts as part of an OpenAPI document.

import type { Json } from "@assay/base";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../open-api.ts";

/** The description of the face. */
export function trackingOpenApi(): OpenApiPart {
  return { paths: PATHS, schemas: SCHEMAS };
}

const TEXT = { type: "string" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const WHOLE = { type: "integer", minimum: 0 } as const;
const OBJECT = { type: "object", additionalProperties: true } as const;
const orNull = (schema: { readonly [name: string]: Json }): Json => ({ anyOf: [schema, { type: "null" }] });

const inPath = (name: string): Json => ({ name, in: "path", required: true, schema: TEXT });
const inQuery = (name: string, description: string, schema: Json): Json => ({
  name,
  in: "query",
  description,
  schema,
});
const RUN_PARAMETER = inPath("run");
const FILE_ANSWER: Json = {
  description: "The bytes of the file.",
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};

function object(properties: { readonly [name: string]: Json }): Json {
  return { type: "object", properties, required: Object.keys(properties) };
}

function get(operationId: string, summary: string, parameters: readonly Json[], schema: string) {
  return {
    get: {
      operationId,
      summary,
      tags: ["runs"],
      parameters,
      responses: {
        "200": { description: "Found.", content: jsonContent(schema) },
        "422": {
          description: "What is wrong with the request.",
          content: jsonContent("RunProblem"),
        },
        ...detailAnswers([500]),
        ...Object.fromEntries(
          [401, 404, 503, 507].map((status) => [
            status,
            { ...(ERRORS[status] as object), content: jsonContent("RunProblem") },
          ]),
        ),
      },
    },
  };
}

function remove(operationId: string, summary: string, parameter: Json) {
  const problem = (status: number, description: string) => [
    status,
    { description, content: jsonContent("RunProblem") },
  ];
  return {
    delete: {
      operationId,
      summary,
      tags: ["runs"],
      parameters: [...PROJECT_PARAMETERS, parameter],
      responses: {
        "200": { description: "It is deleted.", content: jsonContent("RemovedByName") },
        ...detailAnswers([500]),
        ...Object.fromEntries([
          problem(401, "A valid API key is needed."),
          problem(404, "There is no such thing for this key."),
          problem(409, "It is a checkpoint, which is deleted at its model."),
          problem(503, "Try it again."),
        ]),
      },
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

const SCHEMAS: OpenApiPart["schemas"] = {
  Run: object(RUN),
  RunDetails: object({ ...RUN, config: OBJECT, history_keys: { type: "array", items: TEXT } }),
  RunList: object({
    runs: { type: "array", items: { $ref: "#/components/schemas/Run" } },
    next: orNull(TEXT),
  }),
  RunHistory: object({ history: { type: "array", items: OBJECT }, next_step: orNull({ type: "number" }) }),
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
      detail: { description: "What is wrong: a text, or a list of what is wrong where." },
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
  Object.entries({
    400: "What is wrong with the request.",
    401: "A valid API key is needed.",
    404: "There is no such run for this key.",
    413: "The body is too large.",
    415: "The body is not JSON, or compressed in a way that is not understood.",
    429: "Too much is under way.",
    503: "Try it again.",
    507: "No space is left on the server's disk.",
  }).map(([status, description]) => [status, { description, content: jsonContent("GraphqlErrors") }]),
);

const PATHS: OpenApiPart["paths"] = {
  "/v2/{entity}/{project}/runs": get(
    "listRuns",
    "The runs of a project, newest first.",
    [
      ...PROJECT_PARAMETERS,
      inQuery("after", "The `next` of the page before.", TEXT),
      inQuery("limit", "Runs of a page, 50 by default.", { type: "integer", minimum: 1, maximum: 1000 }),
    ],
    "RunList",
  ),
  "/v2/{entity}/{project}/runs/{run}": {
    ...get(
      "getRun",
      "A run with its configuration and summary.",
      [...PROJECT_PARAMETERS, RUN_PARAMETER],
      "RunDetails",
    ),
    ...remove("deleteRun", "Delete a run with its lines and files for ever.", RUN_PARAMETER),
  },
  "/v2/{entity}/{project}/artifacts/{name}": remove(
    "deleteArtifact",
    "Delete a version of an artifact, called NAME:VERSION or NAME:ALIAS, with its aliases, for ever.",
    inPath("name"),
  ),
  "/v2/{entity}/{project}/runs/{run}/history": get(
    "getRunHistory",
    "What a run has logged, by step.",
    [
      ...PROJECT_PARAMETERS,
      RUN_PARAMETER,
      inQuery("key", "Only lines that have this, and only this of them; may be repeated.", {
        type: "array",
        items: TEXT,
      }),
      inQuery("min_step", "The first step.", WHOLE),
      inQuery("max_step", "The step after the last.", WHOLE),
      inQuery("limit", "Lines of a page, 1000 by default.", { type: "integer", minimum: 1, maximum: 10_000 }),
    ],
    "RunHistory",
  ),
  "/graphql": {
    post: {
      operationId: "wandbGraphql",
      summary: "What W&B's clients ask of runs and artifacts.",
      tags: ["wandb"],
      requestBody: { required: true, content: jsonContent("GraphqlRequest") },
      responses: {
        "200": {
          description: "The data, or what is wrong as `errors`.",
          content: { "application/json": { schema: OBJECT } },
        },
        ...ERRORS,
      },
    },
  },
  "/files/{entity}/{project}/{run}/file_stream": {
    post: {
      operationId: "wandbFileStream",
      summary: "Lines that a run logs, at their places.",
      tags: ["wandb"],
      parameters: [...PROJECT_PARAMETERS, RUN_PARAMETER],
      requestBody: { required: true, content: jsonContent("RunUpdate") },
      responses: {
        "200": { description: "Kept.", content: { "application/json": { schema: OBJECT } } },
        ...ERRORS,
      },
    },
  },
  "/wandb/upload/{address}": {
    put: {
      operationId: "wandbUpload",
      summary: "Sends a file to an address that GraphQL gave.",
      tags: ["wandb"],
      security: [{}],
      parameters: [inPath("address")],
      requestBody: {
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      },
      responses: {
        "200": { description: "Kept.", content: { "application/json": { schema: OBJECT } } },
        "403": { description: "The address has expired.", content: jsonContent("GraphqlErrors") },
        ...ERRORS,
      },
    },
  },
  "/wandb/download/{address}": {
    get: {
      operationId: "wandbDownload",
      summary: "Fetches a file from an address that GraphQL gave.",
      tags: ["wandb"],
      security: [{}],
      parameters: [inPath("address")],
      responses: {
        "200": FILE_ANSWER,
        "403": { description: "The address has expired.", content: jsonContent("GraphqlErrors") },
        ...ERRORS,
      },
    },
  },
  "/artifactsV2/{region}/{entity}/{project}/{collection}/{artifact}/{md5}/{file}": {
    get: {
      operationId: "wandbArtifactFile",
      summary: "Fetches a file of an artifact by the MD5 of its bytes.",
      tags: ["wandb"],
      parameters: [
        inPath("region"),
        ...PROJECT_PARAMETERS,
        ...["collection", "artifact", "md5", "file"].map(inPath),
      ],
      responses: { "200": FILE_ANSWER, ...ERRORS },
    },
  },
};
