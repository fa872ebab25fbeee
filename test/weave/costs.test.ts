// Token prices of a project on the built server: evaluation results and calls use them, they survive a restart, they do
// not affect other projects, and the server's prices apply where a project has none.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const USAGE = { usage: { m: { prompt_tokens: 10, completion_tokens: 5 } } };

test("include_costs applies the project's prices that were in effect at the start of each call", async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-costs-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = join(directory, "assay.yaml");
  writeFileSync(settings, "prices: { m: { input: 1, output: 1 } }");
  const data = join(directory, "data");
  let server = await startAssay(data, { args: ["--config", settings] });
  onTestFinished(() => server.stop("SIGKILL"));
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 200, text]);
    return text;
  };
  const callsOf = (project_id: string) => {
    const call = (id: string, started_at: string, more: object) => ({
      ...{ project_id, id, trace_id: "e", started_at, ended_at: "2026-03-01T00:00:00Z", attributes: {} },
      ...{ inputs: {}, output: null, summary: {}, ...more },
    });
    const trial = {
      op_name: "Evaluation.predict_and_score",
      parent_id: "e",
      inputs: { example: { q: 1 } },
      output: { output: "x", scores: { right: true } },
      summary: USAGE,
    };
    return [
      call("e", "2026-01-01T00:00:00Z", { op_name: "Evaluation.evaluate" }),
      call("old", "2026-01-02T00:00:00Z", trial),
      call("new", "2026-02-02T00:00:00Z", trial),
    ];
  };
  for (const project of ["acme/own", "acme/other"])
    await post(`/v2/${project}/calls/complete`, { batch: callsOf(project) });
  const cost = (prompt_token_cost: number, effective_date: string) => ({
    project_id: "acme/own",
    costs: { m: { prompt_token_cost, completion_token_cost: 0, effective_date } },
  });
  await post("/cost/create", cost(2, "2026-02-01T00:00:00Z"));
  // Takes effect after both calls, so it applies to neither.
  await post("/cost/create", cost(3, "2026-03-01T00:00:00Z"));
  const costsOf = async (project: string) => {
    const asked = { evaluation_call_ids: ["e"], include_costs: true };
    const { rows } = JSON.parse(await post(`/v2/${project}/eval_results/query`, asked));
    const calls = await post("/calls/stream_query", { project_id: project, include_costs: true });
    const trials = rows[0].evaluations[0].trials as {
      predict_and_score_call_id: string;
      total_cost: number;
    }[];
    return [
      trials.map((trial) => [trial.predict_and_score_call_id, trial.total_cost]),
      [...calls.matchAll(/"prompt_tokens_total_cost":([\d.e-]+)/g)].map(([, sum]) => Number(sum)),
    ];
  };
  // The older call predates all prices: it gets the earliest one.
  const own = [
    [
      ["old", 20],
      ["new", 20],
    ],
    [20, 20],
  ];
  const other = [
    [
      ["old", 0.000015],
      ["new", 0.000015],
    ],
    [0.00001, 0.00001],
  ];
  expect([await costsOf("acme/own"), await costsOf("acme/other")]).toEqual([own, other]);
  await post("/cost/create", cost(1, "2026-01-01T00:00:00Z"));
  const both = [
    [
      ["old", 10],
      ["new", 20],
    ],
    [10, 20],
  ];
  expect(await costsOf("acme/own")).toEqual(both);
  await server.stop("SIGKILL");
  server = await startAssay(data, { args: ["--config", settings] });
  expect(await costsOf("acme/own")).toEqual(both);
  await post("/cost/purge", {
    project_id: "acme/own",
    query: { $expr: { $eq: [{ $getField: "llm_id" }, { $literal: "m" }] } },
  });
  expect(await costsOf("acme/own")).toEqual(other);
});
