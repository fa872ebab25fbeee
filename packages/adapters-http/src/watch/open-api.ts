// What watching is, for the OpenAPI document.

import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../open-api.ts";

/** The stream of progress as part of an OpenAPI document. */
export function watchOpenApi(): OpenApiPart {
  return {
    paths: {
      "/v2/{entity}/{project}/eval_results/watch": {
        get: {
          operationId: "watchEvaluations",
          summary: "Running evaluations as they go on, as server-sent events.",
          description:
            "An event `progress` at once and whenever something has changed, whose data is a list of " +
            "`WatchedProgress`; an event `end` when every evaluation has ended, and then the stream ends too.",
          parameters: [
            ...PROJECT_PARAMETERS,
            {
              name: "evaluation",
              in: "query",
              required: true,
              description: "What to watch; may be given again.",
              schema: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1, maxItems: 16 },
              explode: true,
            },
          ],
          responses: {
            "200": {
              description: "The events, until all evaluations have ended.",
              content: { "text/event-stream": { schema: {} } },
            },
            "422": {
              description: "What is wrong with the request.",
              content: jsonContent("HTTPValidationError"),
            },
            ...detailAnswers([401, 404, 500, 503]),
          },
        },
      },
    },
    schemas: { WatchedProgress: WATCHED_PROGRESS },
  };
}

const WATCHED_PROGRESS = {
  type: "object",
  required: [
    "evaluation_call_id",
    "display_name",
    "started_at",
    "ended_at",
    "trial_count",
    "scorer_stats",
    "trials_per_second",
  ],
  properties: {
    evaluation_call_id: { type: "string" },
    display_name: { type: ["string", "null"] },
    started_at: { type: ["string", "null"] },
    ended_at: { type: ["string", "null"], description: "Null while it is running." },
    trial_count: { type: "integer", minimum: 0, description: "Those that are running too." },
    scorer_stats: { type: "array", items: { $ref: "#/components/schemas/EvalResultsScorerStats" } },
    trials_per_second: {
      type: "number",
      minimum: 0,
      description: "Over the last seconds that were watched.",
    },
  },
};
