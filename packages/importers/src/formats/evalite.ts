// Reads the output of `evalite run --outputPath`, and the files of `evalite export`.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { utcTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsOf, totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";
import { listedScores } from "./listed-scores.ts";

/** evalite. */
export const evalite: Importer = {
  name: "evalite",
  title: "evalite results",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" &&
    ((keys.has("run.runType") && (keys.has("evals") || keys.has("suites"))) ||
      PARTS.some((key) => keys.has(key))),
  async *read([file]) {
    const { keys } = await fileHead(file!);
    const isRun = keys.has("run.runType");
    if (!isRun && !keys.has("history")) {
      const note = "a part of an export whose results are in other files of it; skipped";
      yield { kind: "note", note: `${file!.path}: ${note}` };
      return;
    }
    // Since version 1, suites have evals.
    const isOld = keys.has("evals") || keys.has("evaluation");
    const paths = isRun
      ? [[isOld ? "evals" : "suites", "*"]]
      : isOld
        ? [["prevEvaluation"], ["evaluation"]]
        : [["prevSuite"], ["suite"]];
    for (const path of paths) yield* readEvaluations(file!, path, isOld ? "results" : "evals");
  },
};

/** Keys of the files of an export. */
const PARTS = ["evaluation.run_id", "suite.run_id", "evals.*.evalStatus", "suites.*.suiteStatus"];

/** Reads the evaluations at a path. */
async function* readEvaluations(
  file: ImportFile,
  path: readonly string[],
  results: string,
): AsyncGenerator<ImportEvent> {
  const ids = new Map<string, string>();
  let run: string | undefined;
  // Everything in an evaluation but its results, whose number is unlimited.
  const head = { take: [["run"], path], omit: [[...path, results]] };
  for await (const { path: place, value } of jsonSlices(file, head)) {
    if (place[0] === "run") run = textAt(value, "id");
    else if (value !== null) {
      const name = textAt(value, "name") ?? `evaluation ${place.at(-1)}`;
      const id = `${textAt(value, "run_id") ?? run ?? fileStem(file)} ${place.at(-1)} ${name}`;
      ids.set(place.join("."), id);
      yield evaluationEvent({
        id,
        name,
        model: textAt(value, "variantName") ?? textAt(value, "variant_name"),
        dataset: textAt(value, "variantGroup") ?? textAt(value, "variant_group") ?? name,
        startedAt: utcTime(textAt(value, "createdAt") ?? textAt(value, "created_at")),
        attributes: present({ averageScore: at(value, "averageScore"), status: at(value, "status") }),
      });
    }
  }
  for await (const { path: place, value } of jsonSlices(file, { take: [[...path, results, "*"]] }))
    yield trialOf(value, ids.get(place.slice(0, path.length).join("."))!);
}

function trialOf(result: Json, evaluation: string): ImportEvent {
  // A result fails if its task or one of its scorers does; a wrong answer does not make it fail.
  const failed = textAt(result, "status") === "fail";
  const output = at(result, "output") ?? null;
  const tokens = listAt(result, "traces").flatMap((trace) => numberAt(trace, "totalTokens") ?? []);
  const { scores, scorers } = listedScores(listAt(result, "scores"));
  return trialEvent({
    evaluation,
    row: present({ input: at(result, "input") ?? null, expected: at(result, "expected") ?? undefined }),
    output: failed ? null : output,
    scores: failed ? {} : scores,
    error: failed ? errorOf(output) : undefined,
    latencySeconds: secondsOf(numberAt(result, "duration")),
    totalTokens: totalOf(tokens),
    attributes: present({ scorers }),
  });
}

function errorOf(output: Json): string {
  return errorText(output) ?? textAt(output, "name") ?? "the task failed";
}
