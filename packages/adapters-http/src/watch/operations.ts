// The operation that watches evaluations.

import type { Json } from "@assay/base";
import type { Operations } from "../routing/operation.ts";
import { detailAnswers, INVALID, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";

/** The most evaluations that one request may watch. */
export const MAX_EVALUATIONS = 16;

/** The stream of progress. */
export const OPERATIONS: Operations = {
  watchEvaluations: {
    method: "GET",
    path: "/v2/{entity}/{project}/eval_results/watch",
    summary: "Follow the progress of running evaluations, as server-sent events.",
    description:
      "The stream sends an event `progress` immediately and after every change; its data is a list of " +
      "`WatchedProgress`. When every evaluation has ended, it sends an event `end` and closes.",
    parameters: [
      ...PROJECT_PARAMETERS,
      {
        name: "evaluation",
        in: "query",
        required: true,
        description: "An evaluation to watch; may be repeated.",
        schema: {
          type: "array",
          items: { type: "string", minLength: 1 },
          minItems: 1,
          maxItems: MAX_EVALUATIONS,
        },
        explode: true,
      },
    ],
    answers: {
      "200": {
        description: "The events, until all evaluations have ended.",
        content: { "text/event-stream": { schema: {} } },
      },
      ...INVALID,
      ...detailAnswers([401, 404, 500, 503]),
    },
    stream: "large",
  },
};

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
    trial_count: { type: "integer", minimum: 0, description: "Including running ones." },
    scorer_stats: { type: "array", items: { $ref: "#/components/schemas/EvalResultsScorerStats" } },
    trials_per_second: {
      type: "number",
      minimum: 0,
      description: "Over the last few seconds.",
    },
  },
};

/** The schemas that it refers to. */
export const SCHEMAS: { readonly [name: string]: Json } = { WatchedProgress: WATCHED_PROGRESS };
