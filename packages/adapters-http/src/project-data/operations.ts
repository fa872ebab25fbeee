// The operations of a project's data.

import type { Json, JsonObject } from "@assay/base";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import {
  detailAnswers,
  INVALID,
  inQuery,
  jsonContent,
  PROJECT_PARAMETERS,
} from "../routing/operation-parts.ts";
import { MOST_LISTED } from "./evaluation-choice.ts";
import { SCORE_DIRECTIONS_BODY } from "./score-directions.ts";

/** The query parameter that names evaluations, by default by their IDs. */
function named(description: string, name = "evaluation"): Parameter {
  return {
    name,
    in: "query",
    description,
    schema: { type: "array", items: { type: "string" }, maxItems: 256 },
    explode: true,
  };
}

const CHOICE: readonly Parameter[] = [
  inQuery(
    "order",
    { enum: ["newest", "oldest"], default: "oldest" },
    "Evaluations with an unknown start are last in both orders.",
  ),
  inQuery(
    "limit",
    { type: "integer", minimum: 1, maximum: MOST_LISTED },
    "The maximum number of evaluations. Default: all.",
  ),
  inQuery("after", { type: "string" }, "Only evaluations after this one: the `next` of the previous page."),
  inQuery("running", { type: "boolean" }, "Only those that are running, or only those that have ended."),
  inQuery("evaluation_ref", { type: "string" }, "Only runs of this evaluation object."),
  inQuery("dataset", { type: "string" }, "Only those over this dataset."),
  named("Only those with this id or name; may be given again.", "named"),
];

const EVALUATION_LIST: Json = {
  type: "object",
  required: ["evaluations", "next"],
  examples: [
    {
      evaluations: [
        {
          id: "01932f0c-6a9e-7c10-9a52-1f0c3d0e7b11",
          name: "units_v3",
          model: "weave:///acme/demo/object/units-parser:v3",
          started_at: "2026-11-22T12:04:00Z",
          ended_at: null,
          evaluation_ref: "weave:///acme/demo/object/units:v1",
          trials: 612,
          rows: 240,
          dataset: "weave:///acme/demo/object/units-rows:v1",
        },
      ],
      next: null,
    },
  ],
  properties: {
    next: {
      type: ["string", "null"],
      description: "The value of `after` for the next page; null on the last page.",
    },
    evaluations: {
      type: "array",
      items: {
        type: "object",
        required: [
          ...["id", "name", "model", "rows", "trials", "started_at", "ended_at"],
          ...["evaluation_ref", "dataset"],
        ],
        properties: {
          id: { type: "string", description: "The id for queries." },
          name: { type: ["string", "null"] },
          model: { type: ["string", "null"] },
          rows: { type: "integer", minimum: 0 },
          trials: { type: "integer", minimum: 0 },
          started_at: { type: ["string", "null"] },
          ended_at: { type: ["string", "null"], description: "Null while it is running." },
          evaluation_ref: { type: ["string", "null"], description: "The evaluation object that was run." },
          dataset: {
            type: ["string", "null"],
            description: "The dataset that its rows refer to; null when the calls contain the rows.",
          },
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
      description: "Calls or rows that are new or changed.",
    },
    bad_lines: { type: "integer", minimum: 0 },
    in_evaluations: {
      type: "boolean",
      description:
        "Whether the lines contain an evaluation: a trial, a call that has trials, or a call below a trial.",
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

const PROJECT = "/v2/{entity}/{project}";
const EVALUATIONS = `${PROJECT}/eval_results/evaluations`;
const DIRECTIONS = `${PROJECT}/eval_results/directions`;
const LINES = { "application/x-ndjson": { schema: { type: "string" } } };
const WRONG_PATH: Json = {
  description: "What is wrong with the path.",
  content: jsonContent("HTTPValidationError"),
};

function deleting(path: string, summary: string, parameters: readonly Parameter[]): Operation {
  return {
    method: "DELETE",
    path,
    summary,
    description:
      "When the response arrives, no file of the data directory contains any of the deleted data. Other requests wait meanwhile, and open streams end. With ClickHouse, requests do not wait, and `old_parts` is the number of old parts of its tables that are still on disk.",
    parameters: [...PROJECT_PARAMETERS, ...parameters],
    answers: {
      "200": {
        description: "How much was deleted.",
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["calls", "rows"],
              properties: {
                calls: { type: "integer" },
                rows: { type: "integer" },
                runs: {
                  type: "integer",
                  description: "Runs that W&B's clients logged: those of the whole project.",
                },
                artifacts: {
                  type: "integer",
                  description: "Versions of their artifacts, in the whole project.",
                },
                old_parts: { type: "integer" },
              },
            },
          },
        },
      },
      "422": WRONG_PATH,
      ...detailAnswers([401, 404, 431, 500, 501, 503]),
    },
  };
}

function importing(kind: string, summary: string): Operation {
  return {
    method: "POST",
    path: `${PROJECT}/${kind}/import`,
    summary,
    description: "Valid lines are on disk when the response arrives; invalid ones are listed and left out.",
    parameters: PROJECT_PARAMETERS,
    body: { required: true, content: LINES },
    answers: {
      "200": { description: "What was imported.", content: jsonContent("ImportReport") },
      "422": WRONG_PATH,
      ...detailAnswers([400, 401, 404, 415, 500, 503]),
    },
  };
}

function exporting(kind: string, summary: string): Operation {
  return {
    method: "GET",
    path: `${PROJECT}/${kind}/export`,
    summary,
    description:
      "Lines that give the same answers after an import. If something fails in the middle, the connection closes early.",
    parameters: [
      ...PROJECT_PARAMETERS,
      named("Only what belongs to this evaluation; may be given again. Default: all of the project."),
    ],
    answers: {
      "200": { description: "The lines.", content: LINES },
      ...INVALID,
      ...detailAnswers([401, 404, 431, 500, 503]),
    },
    stream: "large",
  };
}

const SAID: { readonly [status: string]: Json } = {
  "200": { description: "All directions of the project.", content: jsonContent("ScoreDirections") },
};

/** The operations of a project's data. */
export const OPERATIONS: Operations = {
  listScoreDirections: {
    method: "GET",
    path: DIRECTIONS,
    summary: "List the directions that are set for a project's scores: whether higher or lower is better.",
    description:
      "Scores that are not listed have the direction that their name implies by convention, or `higher` when they are true or false. A comparison says which direction it used, and where it comes from.",
    parameters: PROJECT_PARAMETERS,
    answers: { ...SAID, "422": WRONG_PATH, ...detailAnswers([401, 404, 500, 501, 503]) },
  },
  sayScoreDirections: {
    method: "POST",
    path: DIRECTIONS,
    summary:
      "Set whether higher or lower values of scores are better, for every comparison that does not state it.",
    parameters: PROJECT_PARAMETERS,
    body: { required: true, content: jsonContent("ScoreDirectionsBody") },
    answers: { ...SAID, ...INVALID, ...detailAnswers([400, 401, 403, 404, 413, 415, 500, 501, 503]) },
  },
  listEvaluations: {
    method: "GET",
    path: EVALUATIONS,
    summary: "List the evaluations of a project, by start: all of them, or page by page.",
    parameters: [...PROJECT_PARAMETERS, ...CHOICE],
    answers: {
      "200": { description: "The evaluations.", content: jsonContent("EvaluationList") },
      ...INVALID,
      ...detailAnswers([401, 404, 500, 503]),
    },
  },
  deleteEvaluations: deleting(
    EVALUATIONS,
    "Permanently delete evaluations, all of them or none: their calls, and the dataset rows that nothing else refers to.",
    [{ ...named("An evaluation to delete; may be given again."), required: true }],
  ),
  deleteProject: deleting(PROJECT, "Permanently delete a project.", []),
  deleteEvaluation: deleting(
    `${EVALUATIONS}/{id}`,
    "Permanently delete an evaluation: its calls, and the dataset rows that nothing else refers to.",
    [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  ),
  importCalls: importing("calls", "Calls, one per line."),
  importRows: importing("rows", "Dataset rows, one per line."),
  exportCalls: exporting("calls", "Calls as logged, one per line."),
  exportRows: exporting("rows", "Dataset rows, one per line."),
};

/** The schemas that they refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = {
  EvaluationList: EVALUATION_LIST,
  ImportReport: IMPORT_REPORT,
  ScoreDirectionsBody: {
    ...(SCORE_DIRECTIONS_BODY as JsonObject),
    description: "Directions by field; null unsets one. Other fields keep theirs.",
  },
  ScoreDirections: {
    type: "object",
    required: ["directions"],
    description: "The directions of a project's scores, in order of fields.",
    properties: {
      directions: {
        type: "array",
        items: {
          type: "object",
          required: ["field", "direction"],
          properties: {
            field: { type: "string", description: "`scores.<path>`." },
            direction: {
              enum: ["higher", "lower", "none"],
              description: "Which values are better; `none` for neither, which gives no verdict.",
            },
          },
        },
      },
    },
  },
};
