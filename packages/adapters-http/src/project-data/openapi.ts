// What the face of a project's data is, for the OpenAPI document.

import type { Json } from "@assay/base";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../openapi.ts";

/** The routes of a project's data as part of an OpenAPI document. */
export function projectDataOpenApi(): OpenApiPart {
  return {
    paths: {
      "/v2/{entity}/{project}/eval_results/evaluations": {
        get: {
          operationId: "listEvaluations",
          summary: "The evaluations that are there, by start.",
          parameters: PROJECT_PARAMETERS,
          responses: {
            "200": { description: "They.", content: jsonContent("EvaluationList") },
            "422": {
              description: "What is wrong with the request.",
              content: jsonContent("HTTPValidationError"),
            },
            ...detailAnswers([401, 404, 500, 503]),
          },
        },
      },
      "/v2/{entity}/{project}/calls/import": importPath("importCalls", "Calls, one on each line."),
      "/v2/{entity}/{project}/rows/import": importPath("importRows", "Dataset rows, one on each line."),
      "/v2/{entity}/{project}/calls/export": exportPath(
        "exportCalls",
        "Calls as they came, one on each line.",
      ),
      "/v2/{entity}/{project}/rows/export": exportPath("exportRows", "Dataset rows, one on each line."),
    },
    schemas: { EvaluationList: EVALUATION_LIST, ImportReport: IMPORT_REPORT },
  };
}

function importPath(operationId: string, summary: string): Json {
  return {
    post: {
      operationId,
      summary,
      description: "What is good is on disk when this answers; what is bad is listed and left out.",
      parameters: PROJECT_PARAMETERS,
      requestBody: { required: true, content: { "application/x-ndjson": { schema: { type: "string" } } } },
      responses: {
        "200": { description: "What went in.", content: jsonContent("ImportReport") },
        "422": { description: "What is wrong with the path.", content: jsonContent("HTTPValidationError") },
        ...detailAnswers([400, 401, 404, 415, 500, 503]),
      },
    },
  };
}

function exportPath(operationId: string, summary: string): Json {
  return {
    get: {
      operationId,
      summary,
      description: "What import makes the same answers of. Breaks off when something fails in the middle.",
      parameters: [
        ...PROJECT_PARAMETERS,
        {
          name: "evaluation",
          in: "query",
          description:
            "Only what belongs to this evaluation; may be given again. Default: all of the project.",
          schema: { type: "array", items: { type: "string" }, maxItems: 256 },
          explode: true,
        },
      ],
      responses: {
        "200": {
          description: "The lines.",
          content: { "application/x-ndjson": { schema: { type: "string" } } },
        },
        "422": {
          description: "What is wrong with the request.",
          content: jsonContent("HTTPValidationError"),
        },
        ...detailAnswers([401, 404, 500, 503]),
      },
    },
  };
}

const EVALUATION_LIST: Json = {
  type: "object",
  required: ["evaluations"],
  properties: {
    evaluations: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "name", "model", "rows", "trials", "started_at", "ended_at"],
        properties: {
          id: { type: "string", description: "What a query asks for." },
          name: { type: ["string", "null"] },
          model: { type: ["string", "null"] },
          rows: { type: "integer", minimum: 0 },
          trials: { type: "integer", minimum: 0 },
          started_at: { type: ["string", "null"] },
          ended_at: { type: ["string", "null"], description: "Null while it is running." },
        },
      },
    },
  },
};

const IMPORT_REPORT: Json = {
  type: "object",
  required: ["lines", "changed", "bad_lines", "bad", "in_evaluations"],
  properties: {
    lines: { type: "integer", minimum: 0, description: "Lines that are not blank." },
    changed: {
      type: "integer",
      minimum: 0,
      description: "Calls or rows that are new, or other than they were.",
    },
    bad_lines: { type: "integer", minimum: 0 },
    in_evaluations: {
      type: "boolean",
      description:
        "Whether an evaluation is in what was read: a trial, a call that has trials, or one that a trial made.",
    },
    bad: {
      type: "array",
      description: "The first of the bad lines.",
      items: {
        type: "object",
        required: ["line", "reason"],
        properties: { line: { type: "integer", minimum: 1 }, reason: { type: "string" } },
      },
    },
  },
};
