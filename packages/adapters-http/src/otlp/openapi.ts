// The traces of OpenTelemetry as part of an OpenAPI document.

import type { Json } from "@assay/base";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers } from "../openapi.ts";

/** The route of exporters, described. */
export function otlpOpenApi(): OpenApiPart {
  return {
    paths: {
      "/otel/v1/traces": {
        post: {
          operationId: "exportTraces",
          summary: "OTLP over HTTP: spans become calls, those with GenAI evaluation results trials.",
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
            content: {
              "application/x-protobuf": { schema: BYTES },
              "application/json": { schema: REQUEST },
            },
          },
          responses: {
            "200": {
              description: "What is not counted as rejected is kept.",
              content: {
                "application/x-protobuf": { schema: BYTES },
                "application/json": { schema: ANSWER },
              },
            },
            ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
          },
        },
      },
    },
    schemas: {},
  };
}

const BYTES: Json = { type: "string", contentMediaType: "application/octet-stream" };
const SPANS: Json = {
  type: "object",
  properties: { scope: { type: "object" }, spans: { type: "array", items: { type: "object" } } },
};
const REQUEST: Json = {
  type: "object",
  properties: {
    resourceSpans: {
      type: "array",
      items: {
        type: "object",
        properties: { resource: { type: "object" }, scopeSpans: { type: "array", items: SPANS } },
      },
    },
  },
};
const ANSWER: Json = {
  type: "object",
  properties: {
    partialSuccess: {
      type: "object",
      properties: { rejectedSpans: { type: "string" }, errorMessage: { type: "string" } },
    },
  },
};
