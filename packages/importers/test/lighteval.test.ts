// lighteval: its files in separate folders or in one, answers to multiple choice, and Parquet files of known tools.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { bytesFile } from "../src/index.ts";
import { RAGAS_PARQUET } from "./parquet-files.ts";
import { imported } from "./support.ts";

const TIME = "2026-11-27T20-02-33.560751";
const detail = (query: string, response: object) => ({
  doc: { query, choices: ["x", "y"], gold_index: [0, 1], id: "0", task_name: "caps|0" },
  metric: { acc: 1, f1: null },
  model_response: { text: [], input_tokens: [], output_tokens: [], ...response },
});
const details = (...responses: readonly object[]) =>
  responses.map((response, i) => JSON.stringify(detail(`q${i}`, response))).join("\n");
const results = JSON.stringify({
  config_general: { model_name: "lab/small" },
  results: {},
  config_tasks: {},
});
const ANSWERS = details({ logprobs: [-2, -1] }, { text: ["one"] }, { text: ["one", "two"] });

test.each([
  ["in folders", `out/details/a/b/${TIME}/`, "out/results/a/b/", "lab/small"],
  ["in one folder", "all/", "all/", "lab/small"],
  ["without results", `details/a/b/${TIME}/`, undefined, "a/b"],
])("the model is that of the results, %s", async (_, folder, resultsFolder, model) => {
  const files = [textFile(`${folder}details_caps|0_${TIME}.jsonl`, ANSWERS)];
  if (resultsFolder !== undefined) files.push(textFile(`${resultsFolder}results_${TIME}.json`, results));
  const { plan, lines } = await imported(files);
  expect([
    plan.refused,
    plan.evaluations.map((one) => [one.kind, one.name, one.model, one.startedAt]),
  ]).toEqual([[], [["lighteval", "caps|0", model, "2026-11-27T20:02:33.560751Z"]]]);
  const trials = lines.map((line) => JSON.parse(line)).filter((call) => call.parent_id);
  expect(trials.map(({ output }) => output.output)).toEqual([
    { choice: 1, log_likelihoods: [-2, -1] },
    "one",
    ["one", "two"],
  ]);
});

test("details before 0.10 have the same rows, answers and scores, with the task in their name", async () => {
  const doc = { choices: ["x", "y"], gold_index: [0, 1], gold: ["x", "y"] };
  const old = (example: string, predictions: readonly string[]) => ({
    ...{ ...doc, example, full_prompt: `shots ${example}`, predictions, metrics: { acc: 1 } },
    ...{ input_tokens: [[1, 2]], cont_tokens: [[3]] },
  });
  const text = [old("q0", ["[-2.0, True]", "[-1.0, False]"]), old("q1", ["one"]), old("q2", ["one", "two"])];
  const { plan, lines } = await imported([
    textFile(`old/details_caps|0_${TIME}.jsonl`, text.map((one) => JSON.stringify(one)).join("\n")),
    textFile(`new/details_caps|0_${TIME}.jsonl`, ANSWERS),
  ]);
  expect(
    plan.evaluations.map(({ name, rows, scores }) => [name, rows, scores.map(({ path }) => path)]),
  ).toEqual([
    ["caps|0", 3, ["acc"]],
    ["caps|0", 3, ["acc"]],
  ]);
  expect(plan.notes.join()).not.toContain("no row in common");
  const outputs = lines.map((line) => JSON.parse(line).output?.output).filter(Boolean);
  expect(outputs.slice(0, 3)).toEqual(outputs.slice(3));
});

test("a tool's table in Parquet has the rows of its CSV", async () => {
  const parquet = bytesFile("a.parquet", Buffer.from(RAGAS_PARQUET, "base64"));
  const csv = textFile("b.csv", "user_input,response,f1\na,x,0.5\nb,z,0\n");
  const { plan } = await imported([parquet, csv]);
  expect(plan.evaluations.map(({ kind, scores }) => [kind, scores[0]?.mean])).toEqual([
    ["ragas", 0.75],
    ["ragas", 0.25],
  ]);
  expect(plan.closest({ project: "me/demo" })).toHaveLength(2);
});
