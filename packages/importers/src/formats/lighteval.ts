// Reads the details that lighteval writes for each task, `details_<task>_<time>.parquet`, and the model from the results
// with the same time.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { utcTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, present, textAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { recordsOf } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const TIME = /(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}(?:\.\d+)?)/;

/** lighteval. */
export const lighteval: Importer = {
  name: "lighteval",
  title: "lighteval details and results",
  isTabular: true,
  recognises: ({ keys }: FileHead) =>
    isResults(keys) || [DETAILS, OLD_DETAILS].some((columns) => columns.every((name) => keys.has(name))),
  units: (files) => [...groupBy(files, runOf).values()],
  async *read(files) {
    let results: JsonObject = {};
    const details: ImportFile[] = [];
    for (const file of files) {
      if (isResults((await fileHead(file)).keys)) results = await resultsOf(file);
      else details.push(file);
    }
    if (details.length === 0) {
      const note = "only aggregates; lighteval writes the answers with --save-details";
      yield { kind: "note", note: `${files[0]!.path}: ${note}` };
    }
    for (const file of details) yield* readDetails(file, results);
  },
};

/** Columns of details, and of those before 0.10, which have the task only in the name of the file. */
const DETAILS = ["doc", "metric", "model_response"];
const OLD_DETAILS = ["example", "full_prompt", "predictions", "gold_index", "metrics"];

/** The folder of all runs, with the time of this one: details and results are in separate folders below it. */
function runOf(file: ImportFile): string {
  const time = TIME.exec(fileName(file))?.[0];
  return time === undefined
    ? file.path
    : `${file.path.replace(/(?:(?:^|\/)(?:details|results)\/[\s\S]*|(?<![^/])[^/]*)$/, "")} ${time}`;
}

function isResults(keys: ReadonlySet<string>): boolean {
  return keys.has("config_general") && keys.has("results") && keys.has("config_tasks");
}

async function resultsOf(file: ImportFile): Promise<JsonObject> {
  const found: { [key: string]: Json } = {};
  const take = [["results"], ["config_general", "model_name"]];
  for await (const { path, value } of jsonSlices(file, { take })) found[path.at(-1)!] = value;
  return found;
}

async function* readDetails(file: ImportFile, results: JsonObject): AsyncGenerator<ImportEvent> {
  // Without results, the folder names the model: `details/<model>/<time>`.
  const [, folder] = /(?:^|\/)details\/(.+)\//s.exec(folderOf(file)) ?? [];
  const model = textAt(results, "model_name") ?? folder;
  const seen = new Set<string>();
  for await (const some of (await recordsOf(file)).records)
    for (const record of some) {
      const task = textAt(record, "doc", "task_name") ?? taskOf(file);
      const id = `${model} ${task} ${fileStem(file)}`;
      if (!seen.has(id))
        yield evaluationEvent({
          ...{ id, name: task, model, dataset: task },
          startedAt: utcTime(TIME.exec(fileName(file))?.[0].replace(TIME, "$1:$2:$3")),
          attributes: present({ results: at(results, "results", task) }),
        });
      seen.add(id);
      yield detailTrial(record, task, id);
    }
}

/** The task in `details_<task>_<time>`. */
function taskOf(file: ImportFile): string {
  return fileStem(file)
    .replace(/^details_/, "")
    .replace(TIME, "")
    .replace(/_$/, "");
}

function detailTrial(record: JsonObject, task: string, evaluation: string): ImportEvent {
  const doc = at(record, "doc") ?? record;
  const choices = listAt(doc, "choices");
  const gold = [at(doc, "gold_index") ?? []].flat() as readonly Json[];
  const expected = gold.map((place) => (typeof place === "number" ? choices[place] : undefined) ?? null);
  const question = present({
    query: at(doc, "query") ?? at(doc, "example") ?? null,
    expected: expected.length === 1 ? expected[0] : expected,
  });
  const metrics = at(record, "metric") ?? at(record, "metrics");
  const response = at(record, "model_response") ?? responseOf(record);
  const tokens = tokensOf(response);
  return trialEvent({
    evaluation,
    row: present({ ...question, choices: choices.length > 1 ? choices : undefined }),
    // A document's id is its place.
    rowKey: [textAt(doc, "task_name") ?? task, question],
    output: outputOf(response),
    scores: isObject(metrics) ? metrics : {},
    totalTokens: tokens === 0 ? undefined : tokens,
  });
}

/** How the likelihood of a choice is printed before 0.10: whether it is the most likely text comes with it. */
const LIKELIHOOD = /^\[(-?[\d.e+-]+), (?:True|False)\]$/;

/** The response in details before 0.10. */
function responseOf(record: JsonObject): JsonObject {
  const predictions = listAt(record, "predictions");
  const likelihoods = predictions.map((one) => LIKELIHOOD.exec(String(one))?.[1]);
  const isChoice = likelihoods.every((one) => one !== undefined);
  return {
    ...(isChoice ? { logprobs: likelihoods.map(Number) } : { text: predictions }),
    input_tokens: listAt(record, "input_tokens").flat() as readonly Json[],
    output_tokens: listAt(record, "cont_tokens"),
  };
}

/** Generated texts; for multiple choice, the most likely choice. */
function outputOf(response: Json | undefined): Json {
  const [texts, likelihoods] = [listAt(response, "text"), listAt(response, "logprobs")];
  if (texts.length === 0 && likelihoods.length > 0 && likelihoods.every((one) => typeof one === "number"))
    return { choice: likelihoods.indexOf(Math.max(...likelihoods)), log_likelihoods: likelihoods };
  return texts.length === 1 ? texts[0]! : texts;
}

/** The tokens read, and those written in all samples; 0 if they are unknown. */
function tokensOf(response: Json | undefined): number {
  const written = listAt(response, "output_tokens").map((one) => (Array.isArray(one) ? one.length : 0));
  return written.reduce((sum, count) => sum + count, listAt(response, "input_tokens").length);
}
