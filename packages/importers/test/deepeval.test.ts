// DeepEval: conversations, steps, and a run spread over several files.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const metric = (name: string, score: number, more: object = {}) => ({
  ...{ name, score, success: score >= 0.5, threshold: 0.5 },
  ...more,
});
const failed = (name: string) => ({ name, success: false, error: "RuntimeError: no judge" });
const run = (model: string, cases: object, more: object = {}) =>
  JSON.stringify({
    ...{ testCases: [], conversationalTestCases: [], metricsScores: [], ...cases },
    ...{ identifier: `run ${model}`, hyperparameters: { model }, runDuration: model.length + 0.123456789 },
    ...more,
  });
const of = async (...files: readonly (readonly [name: string, text: string])[]) => {
  const { plan, lines } = await imported(files.map(([name, text]) => textFile(name, text)));
  const calls = lines.map((line) => JSON.parse(line)).filter((call) => call.parent_id);
  const means = plan.evaluations.map(({ scores }) =>
    Object.fromEntries(scores.map(({ path, mean, trials }) => [path, [mean, trials]])),
  );
  return { plan, calls, means, closest: plan.closest({ project: "me/demo" }) };
};

test("a conversation's answer is its turns, and its row is the scenario", async () => {
  const talk = (reply: string, scenario?: string) => ({
    ...{ name: "conversational_test_case_0", success: true, metricsData: [metric("Polite", 1)] },
    ...(scenario !== undefined && { scenario, expectedOutcome: "booked", userDescription: "tired" }),
    turns: [
      { role: "user", content: scenario === undefined ? "hello" : `hello, ${reply}`, order: 0 },
      { role: "assistant", content: reply, order: 1 },
    ],
  });
  for (const scenario of ["booking", undefined]) {
    const [a, b] = ["no", "please"].map((reply) => talk(reply, scenario));
    const { plan, calls, closest } = await of(
      ["a.json", run("small", { conversationalTestCases: [a] })],
      ["b.json", run("large", { conversationalTestCases: [b] })],
    );
    expect([plan.notes, closest?.length]).toEqual([[], 2]);
    expect(calls.map(({ output }) => output.output[1].content)).toEqual(["no", "please"]);
  }
});

test("a case passes as DeepEval reports, unless only metrics with errors made it fail", async () => {
  const { means } = await of([
    "a.json",
    run("small", {
      testCases: [
        { input: "a", success: true, metricsData: [metric("Exact", 1), metric("Long", 0, { flaky: true })] },
        { input: "b", success: false, metricsData: [failed("Exact"), metric("Long", 0)] },
        { input: "c", success: false, metricsData: [failed("Exact"), metric("Long", 0, { flaky: true })] },
      ],
    }),
  ]);
  expect(means[0]!["success"]).toEqual([0.5, 2]);
});

test("metrics of steps are scores named after the step, and the error of the outermost step is the trial's", async () => {
  const step = (name: string, metricsData: object[], more: object = {}) => ({ name, metricsData, ...more });
  const spans = [
    step("app", [], { error: "ValueError: crashed" }),
    step("lookup", [metric("Length", 1)], { parentUuid: "1", error: "retried" }),
    step("lookup", [metric("Length", 0)], { parentUuid: "1" }),
  ];
  const { plan, means } = await of([
    "a.json",
    run("small", {
      testCases: [{ input: "a", success: false, trace: { baseSpans: spans } }],
    }),
  ]);
  expect(plan.evaluations[0]!.errors).toBe(1);
  expect(means[0]).toMatchObject({ "lookup.Length.score": [1, 1], "lookup 2.Length.score": [0, 1] });
});

test("a run in several files is read once, from the file with its time", async () => {
  const one = run("small", { testCases: [{ input: "a", metricsData: [metric("Exact", 1)] }] });
  const { plan, calls } = await of(
    [".deepeval/.latest_run_full.json", one],
    [".deepeval/.latest_test_run.json", `{"testRunData": ${one}}`],
    ["runs/test_run_20261127_191104.json", one],
    [
      "runs/test_run_20261127_191204.json",
      run("other", { testCases: [{ input: "a", metricsData: [metric("Exact", 1)] }] }),
    ],
  );
  expect(plan.evaluations.map(({ name, startedAt }) => [name, startedAt])).toEqual([
    ["run small", "2026-11-27T19:11:04Z"],
    ["run other", "2026-11-27T19:12:04Z"],
  ]);
  expect(calls).toHaveLength(2);
  expect(
    plan.notes.filter((note) => note.includes("the same run as runs/test_run_20261127_191104.json")),
  ).toHaveLength(2);
});

test("dumped results of evaluate, in snake case, have all metrics", async () => {
  const results = [
    {
      name: "test_case_0",
      success: true,
      input: "a",
      actual_output: "b",
      turns: null,
      metrics_data: [metric("Exact", 1, { error: null })],
    },
  ];
  const { plan, means, calls } = await of([
    "r.json",
    JSON.stringify({ test_results: results, confident_link: null }),
  ]);
  expect(plan.evaluations.map(({ kind }) => kind)).toEqual(["deepeval"]);
  expect(means).toEqual([{ success: [1, 1], "Exact.score": [1, 1], "Exact.success": [1, 1] }]);
  expect(calls[0].output.output).toBe("b");
});
