// Scores that are objects in a table: the judge's remarks beside its score are not scores.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const QUESTIONS = ["a", "b"];
const judged = (score: number, more: object = {}) => ({
  ...{ name: "exact", score, label: score === 1 ? "True" : "False", metadata: {}, kind: "code" },
  ...{ direction: "maximize", explanation: null },
  ...more,
});
const records = (exact: (i: number) => unknown) =>
  QUESTIONS.map((input, i) => ({
    ...{ input, output: "x", exact_score: exact(i) },
    exact_execution_details: { status: "COMPLETED", execution_seconds: 0.5 },
  }));
const lines = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).join("\n");
const python = (value: object) =>
  `"${JSON.stringify(value).replaceAll('"', "'").replaceAll(":", ": ").replaceAll("null", "None")}"`;
const cells = (exact: (i: number) => object) =>
  ["input,output,exact_score", ...QUESTIONS.map((input, i) => [input, "x", python(exact(i))].join())].join(
    "\n",
  );
const read = async (text: string) => {
  const { plan, lines: written } = await imported([textFile("t.out", text)]);
  const trials = written.map((line) => JSON.parse(line)).filter((call) => call.parent_id);
  return {
    scores: Object.fromEntries(
      plan.evaluations[0]!.scores.map(({ path, mean, type }) => [path, mean ?? type]),
    ),
    latencies: trials.map(({ output }) => output.model_latency),
  };
};

test("an object with a score and remarks about it is one score", async () => {
  expect((await read(lines(records(judged)))).scores).toEqual({ exact_score: 0.5 });
  expect((await read(cells(judged))).scores).toEqual({ exact_score: 0.5 });
  expect((await read(lines(records((i) => ({ value: i, reason: "so" }))))).scores).toEqual({
    exact_score: 0.5,
  });
  const all = records(() => undefined).map((one, i) => ({ ...one, scores: { exact: judged(i), f1: 0.25 } }));
  expect((await read(lines(all))).scores).toEqual({ exact: 0.5, f1: 0.25 });
});

test("without a score, the label is the score", async () => {
  const labelled = (i: number) => judged(i, { score: null, label: i === 0 ? "good" : "cold" });
  expect((await read(lines(records(labelled)))).scores).toEqual({ exact_score: "text" });
});

test("an object with several numbers has several scores", async () => {
  const several = (i: number) => judged(i, { metadata: null, error: 0.25 });
  expect((await read(lines(records(several)))).scores).toMatchObject({
    "exact_score.score": 0.5,
    "exact_score.error": 0.25,
  });
});

test("an evaluator's duration is not the latency of the answer", async () => {
  expect((await read(lines(records(judged)))).latencies).toEqual([undefined, undefined]);
});
