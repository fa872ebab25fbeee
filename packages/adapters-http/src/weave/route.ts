// A route for Weave's clients: reads a body, checks the caller, calls the core once, and answers.

import type { Issue, JsonObject, Result, Steps } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { TraceStores } from "@assay/trace-core";
import type { ReadContext } from "@assay/trace-core/internal";
import { readProjectPath } from "../project-path.ts";
import type { Principal } from "../request/principal.ts";
import { inTimeSlices } from "../request/time-slices.ts";
import { jsonAnswer } from "../response/json-answer.ts";
import { detailResponse, validationProblem } from "../response/problem.ts";
import type { PriceAt } from "./priced-calls.ts";

/** The context of a request. */
export interface RouteContext {
  readonly stores: TraceStores;
  /** The time, ISO 8601. */
  readonly now: () => string;
  /** A unique ID. */
  readonly newId: () => string;
  readonly principal: Principal;
  /** The token prices of a project. */
  readonly pricesIn: (project: string) => Promise<PriceAt>;
  /** How reads let other work run; they end when the client disconnects. */
  readonly reading: ReadContext;
  /** The project in the path, for routes under `/v2/{entity}/{project}`. */
  readonly pathProject: string | undefined;
}

/** Answers a JSON body. */
export type Route = (body: unknown, context: RouteContext) => Promise<Response>;

/** The parts of a route. */
export interface RouteParts<Read> {
  /** Reads a body, in one go or in steps. */
  readonly read: (body: unknown, context: RouteContext) => Result<Read> | Steps<Result<Read>>;
  /** The projects that it accesses, as `entity/project`. */
  readonly projects: (read: Read) => readonly string[];
  /** The answer; undefined if the requested object does not exist. */
  readonly answer: (read: Read, context: RouteContext) => Promise<JsonObject | Response | undefined>;
}

/** A route that answers 422 to invalid bodies, and 404 to projects that the principal may not see. */
export function route<Read>({ read, projects, answer }: RouteParts<Read>): Route {
  return async (body, context) => {
    const reading = read(body, context);
    const asked = "next" in reading ? await inTimeSlices(reading) : reading;
    if (!asked.ok) return refuse(asked.issues);
    const refused = projectRefusal(projects(asked.value), context);
    if (refused !== undefined) return refused;
    const given = await answer(asked.value, context);
    if (given === undefined) return notFound("there is no object with that name");
    return given instanceof Response ? given : jsonAnswer(given, context.reading);
  };
}

/**
 * The answer to issues: 404 for a name that does not exist; 409 if the client expected another digest of the content,
 * or used a key for another request; else 422.
 */
export function refuse(issues: readonly Issue[]): Response {
  const told = issues.find(({ code }) => STATUS.has(code));
  if (told === undefined) return detailResponse(validationProblem(issues));
  return detailResponse({ status: STATUS.get(told.code)!, detail: told.message });
}

const STATUS: ReadonlyMap<string, number> = new Map([
  ["digest_mismatch", 409],
  ["idempotency_key", 409],
  ["not_found", 404],
]);

/** The answer if one of these projects is invalid, or not visible to the principal; undefined if all are fine. */
export function projectRefusal(
  projects: readonly string[],
  { principal, pathProject }: Pick<RouteContext, "principal" | "pathProject">,
): Response | undefined {
  for (const id of new Set(pathProject === undefined ? projects : [pathProject, ...projects])) {
    if (pathProject !== undefined && id !== pathProject) {
      const message = `the project in the body must be the one in the path, ${pathProject}`;
      return refuse([{ code: "value_error", path: ["body", "project_id"], message }]);
    }
    const [entity = "", project = "", ...rest] = id.split("/");
    const name = readProjectPath(entity, [project, ...rest].join("/"));
    if (!name.ok) {
      const { code, message } = name.issues[0]!;
      return refuse([
        { code, path: ["body", "project_id"], message: `project_id must be entity/project: ${message}` },
      ]);
    }
    // Not 403: the existence of someone else's project is not revealed.
    if (!principal.allows(entity, project)) return notFound(`there is no project ${shownName(id)}`);
  }
  return undefined;
}

/** A 404 for Weave clients, which look for `reason` or `detail`. */
export function notFound(message: string): Response {
  return detailResponse({ status: 404, detail: message });
}
