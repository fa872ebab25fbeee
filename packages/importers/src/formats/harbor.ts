// Reads runs of Harbor, with a `result.json` for each trial, and of Terminal-Bench, with one `results.json` for all and
// the model in `run_metadata.json`.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonDocument } from "../json/json-slices.ts";
import { at, isObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  trialEvent,
} from "../trials/imported-trial.ts";
import { secondsBetween, totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

/** `trial`: of Harbor; `results`: all trials of Terminal-Bench; `result`: one of them, which `results` has too. */
type Part = "trial" | "job" | "results" | "result" | "metadata";

/** How far above a file the folder of its run is. */
const ABOVE: Readonly<Record<Part, number>> = { trial: 1, job: 0, results: 0, result: 2, metadata: 0 };

/** Harbor and Terminal-Bench. */
export const harbor: Importer = {
  name: "harbor",
  title: "Harbor and Terminal-Bench runs",
  recognises: ({ fileType, keys }: FileHead) => fileType === "json" && partOf(keys) !== undefined,
  async units(files) {
    const runs = new Map<ImportFile, string>();
    for (const file of files) {
      const folders = folderOf(file).split("/");
      const part = partOf((await fileHead(file)).keys);
      const above = part === undefined ? 0 : ABOVE[part];
      runs.set(file, folders.slice(0, Math.max(0, folders.length - above)).join("/"));
    }
    return [...groupBy(files, (file) => runs.get(file)!).values()];
  },
  async *read(files) {
    const parts: Record<Part, Json[]> = { trial: [], job: [], results: [], result: [], metadata: [] };
    for (const file of files) {
      const part = partOf((await fileHead(file)).keys);
      if (part === undefined) throw new Unreadable(`${file.path} has no trials of Harbor or Terminal-Bench`);
      parts[part].push(await jsonDocument(file));
    }
    const { trial, results, result, metadata } = parts;
    const run = folderOf(files[0]!);
    if (trial.length + results.length + result.length === 0)
      yield { kind: "note", note: `${files[0]!.path}: no trials; pass the folder of the run` };
    const seen = new Set<string>();
    for (const one of trial) yield* harborTrial(one, run, seen);
    const ofAll = results.flatMap((document) => listAt(document, "results"));
    yield* terminalTrials(ofAll.length > 0 ? ofAll : result, metadata[0] ?? null, run);
  },
};

function partOf(keys: ReadonlySet<string>): Part | undefined {
  const has = (...names: readonly string[]) => names.every((name) => keys.has(name));
  if (has("trial_name", "task_checksum", "agent_info.name")) return "trial";
  if (has("n_total_trials", "stats")) return "job";
  if (has("results.*.is_resolved", "results.*.trial_name")) return "results";
  if (has("is_resolved", "trial_name", "parser_results")) return "result";
  return has("agent_name", "n_concurrent_trials", "n_attempts") ? "metadata" : undefined;
}

function* harborTrial(trial: Json, run: string, seen: Set<string>): Generator<ImportEvent> {
  const agent = textAt(trial, "agent_info", "name");
  const named = ["provider", "name"].flatMap((key) => textAt(trial, "agent_info", "model_info", key) ?? []);
  const model = named.length > 0 ? named.join("/") : textAt(trial, "config", "agent", "model_name");
  const dataset = textAt(trial, "source") ?? "harbor";
  const id = `${run} ${agent} ${model}`;
  if (!seen.has(id)) yield evaluationEvent({ id, name: agent ?? dataset, model, dataset });
  seen.add(id);
  const exception = at(trial, "exception_info");
  const rewards = at(trial, "verifier_result", "rewards");
  const task = at(trial, "task_name") ?? null;
  const tokens = ["input", "output"].flatMap(
    (side) => numberAt(trial, "agent_result", `n_${side}_tokens`) ?? [],
  );
  yield trialEvent({
    evaluation: id,
    row: present({ task, source: at(trial, "source") ?? undefined }),
    rowKey: task,
    output: null,
    scores: isObject(rewards) ? rewards : {},
    error: isObject(exception)
      ? `${textAt(exception, "exception_type")}: ${textAt(exception, "exception_message") ?? ""}`
      : undefined,
    latencySeconds: secondsBetween(
      textAt(trial, "agent_execution", "started_at"),
      textAt(trial, "agent_execution", "finished_at"),
    ),
    totalTokens: totalOf(tokens),
    attributes: present({ trial: at(trial, "trial_name"), cost: at(trial, "agent_result", "cost_usd") }),
  });
}

function* terminalTrials(trials: readonly Json[], metadata: Json, run: string): Generator<ImportEvent> {
  if (trials.length === 0) return;
  const dataset = textAt(metadata, "dataset_name") ?? "terminal-bench";
  const name = textAt(metadata, "agent_name") ?? dataset;
  yield evaluationEvent({
    ...{ id: run, name, model: textAt(metadata, "model_name"), dataset },
    attributes: present({ run_id: at(metadata, "run_id") }),
  });
  for (const trial of trials) yield trialEvent(terminalTrial(trial, run));
}

function terminalTrial(trial: Json, evaluation: string): ImportedTrial {
  const failure = textAt(trial, "failure_mode") ?? "unset";
  const tokens = ["input", "output"].flatMap((side) => numberAt(trial, `total_${side}_tokens`) ?? []);
  return {
    evaluation,
    row: present({ task_id: at(trial, "task_id"), instruction: at(trial, "instruction") }),
    rowKey: at(trial, "task_id") ?? null,
    output: null,
    scores: { is_resolved: at(trial, "is_resolved") ?? null },
    error: /^(?:unset|none)$/.test(failure) ? undefined : failure,
    latencySeconds: secondsBetween(textAt(trial, "agent_started_at"), textAt(trial, "agent_ended_at")),
    totalTokens: totalOf(tokens),
    attributes: present({ trial: at(trial, "trial_name"), tests: at(trial, "parser_results") ?? undefined }),
  };
}
