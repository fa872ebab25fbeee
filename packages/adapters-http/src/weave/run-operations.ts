// The operations of the evaluation runs interface: their bodies are described by the schemas that read them.

import type { Json } from "@assay/base";
import { BODY_SCHEMAS } from "@assay/trace-core/internal";
import type { Operation, OperationBody, Parameter } from "../routing/operation.ts";
import { detailAnswers, INVALID, jsonContent, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";
import type { RunRoute } from "./run-routes.ts";

const WORDS: { readonly [folder: string]: readonly [one: string, schema: string] } = {
  datasets: ["dataset", "Dataset"],
  scorers: ["scorer", "Scorer"],
  models: ["model object", "ModelObject"],
  evaluations: ["evaluation object", "EvaluationObject"],
  evaluation_runs: ["evaluation run", "EvaluationRun"],
  predictions: ["prediction", "Prediction"],
  scores: ["score", "Score"],
};

/** The body of a path. Its schema is created with the document. */
export function weaveBody(path: string): OperationBody["content"] {
  return {
    "application/json": {
      get schema() {
        return BODY_SCHEMAS[path]!();
      },
    },
  };
}

/** The operation of a route, with its ID. */
export function runOperation(route: RunRoute): readonly [id: string, operation: Operation] {
  const { method, path, lists } = route;
  const [, folder = ""] = /^\/v2\/\{entity\}\/\{project\}\/(\w+)/.exec(path) ?? [];
  const [one, schema] = WORDS[folder]!;
  const finishes = path.endsWith("/finish");
  const verb = finishes
    ? "Finish"
    : { GET: lists ? "List" : "Read", POST: "Create", DELETE: "Delete" }[method];
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).slice(2);
  const answer = finishes ? "Finished" : { GET: schema, POST: `Created${schema}`, DELETE: "Deleted" }[method];
  const type = lists ? "application/jsonl" : "application/json";
  const operation: Operation = {
    method,
    path,
    summary:
      SUMMARIES[`${verb} ${folder}`] ??
      `${verb} ${lists ? `${one}s, one per line` : `${one.startsWith("e") ? "an" : "a"} ${one}`}.`,
    tags: ["evaluation runs"],
    parameters: [
      ...PROJECT_PARAMETERS,
      ...named.map((name) => ({ name, in: "path" as const, required: true, schema: { type: "string" } })),
      ...route.parameters,
      ...(method === "POST" ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(method === "POST" && {
      body: { required: route.body === "needed", content: weaveBody(path) },
    }),
    answers: {
      "200": {
        description: lists ? "One per line." : "Done.",
        content: { [type]: { schema: { $ref: `#/components/schemas/${answer}` } } },
      },
      ...INVALID,
      ...(method === "POST" && {
        "409": {
          description: "The idempotency key was used for another request.",
          content: jsonContent("Detail"),
        },
      }),
      ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
      ...(method !== "POST" && detailAnswers([431])),
    },
    ...(lists && { stream: "large" }),
  };
  return [`${verb.toLowerCase()}${schema}${lists ? "s" : ""}`, operation];
}

const SUMMARIES: { readonly [operation: string]: string } = {
  "Create evaluation_runs":
    "Start an evaluation run. From its first prediction on, queries find the evaluation by the run's id.",
  "Finish evaluation_runs": "End an evaluation run: its output is the mean of each score.",
  "Create predictions": "Log a prediction. In a run, it immediately becomes a trial of the evaluation.",
  "Finish predictions": "Mark a prediction as complete: no more scores follow.",
  "Create scores": "Log a score of a prediction. It immediately becomes a score of the trial.",
  "Delete evaluation_runs": "Delete evaluation runs with all that was logged below them.",
  "Delete predictions": "Delete predictions; in a run, also their trials and scores.",
};

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "Repeating a request with the same key changes nothing and returns the same answer.",
  schema: { type: "string" },
};

const TEXT: Json = { type: "string" };
const TEXT_OR_NULL: Json = { type: ["string", "null"] };
const TIME: Json = { type: "string", format: "date-time" };
const TIME_OR_NULL: Json = { type: ["string", "null"], format: "date-time" };
const WHOLE: Json = { type: "integer", minimum: 0 };
const ANY: Json = {};

function objectOf(properties: { readonly [name: string]: Json }): Json {
  return { type: "object", required: Object.keys(properties), properties };
}

const VERSION = { digest: TEXT, object_id: TEXT, version_index: WHOLE };
const NAMED = { ...VERSION, created_at: TIME, name: TEXT, description: TEXT_OR_NULL };

/** The schemas that they refer to. */
export const RUN_SCHEMAS: { readonly [name: string]: Json } = {
  CreatedDataset: objectOf(VERSION),
  CreatedScorer: objectOf({ ...VERSION, scorer: TEXT }),
  CreatedModelObject: objectOf({ ...VERSION, model_ref: TEXT }),
  CreatedEvaluationObject: objectOf({ ...VERSION, evaluation_ref: TEXT }),
  CreatedEvaluationRun: objectOf({ evaluation_run_id: TEXT }),
  CreatedPrediction: objectOf({ prediction_id: TEXT }),
  CreatedScore: objectOf({ score_id: TEXT }),
  Finished: objectOf({ success: { type: "boolean" } }),
  Deleted: objectOf({ num_deleted: WHOLE }),
  Dataset: objectOf({ ...NAMED, rows: { type: "string", description: "A reference to the table of rows." } }),
  Scorer: objectOf({ ...NAMED, score_op: TEXT }),
  ModelObject: objectOf({ ...NAMED, source_code: TEXT, attributes: { type: "object" } }),
  EvaluationRun: objectOf({
    evaluation_run_id: TEXT,
    evaluation: TEXT,
    model: TEXT,
    status: { enum: ["running", "completed", "failed"] },
    started_at: TIME_OR_NULL,
    finished_at: TIME_OR_NULL,
    summary: { type: ["object", "null"] },
    source_evaluation_run_id: TEXT_OR_NULL,
  }),
  Prediction: objectOf({
    prediction_id: TEXT,
    model: TEXT,
    inputs: { type: "object" },
    output: ANY,
    evaluation_run_id: TEXT_OR_NULL,
    wb_user_id: TEXT_OR_NULL,
  }),
  Score: objectOf({
    score_id: TEXT,
    scorer: TEXT,
    value: ANY,
    evaluation_run_id: TEXT_OR_NULL,
    wb_user_id: TEXT_OR_NULL,
  }),
};
