// The operations of OpenTelemetry: receiving traces and logs.

import type { Json } from "@assay/base";
import type { Operation, Operations } from "../routing/operation.ts";
import { detailAnswers, jsonContent } from "../routing/operation-parts.ts";

/** An error: google.rpc.Status's message, and the same as in the other routes. */
const PROBLEM: Json = {
  type: "object",
  required: ["message", "detail"],
  properties: {
    message: { type: "string", description: "Why the request was not answered." },
    detail: { type: "string", description: "The same as `message`." },
  },
};

const BYTES: Json = { type: "string", contentMediaType: "application/octet-stream" };

const REFUSALS: { readonly [status: string]: Json } = Object.fromEntries(
  Object.entries(detailAnswers([400, 401, 404, 413, 415, 429, 500, 503])).map(([status, one]) => [
    status,
    {
      ...(one as object),
      content: { ...(jsonContent("OtlpProblem") as object), "application/x-protobuf": { schema: BYTES } },
    },
  ]),
);

function exporting(
  path: string,
  summary: string,
  [resources, scopes, items, rejected]: readonly [string, string, string, string],
): Operation {
  const scope: Json = {
    type: "object",
    properties: {
      scope: { type: ["object", "null"] },
      [items]: { type: ["array", "null"], items: { type: "object" } },
    },
  };
  const resource: Json = {
    type: "object",
    properties: {
      resource: { type: ["object", "null"] },
      [scopes]: { type: ["array", "null"], items: scope },
    },
  };
  const request: Json = {
    type: "object",
    properties: { [resources]: { type: ["array", "null"], items: resource } },
  };
  const answer: Json = {
    type: "object",
    properties: {
      partialSuccess: {
        type: "object",
        properties: { [rejected]: { type: "string" }, errorMessage: { type: "string" } },
      },
    },
  };
  return {
    method: "POST",
    path,
    summary,
    tags: ["OpenTelemetry"],
    parameters: [
      {
        name: "project_id",
        in: "header",
        description: "`entity/project`, unless the resource has `wandb.entity` and `wandb.project`.",
        schema: { type: "string" },
      },
    ],
    body: {
      required: true,
      content: { "application/x-protobuf": { schema: BYTES }, "application/json": { schema: request } },
    },
    answers: {
      "200": {
        description: "Everything not counted as rejected is stored.",
        content: { "application/x-protobuf": { schema: BYTES }, "application/json": { schema: answer } },
      },
      ...REFUSALS,
    },
  };
}

const TRACES = exporting(
  "/otel/v1/traces",
  "Receive OTLP spans: they become calls, and those with GenAI evaluation results also trials.",
  ["resourceSpans", "scopeSpans", "spans", "rejectedSpans"],
);

/** A request of an exporter. */
export const OPERATIONS: Operations = {
  exportTraces: TRACES,
  // Weave's integrations of agents export there.
  exportAgentTraces: { ...TRACES, path: "/agents/otel/v1/traces", unlisted: "it is /otel/v1/traces" },
  exportLogs: exporting(
    "/otel/v1/logs",
    "Receive OTLP logs: GenAI evaluation results score the spans that they name; other records are ignored.",
    ["resourceLogs", "scopeLogs", "logRecords", "rejectedLogRecords"],
  ),
};

/** The schemas that they refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = { OtlpProblem: PROBLEM };
