// Columns and lists that evaluators write beside an answer, under names that only begin like those of scores.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
const read = async (text: string) => {
  const { plan } = await imported([textFile("t.out", text)]);
  return plan.evaluations.map(({ name, rows, trials, scores }) => [
    ...[name, rows, trials],
    Object.fromEntries(scores.map(({ path, mean, type }) => [path, mean ?? type])),
  ]);
};

test("columns that begin with score are scores by their values, and ids of runs separate evaluations", async () => {
  const sample = (run: string, id: number, epoch: number, grade: string | null) => ({
    ...{ sample_id: `${run}${id}${epoch}`, eval_id: run, id, epoch, input: `q${id}`, target: "x" },
    ...{ score_match: grade, score_match_answer: "x", score_source: "a tool", score_match_stderr: 0.5 },
    score_rubric: grade === null ? null : `{"fluency": 0.5, "brief": ${grade === "C"}}`,
  });
  const samples = ["one", "two"].flatMap((run) =>
    [1, 2].flatMap((id) => [
      sample(run, id, 1, run === "one" ? "C" : "I"),
      sample(run, id, 2, id === 1 ? null : "I"),
    ]),
  );
  const scores = (match: number) => ({
    ...{ score_match: match, "score_rubric.fluency": 0.5, "score_rubric.brief": match },
  });
  expect(await read(lines(samples))).toEqual([
    ["one", 2, 4, scores(2 / 3)],
    ["two", 2, 4, scores(0)],
  ]);
});

test("an id of a run that is another for each record names none", async () => {
  const records = [1, 2, 3, 4].map((id) => ({ run_id: `r${id}`, id, output: "x", correct: id > 2 }));
  expect(await read(lines(records))).toEqual([["t", 4, 4, { correct: 0.5 }]]);
});

test("what is measured below outputs is a score if the answer is elsewhere", async () => {
  const record = (n: number) => ({
    ...{ "inputs.query": `q${n}`, "inputs.response": "x", "outputs.mine.brevity": n / 2 },
    ...{ "outputs.mine.brevity_result": n > 0 ? "pass" : "fail", "outputs.mine.brevity_threshold": 0.5 },
    "outputs.mine.brevity_reason": "so",
  });
  expect(await read(JSON.stringify({ rows: [record(0), record(1)], metrics: {} }))).toEqual([
    ["t", 2, 2, { "outputs\\.mine\\.brevity": 0.25, "outputs\\.mine\\.brevity_result": 0.5 }],
  ]);
  const answered = lines([0, 1].map((n) => ({ id: n, "outputs.answer": "x", "outputs.n": n, score: n })));
  expect(await read(answered)).toEqual([["t", 2, 2, { score: 0.5 }]]);
});

test("a list of results has a score for each name, and none where the evaluator failed", async () => {
  const result = (n: number, isFailed: boolean) => ({
    test_case: {
      ...{ trace_id: `t${n}`, dataset_item_id: `i${n}`, task_output: { output: "x" } },
      ...{ dataset_item_content: { input: `q${n}` }, mapped_scoring_inputs: { input: `q${n}`, output: "x" } },
    },
    score_results: [
      { name: "equals", value: n, reason: null, scoring_failed: false },
      { name: "judged", value: isFailed ? 0 : 0.5, reason: "so", scoring_failed: isFailed },
    ],
    trial_id: 0,
  });
  const results = [result(0, true), result(1, false)];
  expect(await read(JSON.stringify({ test_results: results }))).toEqual([
    ["t", 2, 2, { equals: 0.5, judged: 0.5 }],
  ]);
});

test("a document with means of its records is not a record, and ids of trials do not identify rows", async () => {
  const trial = (task: string, trial_no: number, isRight: boolean) => ({
    ...{
      id: `u${task}${trial_no}`,
      task_id: task,
      question: `do ${task}`,
      passed: isRight,
    },
  });
  const results = [trial("a", 1, true), trial("a", 2, false), trial("b", 1, true), trial("b", 2, true)];
  const document = { id: "r", accuracy: 0.75, n_resolved: 3, results };
  expect(await read(JSON.stringify(document))).toEqual([["t", 2, 4, { passed: 0.75 }]]);
  const { id, accuracy } = document;
  expect(await read(JSON.stringify({ id, accuracy, counts: [1] }))).toEqual([
    ["t", 1, 1, { accuracy: 0.75 }],
  ]);
});

test("scores below a result have its names, and explanations are none", async () => {
  const record = (n: number) => ({
    judgedResult: { scores: [{ metricName: "Accuracy", result: n / 2 }] },
    inputRecord: { prompt: `q${n}`, referenceResponse: "x" },
    modelResponses: [{ response: "x", modelIdentifier: "lab/small" }],
  });
  expect(await read(lines([record(0), record(1)]))).toEqual([["lab/small", 2, 2, { Accuracy: 0.25 }]]);
  const explained = (n: number) => ({
    id: n,
    output: "x",
    score_tone: n,
    explanation_tone: n ? "good" : "bad",
  });
  expect(await read(lines([explained(0), explained(1)]))).toEqual([["t", 2, 2, { score_tone: 0.5 }]]);
});

test("a text that differs in each record of a wide table names its rows", async () => {
  const table = "task_name,lab/small,lab/large\nT1,0.5,1\nT2,0.25,0.5\n";
  expect((await read(table)).map(([name, rows]) => [name, rows])).toEqual([
    ["lab/small", 2],
    ["lab/large", 2],
  ]);
  const { plan } = await imported([textFile("t.csv", "kind,lab/small,lab/large\nT,0.5,1\nT,0.25,0.5\n")]);
  expect(plan.refused[0]?.reason).toContain("no column identifies the rows");
});

test("scores of responses are scores, and a result's own id is not that of its row", async () => {
  const record = (n: number) => ({
    ...{ id: `r${n}`, dataset_item_id: `d${n % 2}`, query: `q${n % 2}`, generation_gt: ["x"] },
    ...{ response: "x", score_valid_response: n % 2, score_match_answer: "4" },
  });
  expect(await read(lines([0, 1, 2, 3].map(record)))).toEqual([["t", 2, 4, { score_valid_response: 0.5 }]]);
});

test("lists of results by the id of their row are trials, and numbers of answers are not answers", async () => {
  const sample = (task_id: string, passed: boolean) => ({
    task_id,
    solution: "x",
    num_malformed_responses: 1,
    passed,
  });
  const eval_ = { a: [sample("a", true), sample("a", false)], b: [sample("b", true), sample("b", true)] };
  expect(await read(JSON.stringify({ date: "2026-01-02", eval: eval_ }))).toEqual([
    ["t", 2, 4, { passed: 0.75 }],
  ]);
});

test.each<[string, readonly object[] | object, object]>([
  [
    "scores beside answers in lists of the same length are of each answer",
    [1, 2].map((id) => ({ id, question: `Q${id}`, responses: ["a", "b"], scores: [1, id - 1] })),
    { t: { scores: 0.75 } },
  ],
  [
    "several scores of one answer are none of others",
    [1, 2].map((id) => ({ id, question: `Q${id}`, answer: "a", scores: [1, id - 1], correct: true })),
    { t: { correct: 1 } },
  ],
  [
    "models by row are models",
    {
      results: Object.fromEntries(
        ["q1", "q2"].map((id, i) => [
          id,
          { "gpt-4o": { answer: "a", score: i }, "claude-3": { answer: "b", score: 1 } },
        ]),
      ),
    },
    { "gpt-4o": { score: 0.5 }, "claude-3": { score: 1 } },
  ],
  [
    "a status of passed and failed is a score",
    [1, 2].map((id) => ({ id, status: id > 1 ? "failed" : "passed", input: `Q${id}`, output: "a" })),
    { t: { status: 0.5 } },
  ],
  [
    "objects with a score and its reason are scores, whatever their name",
    [1, 2].map((id) => ({
      ...{ id, question: `Q${id}`, answer: "a" },
      criteria: { accuracy: { score: 4, reason: "x" }, style: { score: id, reason: "y" } },
    })),
    { t: { "criteria\\.accuracy": 4, "criteria\\.style": 1.5 } },
  ],
  [
    "a result with scores is no answer",
    [1, 2].map((id) => ({ task: `t${id}`, result: { success: id > 1, reward: id, steps: 9 } })),
    { t: { "result\\.success": 0.5, "result\\.reward": 1.5 } },
  ],
])("%s", async (_, document, expected) => {
  const texts = Array.isArray(document) ? [lines(document)] : [];
  for (const text of [...texts, JSON.stringify(document)]) {
    const found = await read(text);
    expect(Object.fromEntries(found.map(([name, , , scores]) => [name, scores]))).toEqual(expected);
  }
});
