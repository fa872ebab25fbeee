// What area A is, for the OpenAPI document: made of the schemas that validate its requests.

import type { Json } from "@assay/base";
import { requestSchema } from "@assay/eval-engine";
import { querySchemas } from "@assay/query-lang";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../openapi.ts";
import { RESPONSE_SCHEMAS } from "./response-schema.ts";

/** The evaluation results query as part of an OpenAPI document. */
export function evalResultsOpenApi(): OpenApiPart {
  return {
    paths: {
      "/v2/{entity}/{project}/eval_results/query": {
        post: {
          operationId: "evalResultsQuery",
          summary: "Rows of one or more evaluations, side by side, and a summary for each scorer.",
          parameters: PROJECT_PARAMETERS,
          requestBody: { required: true, content: jsonContent("EvalResultsQueryBody") },
          responses: {
            "200": { description: "The answer.", content: jsonContent("EvalResultsQueryRes") },
            "422": {
              description: "What is wrong with the request.",
              content: jsonContent("HTTPValidationError"),
            },
            ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503, 504]),
          },
        },
      },
    },
    schemas: {
      ...querySchemas(),
      ...RESPONSE_SCHEMAS,
      EvalResultsQueryBody: requestSchema({ $ref: "#/components/schemas/Query" }) as Json,
    },
  };
}
