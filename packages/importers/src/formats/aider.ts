// Reads runs of Aider's benchmark: a folder for each exercise, with `.aider.results.json`.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileName, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonDocument } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

const FILE = ".aider.results.json";
/** Where an exercise is in a run: below its language, or directly. */
const EXERCISE = /(?:([^/]+)\/exercises\/practice\/)?[^/]+$/;

/** Aider's benchmark. */
export const aider: Importer = {
  name: "aider",
  title: "Aider's benchmark",
  recognises: ({ path, keys }: FileHead) =>
    ["testcase", "edit_format", "tests_outcomes"].every((key) => keys.has(key)) ||
    (path.includes(FILE) && keys.has("exception")),
  units: (files) => [...groupBy(files, runOf).values()],
  async *read(files) {
    const folder = runOf(files[0]!);
    const run = folder.slice(folder.lastIndexOf("/") + 1) || "aider";
    const results: (readonly [ImportFile, Json])[] = [];
    for (const file of files) results.push([file, await jsonDocument(file)]);
    const [, whole = null] = results.find(([, one]) => textAt(one, "model") !== undefined) ?? [];
    yield evaluationEvent({
      ...{ id: run, name: run, model: textAt(whole, "model"), dataset: "aider" },
      attributes: present({ edit_format: at(whole, "edit_format"), commit_hash: at(whole, "commit_hash") }),
    });
    // As in the tool, no exercise had fewer tries than the one with the most.
    const tries = Math.max(1, ...results.map(([, one]) => listAt(one, "tests_outcomes").length));
    for (const [file, result] of results)
      yield exerciseTrial(result, exerciseOf(file, result), { run, tries });
  },
};

/** The folder of a run. */
function runOf(file: ImportFile): string {
  const folder = fileName(file).startsWith(FILE) ? folderOf(file) : file.path;
  return folder.replace(EXERCISE, "").replace(/\/$/, "");
}

/** The exercise, which several languages may have. */
function exerciseOf(file: ImportFile, result: Json): string {
  const [path, language] = EXERCISE.exec(folderOf(file)) ?? [];
  const name = textAt(result, "testcase") ?? path?.slice(path.lastIndexOf("/") + 1) ?? "";
  return language === undefined ? name : `${language}/${name}`;
}

function exerciseTrial(
  result: Json,
  exercise: string,
  { run, tries }: { readonly run: string; readonly tries: number },
): ImportEvent {
  const outcomes = listAt(result, "tests_outcomes");
  const error = errorText(at(result, "exception"));
  // Tries end with the first that passes.
  const passed = outcomes.at(-1) === true ? outcomes.length : Number.POSITIVE_INFINITY;
  const scores = Array.from({ length: tries }, (_, i) => [`pass_${i + 1}`, passed <= i + 1] as const);
  const tokens = ["prompt_tokens", "completion_tokens"].flatMap((name) => numberAt(result, name) ?? []);
  return trialEvent({
    evaluation: run,
    row: { exercise },
    output: null,
    scores: error === undefined ? Object.fromEntries(scores) : {},
    error,
    latencySeconds: numberAt(result, "duration"),
    totalTokens: totalOf(tokens),
    attributes: isObject(result) ? factsOf(result) : {},
  });
}

/** What else is counted. */
function factsOf(result: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value === "number"));
}
