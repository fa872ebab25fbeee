// The evaluation runs interface: a program that logs with plain requests creates an ordinary evaluation.

import { createHandler, weaveRoutes } from "@assay/adapters-http";
import { createEvalEngine } from "@assay/eval-engine";
import { memoryTraceStores } from "@assay/trace-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

const P = "acme/demo";

function open() {
  const stores = memoryTraceStores();
  let [seconds, ids] = [0, 0];
  const handler = createHandler({
    routes: [
      weaveRoutes({
        stores,
        authenticate: async ({ headers }) =>
          headers.has("authorization") ? { id: "ann", allows: (entity) => entity === "acme" } : undefined,
        now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
        newId: () => `id-${++ids}`,
      }),
    ],
  });
  const engine = createEvalEngine({ calls: stores.calls, rows: stores.tables });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    handler(
      new Request(`http://x/v2/${P}/${path}`, {
        method,
        headers: { Authorization: "ann", "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  const ask = async (...question: Parameters<typeof send>) => {
    const answer = await send(...question);
    const text = await answer.text();
    expect([question, answer.status, text]).toEqual([question, 200, expect.any(String)]);
    return JSON.parse(text);
  };
  const lines = async (path: string) => {
    const answer = await send("GET", path);
    const text = await answer.text();
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  };
  const results = (run: string) =>
    engine.query(P, { evaluation_call_ids: [run], include_summary: true, include_raw_data_rows: true });
  return { handler, send, ask, lines, results };
}

type World = ReturnType<typeof open>;

/** A run with two predictions, the first with scores. */
async function logged({ ask }: World) {
  const { evaluation_ref } = await ask("POST", "evaluations", {
    name: "Sums to Ten",
    dataset: "weave:///acme/demo/object/sums:v0",
    evaluation_name: "nightly",
  });
  const { model_ref } = await ask("POST", "models", { name: "adder", source_code: "class Adder: ..." });
  const { scorer } = await ask("POST", "scorers", { name: "Exact", op_source_code: "def score(): ..." });
  const { evaluation_run_id: run } = await ask("POST", "evaluation_runs", {
    evaluation: evaluation_ref,
    model: model_ref,
  });
  const predict = async (inputs: object, output: unknown, more: object = {}) =>
    (await ask("POST", "predictions", { model: model_ref, inputs, output, evaluation_run_id: run, ...more }))
      .prediction_id as string;
  const right = await predict({ question: "2+2" }, "4");
  const wrong = await predict({ question: "3+4" }, null, { exception: "the model was down" });
  const score = async (prediction_id: string, by: string, value: unknown) =>
    (await ask("POST", "scores", { prediction_id, scorer: by, value, evaluation_run_id: run }))
      .score_id as string;
  const exact = await score(right, scorer, true);
  await score(right, "judge", { quality: 0.5, why: "short" });
  return { run, right, wrong, exact, model_ref, scorer, score };
}

test("a run is an evaluation from its first prediction on, with every score as it arrives", async () => {
  const world = open();
  const { run, right } = await logged(world);
  const running = await world.results(run);
  expect(running.summary).toMatchObject({
    row_count: 2,
    evaluations: [
      {
        display_name: "nightly",
        trial_count: 2,
        scorer_stats: [
          { scorer_key: "exact", pass_rate: 1, trial_count: 1 },
          { scorer_key: "judge", path: "quality", numeric_mean: 0.5 },
          { scorer_key: "judge", path: "why" },
        ],
      },
    ],
  });
  const trial = running.rows.flatMap(({ evaluations }) => evaluations[0]!.trials)[0];
  const row = running.rows.find(({ raw_data_row }) => JSON.stringify(raw_data_row).includes("2+2"));
  expect(row?.evaluations[0]?.trials[0]).toMatchObject({
    predict_call_id: right,
    model_output: "4",
    // The program did not measure it.
    model_latency_seconds: null,
    scorer_call_ids: { exact: expect.any(String), judge: expect.any(String) },
  });
  expect(trial).toBeDefined();
  expect(await world.ask("GET", `evaluation_runs/${run}`)).toMatchObject({ status: "running" });
  expect(await world.ask("POST", `predictions/${right}/finish`)).toEqual({ success: true });
  expect(await world.ask("POST", `evaluation_runs/${run}/finish`, { summary: { note: 1 } })).toEqual({
    success: true,
  });
  expect(await world.ask("GET", `evaluation_runs/${run}`)).toMatchObject({
    status: "completed",
    summary: { note: 1 },
  });
  expect((await world.results(run)).summary).toEqual(running.summary);
});

test("a trial has the times, tokens and errors that the program measured", async () => {
  const world = open();
  const { evaluation_run_id: run } = await world.ask("POST", "evaluation_runs", {
    evaluation: "sums",
    model: "m",
  });
  await world.ask("POST", "predictions", {
    model: "m",
    inputs: { q: 1 },
    output: 1,
    evaluation_run_id: run,
    started_at: "2026-01-01T00:00:00Z",
    ended_at: "2026-01-01T00:00:02.5Z",
    summary: { usage: { m: { total_tokens: 7 } } },
    genai_span_ref: [{ trace_id: "t", span_id: "s" }],
  });
  const [row] = (await world.results(run)).rows;
  expect(row?.evaluations[0]?.trials[0]).toMatchObject({
    model_latency_seconds: 2.5,
    total_tokens: 7,
    genai_span_ref: [{ trace_id: "t", span_id: "s" }],
  });
});

test("logged objects can be read and listed page by page, and conform to their description", async () => {
  const world = open();
  const { run, right, exact, model_ref, scorer } = await logged(world);
  const read = {
    EvaluationRun: await world.ask("GET", `evaluation_runs/${run}`),
    Prediction: await world.ask("GET", `predictions/${right}`),
    Score: await world.ask("GET", `scores/${exact}`),
    ModelObject: (await world.lines("models"))[0],
    Scorer: (await world.lines("scorers"))[0],
    EvaluationObject: (await world.lines("evaluations"))[0],
    Dataset: undefined as unknown,
  };
  const dataset = await world.ask("POST", "datasets", { name: "sums", rows: [{ question: "2+2" }] });
  read.Dataset = await world.ask("GET", `datasets/sums/versions/${dataset.digest}`);
  expect(read.Prediction).toMatchObject({ inputs: { question: "2+2" }, output: "4", model: model_ref });
  expect(read.Score).toMatchObject({ value: true, scorer, evaluation_run_id: run });
  expect(read.ModelObject).toMatchObject({ source_code: "class Adder: ...", name: "adder" });
  expect(await world.lines(`predictions?evaluation_run_id=${run}`)).toHaveLength(2);
  expect(await world.lines(`predictions?evaluation_run_id=${run}&limit=1&offset=1`)).toHaveLength(1);
  expect(await world.lines(`scores?evaluation_run_id=${run}`)).toHaveLength(2);
  expect(await world.lines(`evaluation_runs?models=${encodeURIComponent(model_ref)}`)).toHaveLength(1);
  expect(await world.lines("evaluation_runs?models=other")).toEqual([]);

  const document = (await (await world.handler(new Request("http://x/openapi.json"))).json()) as object;
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
  ajv.addSchema({ $id: "https://assay.test/openapi.json", ...document });
  for (const [name, value] of Object.entries(read)) {
    const conforms = ajv.getSchema(`https://assay.test/openapi.json#/components/schemas/${name}`)!;
    expect([name, conforms(value), conforms.errors]).toEqual([name, true, null]);
  }
});

test("a repeated request with the same key logs nothing twice, and another request with it is a conflict", async () => {
  const world = open();
  const { run } = await logged(world);
  const prediction = { model: "m", inputs: { q: 1 }, output: 1, evaluation_run_id: run };
  const once = { "Idempotency-Key": "p1" };
  const first = await world.ask("POST", "predictions", prediction, once);
  expect(await world.ask("POST", "predictions", prediction, once)).toEqual(first);
  const score = { prediction_id: first.prediction_id, scorer: "exact", value: 1 };
  const scored = await world.ask("POST", "scores", score, once);
  expect(await world.ask("POST", "scores", score, once)).toEqual(scored);
  expect((await world.results(run)).summary?.evaluations[0]?.trial_count).toBe(3);
  const other = await world.send("POST", "predictions", { ...prediction, output: 2 }, once);
  expect([other.status, await other.json()]).toEqual([409, { detail: expect.stringContaining("key") }]);
});

test("a trial has all scores that arrive concurrently, and no deleted ones", async () => {
  const world = open();
  const { run, right, exact, wrong, score } = await logged(world);
  await Promise.all(Array.from({ length: 8 }, (_, i) => score(right, `s${i}`, i)));
  const keys = async () =>
    (await world.results(run)).summary!.evaluations[0]!.scorer_stats.map(({ scorer_key }) => scorer_key);
  expect(await keys()).toEqual(["exact", "judge", "judge", ...Array.from({ length: 8 }, (_, i) => `s${i}`)]);
  expect(await world.ask("DELETE", `scores?score_ids=${exact}&score_ids=none`)).toEqual({ num_deleted: 1 });
  expect(await keys()).not.toContain("exact");
  expect(await world.ask("DELETE", `predictions?prediction_ids=${wrong}`)).toEqual({ num_deleted: 1 });
  expect((await world.results(run)).total_rows).toBe(1);
  expect(await world.ask("DELETE", `evaluation_runs?evaluation_run_ids=${run}`)).toEqual({ num_deleted: 1 });
  expect((await world.results(run)).total_rows).toBe(0);
});

test("numbers keep their notation", async () => {
  const world = open();
  const { run, right } = await logged(world);
  await world.ask("POST", "scores", `{"prediction_id":"${right}","scorer":"n","value":1.0}`);
  const answer = await world.send("GET", `scores?evaluation_run_id=${run}`);
  expect(await answer.text()).toContain('"value":1.0,');
});

test("faults are reported, and projects of others look as if they did not exist", async () => {
  const world = open();
  const { right } = await logged(world);
  const refused = async (...question: Parameters<World["send"]>) => {
    const answer = await world.send(...question);
    return [answer.status, JSON.stringify(await answer.json())];
  };
  const run = { model: "m", inputs: {}, output: 1, evaluation_run_id: "none" };
  expect(await refused("POST", "predictions", run)).toEqual([404, expect.stringContaining("none")]);
  expect(await refused("POST", "scores", { prediction_id: "none", scorer: "s", value: 1 })).toEqual([
    404,
    expect.stringContaining("prediction"),
  ]);
  expect(await refused("POST", "scores", { prediction_id: right, value: 1 })).toEqual([
    422,
    expect.stringContaining("scorer"),
  ]);
  expect(await refused("POST", "predictions", { ...run, ended_at: "now" })).toEqual([
    422,
    expect.stringContaining("ISO 8601"),
  ]);
  expect(await refused("GET", "evaluation_runs/none")).toEqual([404, expect.stringContaining("none")]);
  expect(await refused("GET", "scores?limit=x")).toEqual([422, expect.stringContaining("limit")]);
  expect(await refused("DELETE", "scores")).toEqual([422, expect.stringContaining("score_ids")]);
  expect(await refused("POST", "models", { name: "??", source_code: "" })).toEqual([
    422,
    expect.stringContaining("letter"),
  ]);
  expect(await refused("POST", "datasets", { rows: [1] })).toEqual([
    422,
    expect.stringContaining('"rows",0'),
  ]);
  const others = new Request("http://x/v2/other/demo/scores", { headers: { Authorization: "ann" } });
  expect((await world.handler(others)).status).toBe(404);
  expect((await world.handler(new Request(`http://x/v2/${P}/scores`))).status).toBe(401);
});
