// Reads a HELM run folder: `scenario_state.json` has the requests, `per_instance_stats.json` their metrics,
// `run_spec.json` the names.

import type { Json } from "@assay/base";
import { DigestTable } from "../collections/digest-table.ts";
import { groupBy } from "../collections/group-by.ts";
import { fileName, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { ReadOptions } from "../options/import-options.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { PendingScores } from "../scores/pending-scores.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { isAsked, unaskedNote } from "./asked-scores.ts";
import type { Importer } from "./importer.ts";

type Part = "state" | "instances" | "spec" | "stats";

/** Metrics about how an answer was made; they are scores only by request. */
const BOOKKEEPING =
  /^(?:num_(?:references|train_trials|train_instances|instances|completions|bytes|\w*tokens)|prompt_truncated|batch_size|(?:inference|training)_\w+|finish_reason_\w+|estimated_num_tokens_cost)$/;

/** HELM. */
export const helm: Importer = {
  name: "helm",
  title: "HELM run folder",
  recognises: ({ keys }: FileHead) => partOf(keys) !== undefined,
  units: (files) => [...groupBy(files, folderOf).values()],
  async *read(files, options) {
    const parts = new Map<Part | undefined, ImportFile>();
    for (const file of files) parts.set(partOf((await fileHead(file)).keys), file);
    const [state, instances] = [parts.get("state"), parts.get("instances")];
    if (state === undefined || instances === undefined) {
      const missing = state === undefined ? "scenario_state.json" : "per_instance_stats.json";
      yield {
        kind: "note",
        note: `${folderOf(files[0]!)}: ${missing} is missing; the trials need it`,
      };
    } else yield* readRun(state, instances, parts.get("spec"), options);
  },
};

function partOf(keys: ReadonlySet<string>): Part | undefined {
  if (keys.has("request_states") && keys.has("adapter_spec")) return "state";
  if (keys.has("*.instance_id") && keys.has("*.stats")) return "instances";
  if (keys.has("scenario_spec") && keys.has("adapter_spec")) return "spec";
  return keys.has("*.name.name") && keys.has("*.sum_squared") ? "stats" : undefined;
}

async function* readRun(
  state: ImportFile,
  instances: ImportFile,
  spec: ImportFile | undefined,
  options: ReadOptions,
): AsyncGenerator<ImportEvent> {
  const name = (await first(spec, ["name"])) ?? fileName({ ...state, path: folderOf(state) });
  const id = String(name);
  const scenario = await first(spec, ["scenario_spec", "class_name"]);
  const args = await first(spec, ["scenario_spec", "args"]);
  const model = await first(state, ["adapter_spec", "model"]);
  // The run's name without the model, so that runs of one scenario by several models share a dataset.
  const dataset = `${scenario ?? id.replace(/,?model=[^,]*/, "")}${args ? ` ${JSON.stringify(args)}` : ""}`;
  yield evaluationEvent({ id, name: id, model: typeof model === "string" ? model : undefined, dataset });
  const stats = await statsOf(instances);
  const beside = new Set<string>();
  const seen = new DigestTable(1);
  for await (const { value } of jsonSlices(state, { take: [["request_states", "*"]] })) {
    const key = keyOf(at(value, "instance"), textAt(value, "instance", "id"), at(value, "train_trial_index"));
    // A multiple-choice question asked separately per reference has one request for each: together they are one trial.
    const known = seen.at(key);
    if (known[0]!++ > 0) continue;
    const all = Object.entries(stats.of(key));
    const isScore = ([metric]: readonly [string, Json]) =>
      !BOOKKEEPING.test(metric) || isAsked(metric, options);
    for (const one of all) if (!isScore(one)) beside.add(one[0]);
    yield trialOf(value, { id, dataset }, Object.fromEntries(all), Object.fromEntries(all.filter(isScore)));
  }
  yield* unaskedNote(id, beside, options);
}

function trialOf(
  request: Json,
  { id: evaluation, dataset }: { readonly id: string; readonly dataset: string },
  stats: JsonObject,
  scores: JsonObject,
): ImportEvent {
  const instance = at(request, "instance");
  const perturbation = textAt(instance, "perturbation", "name");
  const references = listAt(instance, "references");
  const expected = references.find((one) => listAt(one, "tags").includes("correct"));
  const result = at(request, "result");
  const failed = at(result, "success") === false;
  const error = failed ? (errorText(at(result, "error")) ?? "the request failed") : undefined;
  const [read, written] = [
    numberAt(stats, "num_prompt_tokens"),
    numberAt(stats, "num_completion_tokens") ?? numberAt(stats, "num_output_tokens"),
  ];
  const completions = listAt(result, "completions").map((one) => at(one, "text") ?? null);
  const letter = textAt(listAt(result, "completions")[0], "text")?.trim();
  return trialEvent({
    evaluation,
    row: present({
      id: at(instance, "id"),
      input: at(instance, "input", "text") ?? at(instance, "input"),
      expected: at(expected, "output", "text"),
      choices: references.length > 1 ? references.map((one) => at(one, "output", "text") ?? null) : undefined,
      split: at(instance, "split"),
      perturbation,
    }),
    rowKey: [dataset, textAt(instance, "id") ?? null, perturbation ?? null],
    repetition: numberAt(request, "train_trial_index"),
    output: answerWithError(error, completions.length === 1 ? completions[0]! : completions),
    scores,
    error,
    latencySeconds: numberAt(result, "request_time") ?? numberAt(stats, "inference_runtime"),
    totalTokens: read === undefined || written === undefined ? undefined : read + written,
    // Of multiple choice, the answer is a letter.
    attributes: present({ choice: letter === undefined ? undefined : at(request, "output_mapping", letter) }),
  });
}

/** The metrics of each instance and trial. */
async function statsOf(file: ImportFile): Promise<PendingScores> {
  const stats = new PendingScores();
  for await (const { value } of jsonSlices(file, { take: [["*"]] })) {
    const key = keyOf(value, textAt(value, "instance_id"), at(value, "train_trial_index"));
    for (const one of listAt(value, "stats"))
      stats.put(key, textAt(one, "name", "name") ?? "", at(one, "mean") ?? null);
  }
  return stats;
}

function keyOf(perturbed: Json | undefined, id: string | undefined, trial: Json | undefined): string {
  return JSON.stringify([id ?? null, textAt(perturbed, "perturbation", "name") ?? null, trial ?? 0]);
}

async function first(file: ImportFile | undefined, path: readonly string[]): Promise<Json | undefined> {
  if (file === undefined) return undefined;
  for await (const { value } of jsonSlices(file, { take: [path] })) return value;
  return undefined;
}
