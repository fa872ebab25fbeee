// The evaluation runs interface, which programs log to without an SDK: datasets, scorers, models and evaluations by
// name; runs, predictions and scores, which are an evaluation like any other.

import type { Issue, Result } from "@assay/base";
import { textDigest } from "@assay/calls";
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
  type JsonObject,
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
  type TraceStores,
} from "@assay/trace-core";
import { inSteps } from "../in-steps.ts";
import { jsonAnswer } from "../json-answer.ts";
import { jsonLines } from "./json-lines.ts";
import { PAGE_PARAMETERS, pageOf, readPage } from "./list-page.ts";
import { projectRefusal, type RouteContext, refuse } from "./route.ts";

/** What is asked: the names in the path, the query and the body. */
interface Asking {
  readonly request: Request;
  readonly names: { readonly [name: string]: string };
  readonly body: unknown;
}

/** What an answer is made of: the query parameters, and the names in the path. */
interface Asked extends Pick<Asking, "names"> {
  readonly query: URLSearchParams;
  readonly reading: RouteContext["reading"];
}

/** A route of the interface. */
export interface RunRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Its path, as in `/v2/:entity/:project/scores`. */
  readonly path: string;
  /** Its query parameters. */
  readonly parameters: readonly string[];
  /** Whether it takes a body. */
  readonly body: "none" | "optional" | "needed";
  /** Whether it answers with a list, one on each line. */
  readonly lists: boolean;
  readonly answer: (
    body: unknown,
    logging: RunLogging,
    asked: Asked,
  ) => Promise<Result<JsonObject>> | AsyncGenerator<readonly JsonObject[]>;
}

/** Ids that one request may name. */
const MOST_IDS = 1000;

const at = (path: string): string => `/v2/:entity/:project/${path}`;

function posting<Read>(
  path: string,
  read: (body: unknown) => Result<Read>,
  act: (logging: RunLogging, read: Read, asked: Asked) => Promise<Result<JsonObject>>,
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
  answer: (logging: RunLogging, asked: Asked) => Promise<Result<JsonObject>>,
): RunRoute {
  const route = { method: "GET" as const, path: at(path), parameters: [], body: "none" as const };
  return { ...route, lists: false, answer: (_, logging, asked) => answer(logging, asked) };
}

function listing(
  path: string,
  parameters: readonly string[],
  list: (logging: RunLogging, asked: Asked) => AsyncGenerator<readonly JsonObject[]>,
): RunRoute {
  const all = [...parameters, ...PAGE_PARAMETERS];
  const route = { method: "GET" as const, path: at(path), parameters: all, body: "none" as const };
  return { ...route, lists: true, answer: (_, logging, asked) => list(logging, asked) };
}

/** A route that deletes what is named, and answers how many there were. */
function deleting(
  path: string,
  parameter: string,
  act: (logging: RunLogging, ids: readonly string[], asked: Asked) => Promise<number>,
  needed = true,
): RunRoute {
  return {
    method: "DELETE",
    path: at(path),
    parameters: [parameter],
    body: "none",
    lists: false,
    async answer(_, logging, asked) {
      const ids = asked.query.getAll(parameter);
      const issue = (code: string, message: string): Result<never> => ({
        ok: false,
        issues: [{ code, path: ["query", parameter], message }] satisfies Issue[],
      });
      if (needed && ids.length === 0) return issue("missing", `${parameter} is needed to say what to delete`);
      if (ids.length > MOST_IDS) return issue("too_long", `at most ${MOST_IDS} at once, not ${ids.length}`);
      return { ok: true, value: { num_deleted: await act(logging, ids, asked) } };
    },
  };
}

const setOf = (query: URLSearchParams, name: string): ReadonlySet<string> | undefined =>
  query.has(name) ? new Set(query.getAll(name)) : undefined;

/** The routes of a kind of object, but for its creation. The list of evaluations is older, and a route of its own. */
function objectRoutes(folder: string, kind: RunObjectKind): readonly RunRoute[] {
  const list = listing(folder, [], (logging, asked) => queryRunObjects(logging, kind, asked.reading));
  return [
    ...(kind === "evaluation" ? [] : [list]),
    reading(`${folder}/:object_id/versions/:digest`, (logging, { names }) =>
      readRunObject(logging, kind, names["object_id"]!, names["digest"]!),
    ),
    deleting(
      `${folder}/:object_id`,
      "digests",
      async ({ stores, project, now }, digests, { names }) => {
        const named = digests.length === 0 ? null : digests;
        const removal = { project_id: project, object_id: names["object_id"]!, digests: named };
        return (await removeVersions(stores.objects, removal, now())).length;
      },
      false,
    ),
  ];
}

/** The routes. */
export const RUN_ROUTES: readonly RunRoute[] = [
  posting("datasets", readNewDataset, (logging, given) => createDataset(logging, given, inSteps)),
  ...objectRoutes("datasets", "dataset"),
  posting("scorers", readNewScorer, createScorer),
  ...objectRoutes("scorers", "scorer"),
  posting("models", readNewModel, createModel),
  ...objectRoutes("models", "model"),
  posting("evaluations", readNewEvaluation, createEvaluation),
  ...objectRoutes("evaluations", "evaluation"),

  posting("evaluation_runs", readNewEvaluationRun, createEvaluationRun),
  listing("evaluation_runs", ["evaluation_run_ids", "evaluations", "models"], (logging, { query, reading }) =>
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
  reading("evaluation_runs/:evaluation_run_id", (logging, { names }) =>
    readEvaluationRun(logging, names["evaluation_run_id"]!),
  ),
  posting(
    "evaluation_runs/:evaluation_run_id/finish",
    readFinish,
    (logging, { summary }, { names }) => finishEvaluationRun(logging, names["evaluation_run_id"]!, summary),
    "optional",
  ),
  deleting("evaluation_runs", "evaluation_run_ids", deleteEvaluationRuns),

  posting("predictions", readNewPrediction, createPrediction),
  listing("predictions", ["evaluation_run_id"], (logging, { query, reading }) =>
    queryPredictions(logging, query.get("evaluation_run_id") ?? undefined, reading),
  ),
  reading("predictions/:prediction_id", (logging, { names }) =>
    readPrediction(logging, names["prediction_id"]!),
  ),
  posting(
    "predictions/:prediction_id/finish",
    readFinish,
    (logging, _, { names }) => finishPrediction(logging, names["prediction_id"]!),
    "optional",
  ),
  deleting("predictions", "prediction_ids", deletePredictions),

  posting("scores", readNewScore, createScore),
  listing("scores", ["evaluation_run_id"], (logging, { query, reading }) =>
    queryScores(logging, query.get("evaluation_run_id") ?? undefined, reading),
  ),
  reading("scores/:score_id", (logging, { names }) => readScore(logging, names["score_id"]!)),
  deleting("scores", "score_ids", deleteScores),
];

/** Answers a request about evaluation runs. */
export async function answerRuns(
  route: RunRoute,
  { request, names, body }: Asking,
  context: Omit<RouteContext, "pathProject"> & { readonly stores: TraceStores },
): Promise<Response> {
  const project = `${names["entity"]}/${names["project"]}`;
  const query = new URL(request.url).searchParams;
  const page = route.lists ? readPage(query) : undefined;
  if (page?.ok === false) return refuse(page.issues);
  const refused = projectRefusal([], { ...context, pathProject: project });
  if (refused !== undefined) return refused;
  const { stores, now, principal, reading } = context;
  const logging = { stores, project, now, newId: idsOf(request, context), user: principal.id };
  const answer = route.answer(body, logging, { names, query, reading });
  if (!(answer instanceof Promise)) return jsonLines(pageOf(answer, page?.value ?? {}), reading);
  const result = await answer;
  return result.ok ? jsonAnswer(result.value, reading) : refuse(result.issues);
}

/** New ids; the same ones again for the same `Idempotency-Key` of the same sender at the same path. */
function idsOf(
  request: Request,
  { newId, principal }: Pick<RouteContext, "newId" | "principal">,
): () => string {
  const key = request.headers.get("idempotency-key") || undefined;
  if (key === undefined) return newId;
  const { pathname } = new URL(request.url);
  let count = 0;
  return () => textDigest(JSON.stringify([principal.id, pathname, key, count++]));
}
