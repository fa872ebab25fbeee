// A project's data over HTTP, for `assay import`, `export` and `evaluations` when a server has the data open.

import { bad, Fault, ok, type Result } from "@assay/base";
import type { EvaluationChoice } from "@assay/eval-engine";
import { accessProblem } from "../auth/project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { contentType, DecodingError, decodedBody, noRoom, readJsonBody } from "../request/body.ts";
import type { MemoryBudget } from "../request/memory-budget.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse, refusedBody, validationProblem } from "../response/problem.ts";
import { streamResponse } from "../response/stream-response.ts";
import { type Answer, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { MOST_NAMED, readChoice } from "./evaluation-choice.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";
import type { LineKind, ProjectData } from "./project-data.ts";
import { directionsView, readScoreDirections } from "./score-directions.ts";

/** Options of the project data routes. */
export interface ProjectDataRoutesOptions {
  /** The data. */
  readonly data: ProjectData;
  /**
   * Deletes a project, or evaluations of it, so that no file contains any of it. Throws a `missing` fault if one of
   * them does not exist. Absent: these routes answer 501.
   */
  readonly remove?: ((what: RemovedData) => Promise<RemovalReport>) | undefined;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The memory budget that everything shares. Default: none. */
  readonly memory?: MemoryBudget | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What to delete: a project, or evaluations of it by the IDs of their root calls. */
export interface RemovedData {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** All of the project if undefined. */
  readonly evaluations?: readonly string[] | undefined;
}

/** What was deleted. */
export interface RemovalReport {
  /** Calls, including those below them. */
  readonly calls: number;
  /** Dataset rows that nothing else refers to. */
  readonly rows: number;
  /** Runs of W&B clients, which are deleted with the whole project. Absent: none. */
  readonly runs?: number;
  /** Versions of their artifacts, likewise. */
  readonly artifacts?: number;
  /**
   * Parts of a database's tables that contain it and are still on the database's disk, for databases with such parts.
   */
  readonly old_parts?: number;
}

/** The memory of lines that were read and not yet written to disk. */
const IMPORT_BYTES = 64 * 2 ** 20;

/**
 * A project's data as a group of routes: `GET /v2/{entity}/{project}/eval_results/evaluations`; `GET` and `POST
 * …/eval_results/directions`; `POST …/calls/import` and `POST …/rows/import` of JSON lines, which are read as a stream
 * and answered when the valid ones are on disk; `GET …/calls/export` and `GET …/rows/export`, which return such lines;
 * and `DELETE /v2/{entity}/{project}`, `DELETE …/eval_results/evaluations` and `DELETE
 * …/eval_results/evaluations/{id}`, which delete permanently.
 */
export function projectDataRoutes(options: ProjectDataRoutesOptions): RouteGroup {
  const { data, remove, authenticate, memory, onError } = options;
  /** Answers with the result of `act` for a project that the caller may access. */
  const inProject =
    (act: (project: string, asked: RouteRequest) => Promise<Response>): Answer =>
    async (asked) => {
      const names = { entity: asked.param("entity"), project: asked.param("project") };
      const refusal = await accessProblem(authenticate, asked.request, names);
      if (refusal !== undefined) return detailResponse(refusal);
      const project = readProjectPath(names.entity, names.project);
      return project.ok ? await act(project.value, asked) : detailResponse(validationProblem(project.issues));
    };

  const importing = (kind: LineKind) =>
    inProject(async (project, { request }) => {
      const refused = (status: number, detail: string) => detailResponse({ status, detail });
      if (contentType(request).name !== "application/x-ndjson") {
        return refused(415, 'the body must be JSON lines: send "Content-Type: application/x-ndjson"');
      }
      const body = decodedBody(request);
      if (!body.ok) return refused(body.refusal.status, body.refusal.message);
      const principal = memory && (await authenticate(request));
      const place = principal && memory.reserve(principal.id);
      try {
        if (place?.take(IMPORT_BYTES) === false) return refusedBody(noRoom().refusal);
        return Response.json(await data.importLines(project, kind, body.value));
      } catch (error) {
        if (error instanceof DecodingError) return refused(400, error.message);
        throw request.signal.aborted ? Fault.from(error, "cancelled", "the connection broke off") : error;
      } finally {
        place?.release();
      }
    });

  const exporting = (kind: LineKind) =>
    inProject(async (project, { query }) => {
      const named = namedEvaluations(query);
      if (!named.ok) return detailResponse(validationProblem(named.issues));
      const lines = data.exportLines(project, kind, named.value.length === 0 ? undefined : named.value);
      return orMissing(() => streamResponse(lines, "application/x-ndjson"));
    });

  const removal = async (what: RemovedData): Promise<Response> => {
    if (remove === undefined)
      return detailResponse({ status: 501, detail: "this server cannot delete from its store" });
    return orMissing(async () => Response.json(await remove(what)));
  };
  const handlers = {
    listEvaluations: inProject(async (project, { query }) => {
      const choice = readChoice(query);
      if (!choice.ok) return detailResponse(validationProblem(choice.issues));
      return orMissing(() => listed(data, project, choice.value));
    }),
    listScoreDirections: inProject(async (project) =>
      data.directions === undefined
        ? directionsUnsupported()
        : Response.json(await directionsView(data.directions, project)),
    ),
    sayScoreDirections: inProject(async (project, { request }) => {
      const body = await readJsonBody(request);
      if (!body.ok) return refusedBody(body.refusal);
      const read = readScoreDirections(body.value);
      if (!read.ok) return detailResponse(validationProblem(read.issues));
      if (data.directions === undefined) return directionsUnsupported();
      await data.directions.put(project, read.value);
      return Response.json(await directionsView(data.directions, project));
    }),
    importCalls: importing("calls"),
    importRows: importing("rows"),
    exportCalls: exporting("calls"),
    exportRows: exporting("rows"),
    deleteProject: inProject((project) => removal({ project })),
    deleteEvaluations: inProject(async (project, { query }) => {
      const named = namedEvaluations(query);
      if (!named.ok) return detailResponse(validationProblem(named.issues));
      if (named.value.length > 0) return removal({ project, evaluations: named.value });
      // A request that mistakenly names no evaluation must not delete anything.
      const message = "evaluation is required: the id of an evaluation to delete; repeat it for several";
      return detailResponse(validationProblem([{ code: "missing", path: ["query", "evaluation"], message }]));
    }),
    deleteEvaluation: inProject((project, { param }) => removal({ project, evaluations: [param("id")] })),
  };
  return {
    routes: routesOf(OPERATIONS, handlers),
    schemas: () => SCHEMAS,
    refuse: detailResponse,
    onError,
  };
}

function directionsUnsupported(): Response {
  return detailResponse({ status: 501, detail: "this server cannot store directions of scores" });
}

/** The evaluations in the query, without duplicates. */
function namedEvaluations(query: URLSearchParams): Result<readonly string[]> {
  const named = query.getAll("evaluation");
  if (named.length <= MOST_NAMED) return ok([...new Set(named)]);
  const message = `at most ${MOST_NAMED} evaluations are allowed, not ${named.length}`;
  return bad([{ code: "too_long", path: ["query", "evaluation"], message }]);
}

/** The answer, or a 404 with the message of a `missing` fault. */
async function orMissing(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "missing") throw error;
    return detailResponse({ status: 404, detail: error.message });
  }
}

async function listed(data: ProjectData, project: string, choice: EvaluationChoice): Promise<Response> {
  const { limit } = choice;
  // One more than is shown, to know whether more follow.
  const found = await data.evaluations(
    project,
    limit === undefined ? choice : { ...choice, limit: limit + 1 },
  );
  const evaluations = found.slice(0, limit);
  const next = found.length > evaluations.length ? evaluations.at(-1)!.id : null;
  return Response.json({ evaluations, next });
}
