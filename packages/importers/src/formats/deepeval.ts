// Reads a DeepEval test run, `test_run_<time>.json`.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const CASES = ["testCases", "conversationalTestCases", "test_cases", "conversational_test_cases"];

/** DeepEval. */
export const deepeval: Importer = {
  name: "deepeval",
  title: "DeepEval test run",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" &&
    ["", "testRunData."].some((b) =>
      ["metricsData", "metrics_data", "metricsScores"].some(
        (key) =>
          keys.has(`${b}testCases.*.${key}`) || keys.has(`${b}test_cases.*.${key}`) || keys.has(`${b}${key}`),
      ),
    ),
  async *read([file]) {
    const heads: { [key: string]: Json } = {};
    const take = ["identifier", "hyperparameters", "testPassed", "testFailed"].flatMap(both);
    for await (const { path, value } of jsonSlices(file!, { take })) heads[path.at(-1)!] = value;
    const id = textAt(heads, "identifier") ?? fileStem(file!);
    yield evaluationEvent({
      id: `${fileStem(file!)} ${id}`,
      name: id,
      model: textAt(heads, "hyperparameters", "model"),
      dataset: "deepeval",
      attributes: present({ hyperparameters: at(heads, "hyperparameters") }),
    });
    yield* trialsOf(file!, `${fileStem(file!)} ${id}`);
  },
};

function both(key: string): readonly (readonly string[])[] {
  return [[key], ["testRunData", key]];
}

async function* trialsOf(file: ImportFile, evaluation: string): AsyncGenerator<ImportEvent> {
  const take = CASES.flatMap(both).map((path) => [...path, "*"]);
  for await (const { value } of jsonSlices(file, { take })) {
    const field = (camel: string) =>
      at(value, camel) ??
      at(
        value,
        camel.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      );
    const turns = field("turns");
    const input = turns === undefined ? (field("input") ?? null) : null;
    const expected = field("expectedOutput") ?? undefined;
    const metrics = field("metricsData");
    yield trialEvent({
      evaluation,
      row: present({
        ...(turns === undefined ? { input } : { turns, scenario: field("scenario") }),
        expected,
        context: field("context") ?? undefined,
        metadata: field("metadata") ?? undefined,
      }),
      rowKey: present(turns === undefined ? { input, expected } : { turns, expected }),
      output: field("actualOutput") ?? null,
      scores: scoresOf(Array.isArray(metrics) ? metrics : []),
      latencySeconds: numberAt({ time: field("completionTime") ?? null }, "time"),
      attributes: present({
        name: field("name"),
        metrics: listAt({ metrics: metrics ?? null }, "metrics").map((metric) =>
          present({
            name: at(metric, "name"),
            reason: at(metric, "reason"),
            error: at(metric, "error") ?? undefined,
          }),
        ),
      }),
    });
  }
}

/** A metric that failed has no score, and its `success: false` says nothing about the answer. */
function scoresOf(metrics: readonly Json[]): JsonObject {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const name = textAt(metric, "name");
      if (name === undefined || !isObject(metric) || errorText(at(metric, "error")) !== undefined) return [];
      return [[name, present({ score: at(metric, "score"), success: at(metric, "success") })]];
    }),
  );
}
