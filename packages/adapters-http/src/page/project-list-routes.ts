// The projects of a server, for the page's project selection.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { microseconds } from "@assay/calls";
import type { EvaluationEntry } from "@assay/eval-engine";
import { KEY_REQUIRED } from "../auth/www-authenticate.ts";
import type { Authenticate } from "../request/principal.ts";
import { readLimit } from "../request/read-limit.ts";
import { detailResponse, validationProblem } from "../response/problem.ts";
import { type Answer, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers, INVALID, jsonContent } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";

/** Lists projects. Throws a `Fault` when the storage itself fails. */
export interface ProjectList {
  /** Their names, `<entity>/<project>`, in any order. */
  projects(): Promise<readonly string[]>;
  /** The evaluations of a project, by start (unknown last). */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
}

/** Options of the project list routes. */
export interface ProjectListRoutesOptions {
  /** Lists projects. */
  readonly list: ProjectList;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const LIMIT = { default: 100, most: 1000 };

/** The list of projects. */
const OPERATIONS: Operations = {
  listProjects: {
    method: "GET",
    path: "/v2/projects",
    summary: "List the projects that the key may see, by name.",
    parameters: [
      {
        name: "after",
        in: "query",
        description: "Only projects after this one: the `next` of the previous page.",
        schema: { type: "string" },
        example: "acme/demo",
      },
      {
        name: "limit",
        in: "query",
        schema: { type: "integer", minimum: 1, maximum: LIMIT.most, default: LIMIT.default },
      },
    ],
    answers: {
      "200": { description: "The projects.", content: jsonContent("ProjectList") },
      ...INVALID,
      ...detailAnswers([401, 500, 503]),
    },
  },
};

const PROJECT_LIST = {
  type: "object",
  required: ["projects", "next"],
  additionalProperties: false,
  properties: {
    projects: {
      type: "array",
      items: {
        type: "object",
        required: ["entity", "project", "evaluations", "last_started_at"],
        additionalProperties: false,
        properties: {
          entity: { type: "string" },
          project: { type: "string" },
          evaluations: { type: "integer", minimum: 0 },
          last_started_at: {
            type: ["string", "null"],
            description: "When its newest evaluation started; null when unknown.",
          },
        },
      },
    },
    next: {
      type: ["string", "null"],
      description: "The value of `after` for the next page; null on the last page.",
    },
  },
  examples: [
    {
      projects: [
        { entity: "acme", project: "demo", evaluations: 3, last_started_at: "2026-11-22T12:04:00Z" },
      ],
      next: null,
    },
  ],
} as const;

/** `GET /v2/projects`: the projects that the caller may see, by name, in pages. */
export function projectListRoutes({ list, authenticate, onError }: ProjectListRoutesOptions): RouteGroup {
  const listProjects: Answer = async ({ request, query }) => {
    const principal = await authenticate(request);
    if (principal === undefined) return detailResponse(KEY_REQUIRED);
    const page = readPage(query);
    if (!page.ok) return detailResponse(validationProblem(page.issues));
    const { after, limit } = page.value;
    const seen = (await list.projects())
      .filter((name) => principal.allows(...namesOf(name)))
      .sort()
      .filter((name) => after === undefined || name > after);
    const projects: Project[] = [];
    for (const name of seen.slice(0, limit)) projects.push(projectOf(name, await list.entries(name)));
    return Response.json({ projects, next: seen.length > limit ? seen[limit - 1] : null });
  };
  return {
    routes: routesOf(OPERATIONS, { listProjects }),
    schemas: () => ({ ProjectList: PROJECT_LIST }),
    refuse: detailResponse,
    onError,
  };
}

interface Project {
  readonly entity: string;
  readonly project: string;
  readonly evaluations: number;
  readonly last_started_at: string | null;
}

function projectOf(name: string, entries: readonly EvaluationEntry[]): Project {
  const [entity, project] = namesOf(name);
  const last = entries.findLast(({ started_at }) => !Number.isNaN(microseconds(started_at)));
  return { entity, project, evaluations: entries.length, last_started_at: last?.started_at ?? null };
}

function namesOf(name: string): readonly [entity: string, project: string] {
  const slash = name.indexOf("/");
  return [name.slice(0, slash), name.slice(slash + 1)];
}

function readPage(
  query: URLSearchParams,
): Result<{ readonly after: string | undefined; readonly limit: number }> {
  const issues: Issue[] = [];
  const limit = readLimit(query, LIMIT.most, issues) ?? LIMIT.default;
  return issues.length > 0 ? bad(issues) : ok({ after: query.get("after") ?? undefined, limit });
}
