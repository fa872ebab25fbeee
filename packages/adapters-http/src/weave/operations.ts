// The operations of Weave's clients, with their bodies. Responses are in Weave's format.

import type { Json } from "@assay/base";
import { BODY_SCHEMAS } from "@assay/trace-core/internal";
import type { Operation, OperationBody, Operations } from "../routing/operation.ts";
import { detailAnswers, INVALID, jsonContent, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";
import { EVALUATION_OBJECT, EVALUATION_OBJECTS } from "./evaluations.ts";
import { LIMITS_TEXT } from "./limits.ts";
import { RUN_SCHEMAS, runOperation, weaveBody } from "./run-operations.ts";
import { RUN_ROUTES, type RunRoute } from "./run-routes.ts";

const DELETED_OR_ABSENT: Json = {
  description: "No such object, or it was deleted.",
  content: {
    "application/json": {
      schema: {
        anyOf: [
          { $ref: "#/components/schemas/Detail" },
          {
            type: "object",
            required: ["reason", "deleted_at"],
            properties: {
              reason: { type: "string", description: "The object was deleted." },
              deleted_at: { type: "string", format: "date-time", description: "When it was deleted." },
            },
          },
        ],
      },
    },
  },
};

const FILE: Json = {
  type: "object",
  required: ["project_id", "file"],
  properties: {
    project_id: { type: "string" },
    file: { type: "string", contentMediaType: "application/octet-stream" },
    expected_digest: { type: "string" },
  },
};

/** The routes that only read: they do not wait for the memory budget of writes. */
const READING: ReadonlySet<string> = new Set([
  ...["/call/read", "/calls/stream_query", "/calls/query_stats", "/obj/read", "/objs/query"],
  ...["/table/query", "/table/query_stats", "/table/query_stats_batch"],
  ...["/refs/read_batch", "/feedback/query", "/cost/query", "/file/content"],
]);

/** The routes whose bodies may contain an expected digest. */
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set([
  "/obj/create",
  "/table/create",
  "/table/create_from_digests",
  "/file/create",
]);

function logging(path: string, content: OperationBody["content"]): readonly [string, Operation] {
  const id = `weave${path.replaceAll(/[/_{}]+(\w)?/g, (_, letter?: string) => letter?.toUpperCase() ?? "")}`;
  return [
    id,
    {
      method: "POST",
      path,
      summary: "Answer like Weave's trace server.",
      description: LIMITS_TEXT,
      tags: ["weave"],
      ...(path.includes("{") && { parameters: PROJECT_PARAMETERS }),
      body: { required: true, content },
      answers: {
        "200": { description: "Done." },
        ...INVALID,
        ...(NAMED_BY_CONTENT.has(path) && {
          "409": {
            description: "The content has a different digest than the client expected.",
            content: jsonContent("Detail"),
          },
        }),
        ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
        ...(path === "/obj/read" && { "404": DELETED_OR_ABSENT }),
      },
      ...(READING.has(path) && { verbs: ["read"] }),
      ...(path === "/calls/stream_query" && { stream: "large" }),
    },
  ];
}

const OF_CLIENTS = "only clients call it, to check whether they are compatible";

/** The operations of evaluation runs, with their handlers. */
export const RUNS: readonly (readonly [id: string, operation: Operation, route: RunRoute])[] = RUN_ROUTES.map(
  (route) => [...runOperation(route), route],
);

const NO_TAGS =
  "tags and aliases of objects are not supported here; the object itself was stored, if it was published just now";
const NO_AGENTS = "lists of agents are not supported here: their spans are calls, which can be queried";
const NO_QUEUES = "annotation queues are not supported here: add feedback to the calls";
const NO_COMPLETIONS =
  "completions are not supported at this address: POST /v1/chat/completions calls the models of this server";

/** The paths that clients use for unsupported features, in the router's notation, with an answer that names them. */
export const UNSUPPORTED: readonly (readonly [path: string, detail: string])[] = [
  // Clients publish an object before they tag it.
  ["/objs/:object/:names{.+}", NO_TAGS],
  ["/tags", NO_TAGS],
  ["/aliases", NO_TAGS],
  ["/threads/stream_query", "lists of threads are not supported here: filter calls by thread_ids"],
  ["/agents/:list", NO_AGENTS],
  ["/agents/:of/:list", NO_AGENTS],
  ["/annotation_queues", NO_QUEUES],
  ["/annotation_queues/:queue{.+}", NO_QUEUES],
  ["/completions/:kind", NO_COMPLETIONS],
];

function unsupported(path: string): Operation {
  const why = "it only reports that the feature does not exist";
  return {
    method: "ALL",
    path,
    unlisted: why,
    summary: "Report that the feature does not exist.",
    parameters: [{ name: "project_id", in: "query", schema: { type: "string" } }],
    verbs: ["read", "write"],
  };
}

/** The operations of Weave clients. Their bodies are described by the schemas that read them. */
export const OPERATIONS: Operations = Object.fromEntries([
  ...Object.keys(BODY_SCHEMAS)
    .filter((path) => !RUN_ROUTES.some((route) => route.path === path))
    .map((path) => logging(path, weaveBody(path))),
  logging("/file/create", { "multipart/form-data": { schema: FILE } }),
  ["listEvaluationObjects", EVALUATION_OBJECTS],
  ...RUNS.map(([id, operation]) => [id, operation] as const),
  ...UNSUPPORTED.map(([path], at) => [`weaveUnsupported${at}`, unsupported(path)] as const),
  ["weaveHealth", { ...asking("/health"), summary: "Check that the server is alive." }],
  [
    "weaveServerInfo",
    { ...asking("/server_info"), summary: "Show the client versions that the server supports." },
  ],
]);

function asking(path: string) {
  return { method: "GET", path, unlisted: OF_CLIENTS, key: "none", verbs: [] } as const;
}

/** The schemas that they refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = {
  EvaluationObject: EVALUATION_OBJECT,
  ...RUN_SCHEMAS,
};
