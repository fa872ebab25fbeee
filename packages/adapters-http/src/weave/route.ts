// A route of the Weave face: reads a body, checks the caller, calls the core once, answers.

import type { Issue, JsonObject, Result, Steps } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { TraceStores } from "@assay/trace-core";
import type { Reading } from "@assay/trace-core/internal";
import { inSteps } from "../in-steps.ts";
import { jsonAnswer } from "../json-answer.ts";
import type { Principal } from "../principal.ts";
import { detailResponse, validationProblem } from "../problem.ts";
import { readProjectPath } from "../project-path.ts";
import type { PriceAt } from "./priced-calls.ts";

/** What routes work with. */
export interface RouteContext {
  readonly stores: TraceStores;
  /** The time, ISO 8601. */
  readonly now: () => string;
  /** An id that nothing else has. */
  readonly newId: () => string;
  readonly principal: Principal;
  /** What tokens cost in a project. */
  readonly pricesIn: (project: string) => Promise<PriceAt>;
  /** How long reads let others run, and end when the client has left. */
  readonly reading: Reading;
  /** The project that the path names, for routes under `/v2/{entity}/{project}`. */
  readonly pathProject: string | undefined;
}

/** Answers a JSON body. */
export type Route = (body: unknown, context: RouteContext) => Promise<Response>;

/** What a route is made of. */
export interface RouteParts<Read> {
  /** Reads a body, at once or in steps. */
  readonly read: (body: unknown, context: RouteContext) => Result<Read> | Steps<Result<Read>>;
  /** The projects that it touches, as `entity/project`. */
  readonly projects: (read: Read) => readonly string[];
  /** The answer; undefined when what was asked for is not there. */
  readonly answer: (read: Read, context: RouteContext) => Promise<JsonObject | Response | undefined>;
}

/** A route that answers 422 to what cannot be read, and 404 to projects that the principal may not see. */
export function route<Read>({ read, projects, answer }: RouteParts<Read>): Route {
  return async (body, context) => {
    const reading = read(body, context);
    const asked = "next" in reading ? await inSteps(reading) : reading;
    if (!asked.ok) return refuse(asked.issues);
    const refused = projectRefusal(projects(asked.value), context);
    if (refused !== undefined) return refused;
    const given = await answer(asked.value, context);
    if (given === undefined) return notFound("there is nothing here by that name");
    return given instanceof Response ? given : jsonAnswer(given, context.reading);
  };
}

/**
 * The answer to issues: 404 to what names something that is not there; 409 when the client expected content to have
 * another digest, or used a key for another request; else 422.
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

/** The answer when one of these projects is none, or is not the principal's to see; undefined when all are. */
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

/** 404 in the words of Weave's clients, which look for `reason` or `detail`. */
function notFound(message: string): Response {
  return detailResponse({ status: 404, detail: message });
}
