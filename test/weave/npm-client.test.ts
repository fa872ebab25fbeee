// The weave npm package, unmodified, logs evaluations; the results query answers during and after the run.

import type { EvalResults, EvalResultsRow } from "@assay/eval-engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRun, runClient } from "./run-client.ts";
import { startServer, type TestServer } from "./test-server.ts";

const KEY = "a key that is not a W&B key";
const PROJECT = "acme/demo";
const ALL = { include_summary: true, include_raw_data_rows: true, resolve_row_refs: true };

let server: TestServer;
let run: ClientRun;
let whileRunning: EvalResults | undefined;

const ask = (evaluations: readonly string[]): Promise<EvalResults> =>
  server.query(PROJECT, { ...ALL, evaluation_call_ids: evaluations });

const rowOf = (results: EvalResults | undefined, country: string): EvalResultsRow | undefined =>
  results?.rows.find(({ raw_data_row }) => (raw_data_row as { country?: string }).country === country);
const trialsOf = (results: EvalResults | undefined, country: string) =>
  rowOf(results, country)?.evaluations.flatMap(({ trials }) => trials) ?? [];

beforeAll(async () => {
  server = await startServer(KEY);
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: KEY };
  run = await runClient(process.execPath, "client.mjs", env, async () => {
    const [root] = await server.roots(PROJECT);
    whileRunning = await ask([root!]);
  });
});
afterAll(() => server.close());

describe("an Evaluation with a dataset and two trials", () => {
  test("can be queried while it runs, with resolved rows", () => {
    expect(whileRunning?.total_rows).toBe(2);
    expect(whileRunning?.warnings).toEqual([]);
    expect(trialsOf(whileRunning, "France")).toMatchObject([{ scores: { exact: true }, total_tokens: 7 }]);
    // The running trial has no output yet.
    expect(trialsOf(whileRunning, "Perú")).toMatchObject([{ model_output: null, scores: {} }]);
  });

  test("can be queried afterwards, with the trials of every row", async () => {
    const [root] = await server.roots(PROJECT);
    const results = await ask([root!]);
    expect(results.total_rows).toBe(3);
    expect(results.warnings).toEqual([]);
    expect(rowOf(results, "Perú")?.raw_data_row).toEqual({
      country: "Perú",
      capital: "Lima",
      tags: ["süd", "☃"],
    });
    expect(trialsOf(results, "Perú")).toHaveLength(2);
    for (const trial of trialsOf(results, "Perú")) {
      expect(trial).toMatchObject({
        model_output: { text: "Quito", length: 5 },
        scores: {
          exact: false,
          details: { shape: { length: 5, long: true }, note: "ok" },
          verdict: "it says Quito",
        },
        total_tokens: 7,
      });
      expect(trial.predict_call_id).not.toBeNull();
    }
  });

  test("keeps trials whose model failed, without scores, and nothing of scorers that failed", async () => {
    const [root] = await server.roots(PROJECT);
    const results = await ask([root!]);
    expect(trialsOf(results, "Japan")).toMatchObject([
      { model_output: null, scores: {} },
      { model_output: null, scores: {} },
    ]);
    const [summary] = results.summary?.evaluations ?? [];
    expect(summary).toMatchObject({
      trial_count: 6,
      display_name: "capitals_predictCapital",
      predict_total_tokens: 28,
    });
    expect(
      summary?.scorer_stats.map(({ scorer_key, path, value_type, trial_count, pass_rate, numeric_mean }) => [
        path === null ? scorer_key : `${scorer_key}.${path}`,
        value_type,
        trial_count,
        pass_rate ?? numeric_mean,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["exact", "binary", 4, 0.5],
        ["details.shape.length", "continuous", 4, 5],
        ["details.shape.long", "binary", 4, 1],
        ["details.note", "text", 4, null],
        ["verdict", "text", 4, null],
      ]),
    );
    expect(summary?.scorer_stats.some(({ scorer_key }) => scorer_key === "broken")).toBe(false);
  });

  test("is among the evaluation objects, in the hosted service's format", async () => {
    const found = await server.evaluationObjects(PROJECT);
    const one = expect.objectContaining({
      object_id: "capitals",
      version_index: expect.any(Number),
      digest: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      name: "capitals",
      description: null,
      dataset: expect.stringMatching(/^weave:\/\/\/acme\/demo\/object\/capitals:/),
      trials: 1,
    });
    expect(found).toContainEqual(one);
  });

  test("agrees with the client's own summary", () => {
    expect(run.result).toMatchObject({
      summary: { exact: { true_count: 2 }, model_success: { true_count: 4, true_fraction: 4 / 6 } },
    });
  });
});

describe("an EvaluationLogger", () => {
  test("can be queried, with inline rows, object scores and its scorers' calls", async () => {
    const [, root] = await server.roots(PROJECT);
    const results = await ask([root!]);
    expect(results.total_rows).toBe(3);
    const [trial] = trialsOf(results, "France");
    expect(trial).toMatchObject({
      model_output: { text: "Paris" },
      scores: { exact: false, quality: { length: 5, letters: { first: "P" } } },
    });
    expect(Object.keys(trial!.scorer_call_ids).sort()).toEqual(["exact", "quality"]);
    expect(rowOf(results, "France")?.raw_data_row).toEqual({ country: "France", i: 0 });
  });
});

describe("the client", () => {
  test("reads back what it logged", () => {
    const rows = [
      { country: "France", capital: "Paris", population: 68.5 },
      { country: "Perú", capital: "Lima", tags: ["süd", "☃"] },
      { country: "Japan", capital: "Tokyo", small: 1e-7 },
    ];
    expect((run.result as { rows: unknown }).rows).toMatchObject(rows);
    expect((run.result as { roots: unknown[] }).roots).toHaveLength(2);
  });

  test("was never refused a request", () => {
    expect(server.refused).toEqual([]);
  });
});
