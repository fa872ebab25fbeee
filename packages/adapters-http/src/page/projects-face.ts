// The projects of a server: what a page shows before one is chosen.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { microseconds } from "@assay/calls";
import type { EvaluationEntry } from "@assay/eval-engine";
import { Hono } from "hono";
import { KEY_NEEDED } from "../challenge.ts";
import type { Face, OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent } from "../open-api.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse, problemOf, validationProblem } from "../problem.ts";
import { readLimit } from "../read-limit.ts";

/** Where projects are listed. When the storage itself fails, it throws a `Fault`. */
export interface ProjectList {
  /** Their names, `<entity>/<project>`, in any order. */
  projects(): Promise<readonly string[]>;
  /** The evaluations of one, by start (unknown last). */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
}

/** What the face is made of. */
export interface ProjectsFaceOptions {
  /** Where projects are listed. */
  readonly list: ProjectList;
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const PATH = "/v2/projects";
const LIMIT = { default: 100, most: 1000 };

/** `GET /v2/projects`: those that the sender may see, by name, some at a time. */
export function projectsFace({ list, authenticate, onError }: ProjectsFaceOptions): Face {
  const app = new Hono();
  app.get(PATH, async (context) => {
    const principal = await authenticate(context.req.raw);
    if (principal === undefined) return detailResponse(KEY_NEEDED);
    const page = readPage(new URL(context.req.url).searchParams);
    if (!page.ok) return detailResponse(validationProblem(page.issues));
    const { after, limit } = page.value;
    const seen = (await list.projects())
      .filter((name) => principal.allows(...namesOf(name)))
      .sort()
      .filter((name) => after === undefined || name > after);
    const projects: Project[] = [];
    for (const name of seen.slice(0, limit)) projects.push(projectOf(name, await list.entries(name)));
    return Response.json({ projects, next: seen.length > limit ? seen[limit - 1] : null });
  });
  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return detailResponse(problem);
  });
  const parameters = { [`GET ${PATH}`]: ["after", "limit"] };
  return { app, openApi: projectsOpenApi, refuse: detailResponse, parameters };
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

function projectsOpenApi(): OpenApiPart {
  return {
    paths: {
      [PATH]: {
        get: {
          operationId: "listProjects",
          summary: "The projects that the key may see, by name.",
          parameters: [
            {
              name: "after",
              in: "query",
              description: "Only those after this one: `next` of the answer before.",
              schema: { type: "string" },
              example: "acme/demo",
            },
            {
              name: "limit",
              in: "query",
              schema: { type: "integer", minimum: 1, maximum: LIMIT.most, default: LIMIT.default },
            },
          ],
          responses: {
            "200": { description: "They.", content: jsonContent("ProjectList") },
            "422": {
              description: "What is wrong with the request.",
              content: jsonContent("HTTPValidationError"),
            },
            ...detailAnswers([401, 500, 503]),
          },
        },
      },
    },
    schemas: { ProjectList: PROJECT_LIST },
  };
}

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
            description: "When the newest of its evaluations began; null when that is not known.",
          },
        },
      },
    },
    next: { type: ["string", "null"], description: "What to go on `after`; null when these are the last." },
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
