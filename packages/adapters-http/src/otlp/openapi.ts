// The traces and logs of OpenTelemetry as part of an OpenAPI document.

import type { Json } from "@assay/base";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers } from "../openapi.ts";

/** The routes of exporters, described. */
export function otlpOpenApi(): OpenApiPart {
  return {
    paths: {
      "/otel/v1/traces": path(
        "exportTraces",
        "OTLP over HTTP: spans become calls, those with GenAI evaluation results trials.",
        ["resourceSpans", "scopeSpans", "spans", "rejectedSpans"],
      ),
      "/otel/v1/logs": path(
        "exportLogs",
        "OTLP over HTTP: GenAI evaluation results score the spans that they name; other records are passed over.",
        ["resourceLogs", "scopeLogs", "logRecords", "rejectedLogRecords"],
      ),
    },
    schemas: {},
  };
}

function path(
  operationId: string,
  summary: string,
  [resources, scopes, items, rejected]: readonly [string, string, string, string],
): Json {
  const scope: Json = {
    type: "object",
    properties: { scope: { type: "object" }, [items]: { type: "array", items: { type: "object" } } },
  };
  const resource: Json = {
    type: "object",
    properties: { resource: { type: "object" }, [scopes]: { type: "array", items: scope } },
  };
  const request: Json = {
    type: "object",
    properties: { [resources]: { type: "array", items: resource } },
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
    post: {
      operationId,
      summary,
      tags: ["OpenTelemetry"],
      parameters: [
        {
          name: "project_id",
          in: "header",
          description:
            "`entity/project`, where the resource does not say it by `wandb.entity` and `wandb.project`.",
          schema: { type: "string" },
        },
      ],
      requestBody: {
        required: true,
        content: { "application/x-protobuf": { schema: BYTES }, "application/json": { schema: request } },
      },
      responses: {
        "200": {
          description: "What is not counted as rejected is kept.",
          content: { "application/x-protobuf": { schema: BYTES }, "application/json": { schema: answer } },
        },
        ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
      },
    },
  };
}

const BYTES: Json = { type: "string", contentMediaType: "application/octet-stream" };
