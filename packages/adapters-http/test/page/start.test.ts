// The first requests of a page: the session and the list of projects.

import { Fault } from "@assay/base";
import type { EvaluationEntry } from "@assay/eval-engine";
import { expect, test } from "vitest";
import {
  anyAuthentication,
  createHandler,
  keyAuthentication,
  type Principal,
  projectListRoutes,
  sessionRoutes,
} from "../../src/index.ts";
import type { ProjectList } from "../../src/page/project-list-routes.ts";

const acme: Principal = { id: "acme-key", allows: (entity) => entity === "acme" };
const authenticate = anyAuthentication([
  keyAuthentication("K"),
  async (request) => (request.headers.get("authorization") === "Bearer ACME" ? acme : undefined),
]);
const entry = (id: string, started_at: string | null): EvaluationEntry => ({
  ...{ id, started_at, name: null, model: null, ended_at: null, evaluation_ref: null, trials: 1 },
});
const ENTRIES: { readonly [project: string]: readonly EvaluationEntry[] } = {
  "acme/demo": [entry("a", "2026-01-01T00:00:00Z"), entry("b", "2026-03-01T00:00:00Z"), entry("c", null)],
  "acme/traces": [],
  "rival/x": [entry("d", "soon")],
};
const list: ProjectList = {
  projects: async () => Object.keys(ENTRIES).toReversed(),
  entries: async (project) => ENTRIES[project]!,
};

const ask = async (path: string, key?: string, from: ProjectList = list) => {
  const groups = [
    sessionRoutes({ authenticate, areas: ["results"], version: "1.2.3" }),
    projectListRoutes({ list: from, authenticate }),
  ];
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await createHandler({ routes: groups })(
    new Request(`http://localhost${path}`, { headers }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
};

test("a session describes the caller's key, and is a 401 without a valid one", async () => {
  expect((await ask("/v1/session", "K")).body).toEqual({
    ...{ principal: "api-key", everything: true, areas: ["results"], version: "1.2.3" },
  });
  expect((await ask("/v1/session", "ACME")).body).toMatchObject({ principal: "acme-key", everything: false });
  for (const path of ["/v1/session", "/v2/projects"]) {
    const stranger = await ask(path, "wrong");
    expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer"),
    ]);
  }
});

test("the projects are those that the key may see, with the start of their newest evaluation", async () => {
  const demo = {
    ...{ entity: "acme", project: "demo", evaluations: 3, last_started_at: "2026-03-01T00:00:00Z" },
  };
  const traces = { entity: "acme", project: "traces", evaluations: 0, last_started_at: null };
  expect((await ask("/v2/projects", "ACME")).body).toEqual({ projects: [demo, traces], next: null });
  expect((await ask("/v2/projects", "K")).body.projects.at(-1)).toEqual({
    ...{ entity: "rival", project: "x", evaluations: 1, last_started_at: null },
  });
});

test("projects are listed page by page", async () => {
  const first = (await ask("/v2/projects?limit=1", "ACME")).body;
  expect([first.projects.length, first.next]).toEqual([1, "acme/demo"]);
  const second = (await ask(`/v2/projects?limit=1&after=${encodeURIComponent(first.next)}`, "ACME")).body;
  expect([second.projects[0].project, second.next]).toEqual(["traces", null]);
  expect((await ask("/v2/projects?limit=0", "K")).status).toBe(422);
  expect((await ask("/v2/projects?page=2", "K")).status).toBe(422);
});

test("a failing storage is a 503", async () => {
  const broken = {
    ...list,
    projects: async () => {
      throw new Fault("unavailable", "the disk does not answer");
    },
  };
  expect(await ask("/v2/projects", "K", broken)).toMatchObject({
    status: 503,
    body: { detail: "the disk does not answer" },
  });
});
