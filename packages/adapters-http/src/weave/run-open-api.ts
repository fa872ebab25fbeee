// The evaluation runs interface as part of an OpenAPI document: its bodies are described by the schemas that read them.

import type { Json } from "@assay/base";
import type { OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../open-api.ts";
import { PAGE_PARAMETERS } from "./list-page.ts";
import { RUN_ROUTES, type RunRoute } from "./run-routes.ts";

/** The interface, described; `bodies` are the schemas of bodies by path. */
export function runsOpenApi(bodies: { readonly [path: string]: Json }): OpenApiPart {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const route of RUN_ROUTES) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path, bodies[path]) };
  }
  return { paths, schemas: SCHEMAS };
}

const WORDS: { readonly [folder: string]: readonly [one: string, schema: string] } = {
  datasets: ["dataset", "Dataset"],
  scorers: ["scorer", "Scorer"],
  models: ["model object", "ModelObject"],
  evaluations: ["evaluation object", "EvaluationObject"],
  evaluation_runs: ["evaluation run", "EvaluationRun"],
  predictions: ["prediction", "Prediction"],
  scores: ["score", "Score"],
};

function operationOf(route: RunRoute, path: string, body: Json | undefined): Json {
  const [, folder = ""] = /^\/v2\/\{entity\}\/\{project\}\/(\w+)/.exec(path) ?? [];
  const [one, schema] = WORDS[folder]!;
  const finishes = path.endsWith("/finish");
  const verb = finishes
    ? "Finish"
    : { GET: route.lists ? "List" : "Read", POST: "Create", DELETE: "Delete" }[route.method];
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).slice(2);
  const answer = finishes
    ? "Finished"
    : { GET: schema, POST: `Created${schema}`, DELETE: "Deleted" }[route.method];
  const type = route.lists ? "application/jsonl" : "application/json";
  return {
    operationId: `${verb.toLowerCase()}${schema}${route.lists ? "s" : ""}`,
    summary:
      SUMMARIES[`${verb} ${folder}`] ?? `${verb} ${route.lists ? `${one}s, one on each line` : `a ${one}`}.`,
    tags: ["evaluation runs"],
    parameters: [
      ...PROJECT_PARAMETERS,
      ...named.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...route.parameters.map(queryParameter),
      ...(route.method === "POST" ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body !== undefined &&
      route.method === "POST" && {
        requestBody: { required: route.body === "needed", content: { "application/json": { schema: body } } },
      }),
    responses: {
      "200": {
        description: route.lists ? "One on each line." : "Done.",
        content: { [type]: { schema: { $ref: `#/components/schemas/${answer}` } } },
      },
      "422": { description: "What is wrong with the request.", content: jsonContent("HTTPValidationError") },
      ...(route.method === "POST" && {
        "409": {
          description: "The idempotency key was used for another request.",
          content: jsonContent("Detail"),
        },
      }),
      ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
      ...(route.method !== "POST" && detailAnswers([431])),
    },
  };
}

const SUMMARIES: { readonly [operation: string]: string } = {
  "Create evaluation_runs":
    "Begin an evaluation run. Its id is the id of the evaluation in queries, from its first prediction on.",
  "Finish evaluation_runs": "End an evaluation run: its output is the mean of each score.",
  "Create predictions": "Log a prediction. One of a run is a trial of its evaluation at once.",
  "Finish predictions": "Say that no more scores come for a prediction.",
  "Create scores": "Log a score of a prediction. It is a score of the trial at once.",
  "Delete evaluation_runs": "Delete evaluation runs with all that was logged below them.",
  "Delete predictions": "Delete predictions; one of a run with its trial and scores.",
};

function queryParameter(name: string): Json {
  if (PAGE_PARAMETERS.includes(name)) {
    const description = name === "limit" ? "At most so many." : "So many are passed over first.";
    return { name, in: "query", description, schema: { type: "integer", minimum: 0 } };
  }
  if (name === "evaluation_run_id")
    return { name, in: "query", description: "Of this run alone.", schema: { type: "string" } };
  return {
    name,
    in: "query",
    description: "Given once for each.",
    explode: true,
    schema: { type: "array", items: { type: "string" }, maxItems: 1000 },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "A request that is sent again under its key changes nothing, and is answered as before.",
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

const SCHEMAS: { readonly [name: string]: Json } = {
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
