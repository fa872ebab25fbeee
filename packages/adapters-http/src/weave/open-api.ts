// The routes of Weave's clients as an OpenAPI document describes them: what their bodies are. What they answer is Weave's.

import type { Json } from "@assay/base";
import { bodySchemas } from "@assay/trace-core";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../open-api.ts";
import { evaluationsOpenApi } from "./evaluations.ts";
import { LIMITS_TEXT } from "./limits.ts";
import { runsOpenApi } from "./run-open-api.ts";

/** The face of Weave's clients, described. Their bodies are described by the schemas that read them. */
export function weaveOpenApi(): OpenApiPart {
  const bodies = bodySchemas();
  const [evaluations, runs] = [evaluationsOpenApi(), runsOpenApi(bodies)];
  const routes = Object.entries(bodies).filter(([path]) => !(path in runs.paths));
  const paths: { [path: string]: Json } = Object.fromEntries(
    routes.map(([path, body]) => [path, operation(path, { "application/json": { schema: body } })]),
  );
  paths["/file/create"] = operation("/file/create", { "multipart/form-data": { schema: FILE } });
  for (const [path, item] of [...Object.entries(evaluations.paths), ...Object.entries(runs.paths)])
    paths[path] = { ...(paths[path] as object), ...(item as object) };
  return { paths, schemas: { ...evaluations.schemas, ...runs.schemas } };
}

function operation(path: string, content: Json): Json {
  return {
    post: {
      operationId: `weave${path.replaceAll(/[/_{}]+(\w)?/g, (_, letter?: string) => letter?.toUpperCase() ?? "")}`,
      summary: "As Weave's trace server answers it.",
      description: LIMITS_TEXT,
      tags: ["weave"],
      ...(path.includes("{") && { parameters: PROJECT_PARAMETERS }),
      requestBody: { required: true, content },
      responses: {
        "200": { description: "Done." },
        "422": {
          description: "What is wrong with the request.",
          content: jsonContent("HTTPValidationError"),
        },
        ...(JSON.stringify(content).includes('"expected_digest"') && {
          "409": {
            description: "The content has another digest than the client expected.",
            content: jsonContent("Detail"),
          },
        }),
        ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
        ...(path === "/obj/read" && { "404": DELETED_OR_ABSENT }),
      },
    },
  };
}

const DELETED_OR_ABSENT: Json = {
  description: "There is no such object, or it was deleted.",
  content: {
    "application/json": {
      schema: {
        anyOf: [
          { $ref: "#/components/schemas/Detail" },
          {
            type: "object",
            required: ["reason", "deleted_at"],
            properties: {
              reason: { type: "string", description: "That the object was deleted." },
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
