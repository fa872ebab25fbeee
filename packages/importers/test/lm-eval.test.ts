// lm-evaluation-harness: answers to multiple choice, and metrics of the whole corpus.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const read = async (line: object) => {
  const { plan, lines } = await imported([
    textFile(
      "samples_caps_2026-11-22T10-38-38.75.jsonl",
      JSON.stringify({ doc_id: 0, doc: { question: "a" }, ...line }),
    ),
  ]);
  const [trial] = lines.map((one) => JSON.parse(one)).filter((call) => call.parent_id);
  return { output: trial.output.output, leftOut: plan.evaluations[0]!.leftOut };
};
const likelihoods = (...values: readonly number[]) => values.map((value) => [[String(value), "False"]]);
const asked = (...contexts: readonly string[]) =>
  Object.fromEntries(contexts.map((arg_0, i) => [`gen_args_${i}`, { arg_0, arg_1: ` ${i}` }]));

test.each([
  ["each choice", asked("Q", "Q"), [-2, -1], { choice: 1, log_likelihoods: [-2, -1] }],
  [
    "choices without the question too",
    asked("Q", "Q", "", ""),
    [-2, -3, -1, -1],
    { choice: 0, log_likelihoods: [-2, -3] },
  ],
  ["choices of a question without text", asked("", ""), [-2, -1], { choice: 1, log_likelihoods: [-2, -1] }],
])("the answer is the most likely of %s", async (_, args, values, output) => {
  const line = { arguments: args, resps: likelihoods(...values), metrics: ["acc"], acc: 0 };
  expect((await read(line)).output).toEqual(output);
});

test("inputs to a corpus metric are lists, and are left out as such", async () => {
  const { leftOut } = await read({
    resps: [["a"]],
    filter: "none",
    metrics: ["bleu", "f1"],
    bleu: ["a", "b"],
    f1: [],
  });
  expect(leftOut).toEqual([
    { what: "list among the scores (bleu)", count: 1 },
    { what: "score without a value (f1)", count: 1 },
  ]);
});
