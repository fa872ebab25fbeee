// Reads the output of Vitest's JSON reporter for tests made with vitest-evals.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { isoTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** vitest-evals. */
export const vitestEvals: Importer = {
  name: "vitest-evals",
  title: "vitest-evals (Vitest JSON reporter)",
  recognises: ({ keys }: FileHead) => keys.has("numTotalTestSuites") && keys.has("testResults"),
  async *read([file]) {
    let startedAt: string | undefined;
    for await (const { value } of jsonSlices(file!, { take: [["startTime"]] })) {
      if (typeof value === "number") startedAt = isoTime(value);
    }
    yield* testsOf(file!, startedAt);
  },
};

async function* testsOf(file: ImportFile, startedAt: string | undefined): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  let ordinary = 0;
  const take = [["testResults", "*", "assertionResults", "*"]];
  for await (const { value } of jsonSlices(file, { take })) {
    const result = at(value, "meta", "eval");
    if (result === undefined && at(value, "meta", "harness") === undefined) {
      ordinary++;
      continue;
    }
    const run = at(value, "meta", "harness", "run");
    const name = listAt(value, "ancestorTitles").map(String).join(" ") || fileStem(file);
    const model = textAt(run, "usage", "model") ?? textAt(value, "meta", "harness", "name") ?? fileStem(file);
    const id = `${startedAt ?? fileStem(file)} ${name} ${model}`;
    if (!seen.has(id)) yield evaluationEvent({ id, name, model, dataset: name, startedAt });
    seen.add(id);
    yield trialOf(value, id);
  }
  if (ordinary > 0) {
    yield {
      kind: "note",
      note: `${file.path}: skipped, not evaluations: ${ordinary} ${ordinary === 1 ? "test" : "tests"}`,
    };
  }
}

function trialOf(test: Json, evaluation: string): ImportEvent {
  const run = at(test, "meta", "harness", "run");
  const error = errorText(listAt(run, "errors")[0]);
  const [first] = listAt(run, "session", "events");
  const scores = listAt(test, "meta", "eval", "scores");
  const milliseconds = numberAt(listAt(run, "traces")[0], "durationMs") ?? numberAt(test, "duration");
  const name = textAt(test, "fullName") ?? "";
  return trialEvent({
    evaluation,
    row: present({ test: name, input: at(first, "content") }),
    // The events do not always include the question; the test's name always identifies it.
    rowKey: name,
    output: answerWithError(error, at(test, "meta", "eval", "output") ?? at(run, "output") ?? null),
    scores: Object.fromEntries(
      scores.map((one) => [textAt(one, "name") ?? "score", at(one, "score") ?? null]),
    ),
    error,
    latencySeconds: milliseconds === undefined ? undefined : milliseconds / 1000,
    totalTokens: numberAt(run, "usage", "totalTokens"),
  });
}
