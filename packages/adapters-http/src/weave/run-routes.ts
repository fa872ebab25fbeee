// The evaluation runs interface, for logging without an SDK: datasets, scorers, models and evaluations by name; runs
// with predictions and scores, which become ordinary evaluations.

import type { Issue, JsonObject, Result } from "@assay/base";
import { textDigest } from "@assay/calls/internal";
import type { TraceStores } from "@assay/trace-core";
import {
  createDataset,
  createEvaluation,
  createEvaluationRun,
  createModel,
  createPrediction,
  createScore,
  createScorer,
  deleteEvaluationRuns,
  deletePredictions,
  deleteScores,
  finishEvaluationRun,
  finishPrediction,
  queryEvaluationRuns,
  queryPredictions,
  queryRunObjects,
  queryScores,
  type RunLogging,
  type RunObjectKind,
  readEvaluationRun,
  readFinish,
  readNewDataset,
  readNewEvaluation,
  readNewEvaluationRun,
  readNewModel,
  readNewPrediction,
  readNewScore,
  readNewScorer,
  readPrediction,
  readRunObject,
  readScore,
  removeVersions,
} from "@assay/trace-core/internal";
import { inTimeSlices } from "../request/time-slices.ts";
import { jsonAnswer } from "../response/json-answer.ts";
import type { Parameter, RouteRequest } from "../routing/operation.ts";
import { withDeletionDeadline } from "./deletion-deadline.ts";
import { jsonLines } from "./json-lines.ts";
import { PAGE_PARAMETERS, pageOf, readPage } from "./list-page.ts";
import { projectRefusal, type RouteContext, refuse } from "./route.ts";

/** The handler with its body's reader. */
interface Asking extends RouteRequest {
  readonly body: unknown;
}

/** The query parameters, and those of the path. */
interface RunRouteRequest extends Pick<RouteRequest, "query" | "param"> {
  readonly reading: RouteContext["reading"];
}

/** A route of the interface. */
export interface RunRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Its path, such as `/v2/{entity}/{project}/scores`. */
  readonly path: string;
  /** Its query parameters. */
  readonly parameters: readonly Parameter[];
  /** Whether it takes a body. */
  readonly body: "none" | "optional" | "needed";
  /** Whether it answers with a list, one item per line. */
  readonly lists: boolean;
  readonly answer: (
    body: unknown,
    logging: RunLogging,
    asked: RunRouteRequest,
  ) => Promise<Result<JsonObject>> | AsyncGenerator<readonly JsonObject[]>;
}

/** The most IDs in one request. */
const MOST_IDS = 1000;

const each = (name: string): Parameter => ({
  name,
  in: "query",
  description: "Repeat it for each.",
  explode: true,
  schema: { type: "array", items: { type: "string" }, maxItems: MOST_IDS },
});
const OF_RUN: Parameter = {
  name: "evaluation_run_id",
  in: "query",
  description: "Only of this run.",
  schema: { type: "string" },
};

const at = (path: string): string => `/v2/{entity}/{project}/${path}`;

function posting<Read>(
  path: string,
  read: (body: unknown) => Result<Read>,
  act: (logging: RunLogging, read: Read, asked: RunRouteRequest) => Promise<Result<JsonObject>>,
  body: RunRoute["body"] = "needed",
): RunRoute {
  return {
    method: "POST",
    path: at(path),
    parameters: [],
    body,
    lists: false,
    answer: async (given, logging, asked) => {
      const value = read(given);
      return value.ok ? act(logging, value.value, asked) : value;
    },
  };
}

function reading(
  path: string,
  answer: (logging: RunLogging, asked: RunRouteRequest) => Promise<Result<JsonObject>>,
): RunRoute {
  const route = { method: "GET" as const, path: at(path), parameters: [], body: "none" as const };
  return { ...route, lists: false, answer: (_, logging, asked) => answer(logging, asked) };
}

function listing(
  path: string,
  parameters: readonly Parameter[],
  list: (logging: RunLogging, asked: RunRouteRequest) => AsyncGenerator<readonly JsonObject[]>,
): RunRoute {
  const all = [...parameters, ...PAGE_PARAMETERS];
  const route = { method: "GET" as const, path: at(path), parameters: all, body: "none" as const };
  return { ...route, lists: true, answer: (_, logging, asked) => list(logging, asked) };
}

/** A route that deletes the named objects and answers with the number that existed. */
function deleting(
  path: string,
  parameter: string,
  act: (logging: RunLogging, ids: readonly string[], asked: RunRouteRequest) => Promise<number>,
  needed = true,
): RunRoute {
  return {
    method: "DELETE",
    path: at(path),
    parameters: [each(parameter)],
    body: "none",
    lists: false,
    async answer(_, logging, asked) {
      const ids = asked.query.getAll(parameter);
      const issue = (code: string, message: string): Result<never> => ({
        ok: false,
        issues: [{ code, path: ["query", parameter], message }] satisfies Issue[],
      });
      if (needed && ids.length === 0)
        return issue("missing", `${parameter} is required: name what to delete`);
      if (ids.length > MOST_IDS)
        return issue("too_long", `at most ${MOST_IDS} per request, not ${ids.length}`);
      const deletion = withDeletionDeadline(asked.reading, (reading) =>
        act(logging, ids, { ...asked, reading }),
      );
      return { ok: true, value: { num_deleted: await deletion } };
    },
  };
}

const setOf = (query: URLSearchParams, name: string): ReadonlySet<string> | undefined =>
  query.has(name) ? new Set(query.getAll(name)) : undefined;

/** The routes of a kind of object, except for its creation. The list of evaluations is older and has its own route. */
function objectRoutes(folder: string, kind: RunObjectKind): readonly RunRoute[] {
  const list = listing(folder, [], (logging, asked) => queryRunObjects(logging, kind, asked.reading));
  return [
    ...(kind === "evaluation" ? [] : [list]),
    reading(`${folder}/{object_id}/versions/{digest}`, (logging, { param }) =>
      readRunObject(logging, kind, param("object_id"), param("digest")),
    ),
    deleting(
      `${folder}/{object_id}`,
      "digests",
      async ({ stores, project, now }, digests, { param }) => {
        const named = digests.length === 0 ? null : digests;
        const removal = { project_id: project, object_id: param("object_id"), digests: named };
        return (await removeVersions(stores.objects, removal, now())).length;
      },
      false,
    ),
  ];
}

/** The routes. */
export const RUN_ROUTES: readonly RunRoute[] = [
  posting("datasets", readNewDataset, (logging, given) => createDataset(logging, given, inTimeSlices)),
  ...objectRoutes("datasets", "dataset"),
  posting("scorers", readNewScorer, createScorer),
  ...objectRoutes("scorers", "scorer"),
  posting("models", readNewModel, createModel),
  ...objectRoutes("models", "model"),
  posting("evaluations", readNewEvaluation, createEvaluation),
  ...objectRoutes("evaluations", "evaluation"),

  posting("evaluation_runs", readNewEvaluationRun, createEvaluationRun),
  listing(
    "evaluation_runs",
    ["evaluation_run_ids", "evaluations", "models"].map(each),
    (logging, { query, reading }) =>
      queryEvaluationRuns(
        logging,
        {
          ids: setOf(query, "evaluation_run_ids"),
          evaluations: setOf(query, "evaluations"),
          models: setOf(query, "models"),
        },
        reading,
      ),
  ),
  reading("evaluation_runs/{evaluation_run_id}", (logging, { param }) =>
    readEvaluationRun(logging, param("evaluation_run_id")),
  ),
  posting(
    "evaluation_runs/{evaluation_run_id}/finish",
    readFinish,
    (logging, { summary }, { param }) => finishEvaluationRun(logging, param("evaluation_run_id"), summary),
    "optional",
  ),
  deleting("evaluation_runs", "evaluation_run_ids", (logging, ids, { reading }) =>
    deleteEvaluationRuns(logging, ids, reading),
  ),

  posting("predictions", readNewPrediction, createPrediction),
  listing("predictions", [OF_RUN], (logging, { query, reading }) =>
    queryPredictions(logging, query.get("evaluation_run_id") ?? undefined, reading),
  ),
  reading("predictions/{prediction_id}", (logging, { param }) =>
    readPrediction(logging, param("prediction_id")),
  ),
  posting(
    "predictions/{prediction_id}/finish",
    readFinish,
    (logging, _, { param }) => finishPrediction(logging, param("prediction_id")),
    "optional",
  ),
  deleting("predictions", "prediction_ids", (logging, ids, { reading }) =>
    deletePredictions(logging, ids, reading),
  ),

  posting("scores", readNewScore, createScore),
  listing("scores", [OF_RUN], (logging, { query, reading }) =>
    queryScores(logging, query.get("evaluation_run_id") ?? undefined, reading),
  ),
  reading("scores/{score_id}", (logging, { param }) => readScore(logging, param("score_id"))),
  deleting("scores", "score_ids", (logging, ids, { reading }) => deleteScores(logging, ids, reading)),
];

/** Answers a request about evaluation runs. */
export async function answerRuns(
  route: RunRoute,
  { request, query, path, param, body }: Asking,
  context: Omit<RouteContext, "pathProject"> & { readonly stores: TraceStores },
): Promise<Response> {
  const project = `${param("entity")}/${param("project")}`;
  const page = route.lists ? readPage(query) : undefined;
  if (page?.ok === false) return refuse(page.issues);
  const refused = projectRefusal([], { ...context, pathProject: project });
  if (refused !== undefined) return refused;
  const { stores, now, principal, reading } = context;
  const logging = { stores, project, now, newId: idsOf({ request, path }, context), user: principal.id };
  const answer = route.answer(body, logging, { query, param, reading });
  if (!(answer instanceof Promise)) return jsonLines(pageOf(answer, page?.value ?? {}), reading);
  const result = await answer;
  return result.ok ? jsonAnswer(result.value, reading) : refuse(result.issues);
}

/** New IDs; the same ones again for the same `Idempotency-Key`, caller and path. */
function idsOf(
  { request, path }: Pick<Asking, "request" | "path">,
  { newId, principal }: Pick<RouteContext, "newId" | "principal">,
): () => string {
  const key = request.headers.get("idempotency-key") || undefined;
  if (key === undefined) return newId;
  let count = 0;
  return () => textDigest(JSON.stringify([principal.id, path, key, count++]));
}
