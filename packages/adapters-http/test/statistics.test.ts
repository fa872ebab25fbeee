// Statistics questions over HTTP: the answer is the engine's bytes, or an error with its location.

import { Fault } from "@assay/base";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import type { StatisticsQuestion } from "@assay/eval-engine/internal";
import { STATISTICS_REFUSALS } from "@assay/testing/statistics-refusals";
import { describe, expect, test } from "vitest";
import { keyAuthentication, loopbackAuthentication } from "../src/auth/auth.ts";
import {
  type EvalResultsEngine,
  type EvalResultsRoutesOptions,
  evalResultsRoutes,
} from "../src/eval-results/eval-results-routes.ts";
import { createHandler, type Handler } from "../src/handler.ts";

const right = (every: number) => Array.from({ length: 40 }, (_, row) => row % every !== 0);
const engine = createEvalEngine({
  calls: memoryCalls([
    ...evaluationCalls("good", right(20)),
    ...evaluationCalls("bad", right(2)),
    ...evaluationCalls("close", right(3)),
  ]),
  rows: memoryRows(),
});

function handlerOf(options: Partial<EvalResultsRoutesOptions> = {}): Handler {
  return createHandler({
    routes: [evalResultsRoutes({ engine, authenticate: loopbackAuthentication(), ...options })],
  });
}

interface Ask extends RequestInit {
  readonly to?: Handler;
  readonly project?: string;
}

function ask(question: StatisticsQuestion, body: unknown, options: Ask = {}): Promise<Response> {
  const { to = handlerOf(), project = "acme/demo", ...init } = options;
  return to(
    new Request(`http://localhost/v2/${project}/eval_results/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    }),
  );
}

const query = { evaluation_call_ids: ["good", "bad", "close"] };
const BODIES: { readonly [Question in StatisticsQuestion]: object } = {
  compare: { query, baseline: "bad", margin: 0.01, seed: 3 },
  slices: {
    query,
    baseline: "bad",
    candidate: "good",
    measure: { field: "scores.match.correct" },
    fields: ["inputs.question"],
    min_rows: 1,
  },
  ranking: { query, measure: "scores.match.correct", level: 0.9 },
};
const QUESTIONS = Object.keys(BODIES) as StatisticsQuestion[];

describe.each(QUESTIONS)("%s", (question) => {
  const body = BODIES[question];

  test("is answered with the engine's bytes", async () => {
    const response = await ask(question, body);
    const answer = await engine.answerStatistics(question, "acme/demo", body);
    if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
    expect([response.status, await response.text()]).toEqual([200, JSON.stringify(answer.value)]);
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("is not answered without the key, or for a project of others", async () => {
    const keyed = await ask(question, body, { to: handlerOf({ authenticate: keyAuthentication("K3Y") }) });
    expect([keyed.status, await keyed.json()]).toEqual([401, { detail: expect.stringContaining("Bearer") }]);
    const authenticate = async () => ({ id: "acme", allows: (entity: string) => entity === "acme" });
    const rival = await ask(question, body, { to: handlerOf({ authenticate }), project: "rival/demo" });
    expect([rival.status, await rival.json()]).toEqual([404, { detail: "no such project" }]);
  });

  test("reports faults of the path and the body at once", async () => {
    const response = await ask(question, { level: 1 }, { project: "acme/de%2Fmo" });
    const { detail } = (await response.json()) as { detail: { loc: string[] }[] };
    expect([response.status, detail.map(({ loc }) => loc.join("."))]).toEqual([
      422,
      expect.arrayContaining(["path.project", "body.query", "body.level"]),
    ]);
  });

  test("is refused before it is read if the body is too large or not JSON", async () => {
    const large = await ask(question, { ...body, cluster_by: "x".repeat(5_000_000) });
    expect(large.status).toBe(413);
    const form = await ask(question, body, { headers: { "Content-Type": "text/plain" } });
    expect(form.status).toBe(415);
  });

  test("is a 501 that names it if the engine only answers queries", async () => {
    const queries: EvalResultsEngine = {
      answer: (project, body, options) => engine.answer(project, body, options),
    };
    const response = await ask(question, body, { to: handlerOf({ engine: queries }) });
    expect([response.status, await response.json()]).toEqual([
      501,
      { detail: `the engine of this server does not answer ${question}` },
    ]);
  });

  const waiting = (begun: () => void): EvalResultsEngine => ({
    answer: (project, body, options) => engine.answer(project, body, options),
    answerStatistics: (_question, _project, _body, options) =>
      new Promise((_, reject) => {
        const signal = options?.signal as AbortSignal;
        signal.addEventListener("abort", () => reject(new Fault("cancelled", "the query was cancelled")));
        begun();
      }),
  });

  test("is cancelled with a 504 if it takes too long", async () => {
    const to = handlerOf({ engine: waiting(() => {}), timeout: 1 });
    expect((await ask(question, body, { to })).status).toBe(504);
  });

  test("stops when the client disconnects", async () => {
    const client = new AbortController();
    const to = handlerOf({ engine: waiting(() => client.abort()) });
    expect((await ask(question, body, { to, signal: client.signal })).status).toBe(499);
  });
});

test.each(STATISTICS_REFUSALS)("%s is a 422 of %s with its location", async (_, question, body, fault) => {
  const response = await ask(question, body);
  const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string; type: string }[] };
  expect(response.status).toBe(422);
  expect(detail.map(({ loc, type }) => [loc.join("."), type])).toContainEqual(fault);
  for (const { msg } of detail) expect(msg).toMatch(/./);
});

test("an answer with many slices is written in chunks, the same bytes, and can be abandoned early", async () => {
  const many = Array.from({ length: 2000 }, (_, row) => row % 3 === 0);
  const calls = [...evaluationCalls("one", many), ...evaluationCalls("two", many.toReversed())] as {
    id: string;
    inputs: { example?: object };
  }[];
  const group = (id: string) => Number(id.split("-")[1]) % 50;
  const sliced = calls.map((call) =>
    call.inputs.example === undefined
      ? call
      : {
          ...call,
          inputs: {
            example: {
              ...call.inputs.example,
              ...Object.fromEntries([..."abcdefghijklmnop"].map((key) => [key, `${key}${group(call.id)}`])),
            },
          },
        },
  );
  const engine = createEvalEngine({ calls: memoryCalls(sliced), rows: memoryRows() });
  const to = handlerOf({ engine });
  const body = {
    query: { evaluation_call_ids: ["one", "two"] },
    ...{ baseline: "one", candidate: "two", measure: "scores.match.correct" },
  };
  const response = await ask("slices", body, { to });
  const text = await response.text();
  expect(text.length).toBeGreaterThan(2 ** 18);
  expect(text).toBe(JSON.stringify(await engine.slices("acme/demo", body)));

  const reader = (await ask("slices", body, { to })).body!.getReader();
  expect((await reader.read()).value!.length).toBeGreaterThan(1000);
  await reader.cancel();
  expect((await ask("slices", body, { to })).status).toBe(200);
});
