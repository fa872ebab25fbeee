// The statistics queries of the built command over a socket: the same bytes as the engine over the same calls, and the
// shared refusals with their places.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import type { StatisticsQuestion } from "@assay/eval-engine/internal";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { STATISTICS_REFUSALS } from "@assay/testing/statistics-refusals";
import { afterAll, beforeAll, expect, test } from "vitest";

const P = "acme/demo";
const right = (every: number) => Array.from({ length: 40 }, (_, row) => row % every !== 0);
const calls = [...evaluationCalls("good", right(20)), ...evaluationCalls("bad", right(2))];

let server: AssayServer;
const home = mkdtempSync(join(tmpdir(), "assay-statistics-"));
const post = (path: string, type: string, body: string): Promise<Response> =>
  fetch(`${server.url}/v2/${P}/${path}`, { method: "POST", headers: { "Content-Type": type }, body });
const ask = (question: string, body: unknown): Promise<Response> =>
  post(
    `eval_results/${question}`,
    "application/json",
    typeof body === "string" ? body : JSON.stringify(body),
  );

beforeAll(async () => {
  server = await startAssay(join(home, "data"));
  const lines = calls.map((call) => JSON.stringify(call)).join("\n");
  expect(await (await post("calls/import", "application/x-ndjson", lines)).json()).toMatchObject({
    bad_lines: 0,
  });
});
afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

const query = { evaluation_call_ids: ["good", "bad"] };
const measure = "scores.match.correct";
const BODIES: readonly (readonly [StatisticsQuestion, object])[] = [
  ["compare", { query, baseline: "bad", interval: "bootstrap", seed: 7 }],
  [
    "slices",
    { query, baseline: "bad", candidate: "good", measure, fields: ["inputs.question"], min_rows: 1 },
  ],
  ["ranking", { query, measure }],
];

test.each(BODIES)("%s returns the engine's bytes", async (question, body) => {
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
  const answer = await engine.answerStatistics(question, P, body, { plan: "naive" });
  if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
  const response = await ask(question, body);
  expect([response.status, await response.text()]).toEqual([200, JSON.stringify(answer.value)]);
});

test.each(STATISTICS_REFUSALS)(
  "%s is a 422 of %s with the place of the issue",
  async (_, question, body, fault) => {
    const response = await ask(question, body);
    const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] };
    expect([response.status, detail.map(({ loc, type }) => [loc.join("."), type])]).toEqual([
      422,
      expect.arrayContaining([fault]),
    ]);
  },
);
