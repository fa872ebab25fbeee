// Reads the output of `evalite run --outputPath`.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** evalite. */
export const evalite: Importer = {
  name: "evalite",
  title: "evalite results",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" && keys.has("run.runType") && keys.has("evals"),
  async *read([file]) {
    const evaluations: ImportEvent[] = [];
    const run: { value?: Json } = {};
    // Everything in an evaluation but its results, whose number is unlimited.
    const head = { take: [["run"], ["evals", "*"]], omit: [["evals", "*", "results"]] };
    for await (const { path, value } of jsonSlices(file!, head)) {
      if (path[0] === "run") run.value = value;
      else evaluations.push(describe(value, path[1]!, textAt(run.value, "id") ?? fileStem(file!)));
    }
    yield* evaluations;
    const ids = evaluations.flatMap((event) => (event.kind === "evaluation" ? event.evaluation.id : []));
    for await (const { path, value } of jsonSlices(file!, { take: [["evals", "*", "results", "*"]] })) {
      yield trialOf(value, ids[Number(path[1])]!);
    }
  },
};

function describe(evaluation: Json, place: string, run: string): ImportEvent {
  const name = textAt(evaluation, "name") ?? `evaluation ${place}`;
  return evaluationEvent({
    id: `${run} ${place} ${name}`,
    name,
    model: textAt(evaluation, "variantName"),
    dataset: textAt(evaluation, "variantGroup") ?? name,
    startedAt: timeOf(textAt(evaluation, "createdAt")),
    attributes: present({ averageScore: at(evaluation, "averageScore"), status: at(evaluation, "status") }),
  });
}

function trialOf(result: Json, evaluation: string): ImportEvent {
  // A result fails if its task or one of its scorers does; a wrong answer does not make it fail.
  const failed = textAt(result, "status") === "fail";
  const output = at(result, "output") ?? null;
  const tokens = listAt(result, "traces").flatMap((trace) => numberAt(trace, "totalTokens") ?? []);
  const milliseconds = numberAt(result, "duration");
  return trialEvent({
    evaluation,
    row: present({ input: at(result, "input") ?? null, expected: at(result, "expected") ?? undefined }),
    output: failed ? null : output,
    scores: failed ? {} : scoresOf(listAt(result, "scores")),
    error: failed ? errorOf(output) : undefined,
    latencySeconds: milliseconds === undefined ? undefined : milliseconds / 1000,
    totalTokens: tokens.length === 0 ? undefined : tokens.reduce((a, b) => a + b),
  });
}

function scoresOf(scores: readonly Json[]): JsonObject {
  return Object.fromEntries(
    scores.map((score) => [textAt(score, "name") ?? "score", at(score, "score") ?? null]),
  );
}

function errorOf(output: Json): string {
  return textAt(output, "message") ?? textAt(output, "name") ?? "the task failed";
}

function timeOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${text.replace(" ", "T")}Z`;
}
