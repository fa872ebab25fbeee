// Reads logs of lm-evaluation-harness: `samples_<task>_<time>.jsonl`, and `results_<time>.json` in the same folder,
// which names the model. lmms-eval writes the same without the document.

import type { Json } from "@assay/base";
import { DigestTable, digestNumber } from "../collections/digest-table.ts";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { isoTimeOfSeconds } from "../json/iso-time.ts";
import { jsonLines } from "../json/json-lines.ts";
import { jsonSlices } from "../json/json-slices.ts";
import {
  at,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  present,
  textAt,
  textsAt,
} from "../json/json-text.ts";
import { PendingScores } from "../scores/pending-scores.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ScoreDirections,
  trialEvent,
} from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

const TIME = /\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(?:\.\d+)?|\d{8}_\d{6}/;
const SECRET = /key|token|secret|password/i;
const NOT_METRICS: ReadonlySet<string> = new Set([
  ...["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"],
  ...["doc_hash", "prompt_hash", "target_hash", "input", "input_media", "token_counts"],
]);

/** lm-evaluation-harness. */
export const lmEval: Importer = {
  name: "lm-eval",
  title: "lm-evaluation-harness and lmms-eval: samples and results",
  recognises: ({ keys }: FileHead) =>
    (keys.has("doc_id") && keys.has("doc") && keys.has("resps")) ||
    ["doc_id", "doc_hash", "filtered_resps", "input"].every((key) => keys.has(key)) ||
    isResults(keys),
  units(files) {
    // A folder may hold results of several models: files that belong together have the same time in their names.
    const together = groupBy(files, (file) => `${folderOf(file)}/${TIME.exec(fileName(file))?.[0] ?? ""}`);
    return [...together.values()];
  },
  async *read(files) {
    let results: JsonObject = {};
    const samples: ImportFile[] = [];
    for (const file of files) {
      if (isResults((await fileHead(file)).keys)) results = { ...results, ...(await resultsOf(file)) };
      else samples.push(file);
    }
    if (samples.length === 0) {
      yield {
        kind: "note",
        note: `${files[0]!.path}: only aggregates; the samples are in samples_*.jsonl`,
      };
    }
    for (const file of samples) yield* readSamples(file, results);
  },
};

function isResults(keys: ReadonlySet<string>): boolean {
  return keys.has("results") && keys.has("configs") && (keys.has("versions") || keys.has("n-shot"));
}

async function resultsOf(file: ImportFile): Promise<JsonObject> {
  const found: { [key: string]: Json } = { file: fileStem(file) };
  const take = ["results", "config", "configs", "higher_is_better", "date", "model_name"].map((key) => [key]);
  for await (const { path, value } of jsonSlices(file, { take })) found[path[0]!] = value;
  return found;
}

async function* readSamples(file: ImportFile, results: JsonObject): AsyncGenerator<ImportEvent> {
  const task = taskOf(file, results);
  const model = modelOf(file, results);
  const date = numberAt(results, "date");
  const id = `${model} ${task} ${TIME.exec(fileName(file))?.[0] ?? fileStem(file)}`;
  // A document occurs once per filter, each time with more scores of the same trial. If it occurs again under the same
  // filter, it was either tried again, or an older version left out the names of filters. No score is dropped in either
  // case.
  const { scores, metrics } = await scoresByDocument(file);
  const evaluation = {
    id,
    name: task,
    model,
    dataset: task,
    startedAt: isoTimeOfSeconds(date),
    attributes: present({ results: at(results, "results", task) }),
  };
  yield evaluationEvent(evaluation, directionsOf(metrics, task, results));
  const again = new Occurrences();
  let repeated = 0;
  for await (const line of jsonLines(file)) {
    const document = documentOf(line);
    const { isFirst, times } = again.of(line);
    if (!isFirst) continue;
    if (times > 0) repeated++;
    const doc = at(line, "doc") ?? null;
    const target = at(line, "target");
    const question = isWithoutDocument(line) ? present({ input: at(line, "input"), target }) : undefined;
    yield trialEvent({
      evaluation: id,
      row:
        question ??
        (isObject(doc) ? present({ ...doc, target: target ?? doc["target"] }) : present({ doc, target })),
      rowKey: [task, question ?? textAt(line, "doc_hash") ?? document],
      repetition: times,
      output: outputOf(line),
      scores: scores.of(`${times} ${document}`),
      totalTokens: tokensOf(line),
    });
  }
  if (repeated > 0) {
    const note = `${repeated} documents are repeated without a different filter name: each occurrence counts as a trial`;
    yield { kind: "note", note: `${file.path}: ${note}` };
  }
}

/** The directions of a task's scores in the results file, given the metric of each. */
function directionsOf(
  metrics: ReadonlyMap<string, string>,
  task: string,
  results: JsonObject,
): ScoreDirections {
  const aggregations = new Map(
    listAt(results, "configs", task, "metric_list").map((metric) => [
      textAt(metric, "metric"),
      textAt(metric, "aggregation"),
    ]),
  );
  const directions = new Map<string, "higher" | "lower">();
  for (const [score, metric] of metrics) {
    const isHigher = at(results, "higher_is_better", task, metric);
    if (typeof isHigher !== "boolean") continue;
    // The direction applies to the aggregate. A perplexity is exp(-mean) of the log-likelihoods; samples have the
    // latter.
    const isTurned = (aggregations.get(metric) ?? metric) === "perplexity";
    directions.set(score, isHigher === isTurned ? "lower" : "higher");
  }
  return directions;
}

interface DocumentScores {
  /** All scores of each document, by how often it occurred before under the same filter. */
  readonly scores: PendingScores;
  /** The metric of each score, whose name may end with a filter. */
  readonly metrics: ReadonlyMap<string, string>;
}

async function scoresByDocument(file: ImportFile): Promise<DocumentScores> {
  const scores = new PendingScores();
  const metrics = new Map<string, string>();
  const again = new Occurrences();
  for await (const line of jsonLines(file)) {
    if (!isObject(line)) throw new Unreadable("a line that is not an object");
    const document = documentOf(line);
    const { times } = again.of(line);
    const filter = textAt(line, "filter") ?? "";
    const measured = Array.isArray(at(line, "metrics"))
      ? textsAt(line, "metrics")
      : Object.keys(line).filter((key) => !NOT_METRICS.has(key));
    for (const metric of measured) {
      const value = at(line, metric);
      if (value === undefined) continue;
      const score = filter === "" || filter === "none" ? metric : `${metric},${filter}`;
      scores.put(`${times} ${document}`, score, isWithoutDocument(line) ? scoreOf(value) : value);
      metrics.set(score, metric);
    }
  }
  return { scores, metrics };
}

/** Counts how often each document has occurred under each filter. */
class Occurrences {
  /** For each document, the filter of its first occurrence; for each document and filter, the count. */
  private readonly first = new DigestTable(1);
  private readonly counts = new DigestTable(1);

  /**
   * Counts a line: how often its document occurred before under its filter, and whether this is the document's first
   * filter.
   */
  of(line: Json): { readonly isFirst: boolean; readonly times: number } {
    const document = documentOf(line);
    const filter = textAt(line, "filter") ?? "";
    const count = this.counts.at(JSON.stringify([document, filter]));
    const times = count[0]!;
    count[0] = times + 1;
    const known = this.first.at(document);
    // Never 0, which means that the document has not occurred yet.
    const number = (digestNumber(filter) | 1) >>> 0;
    if (known[0] === 0) known[0] = number;
    return { isFirst: known[0] === number, times };
  }
}

function documentOf(line: Json): string {
  const id = textAt(line, "doc_id");
  if (id === undefined) throw new Unreadable("a line without doc_id");
  return id;
}

/** The task: the one from the results file that occurs in the file's name. */
function taskOf(file: ImportFile, results: JsonObject): string {
  const named = fileStem(file)
    .replace(TIME, "")
    .replace(/^_?samples_/, "")
    .replace(/(?<![_-])[_-]+$/, "");
  const known = at(results, "results");
  const tasks = isObject(known) ? Object.keys(known) : [];
  return tasks.includes(named) || tasks.length !== 1 ? named : tasks[0]!;
}

function modelOf(file: ImportFile, results: JsonObject): string {
  const settings = settingsOf(at(results, "config", "model_args"));
  const declared = settings["pretrained"] ?? settings["model"] ?? settings["model_version"];
  if (declared !== undefined) return declared;
  // Without a model in the settings, `model_name` is a random text.
  const others = Object.entries(settings).filter(([key]) => !SECRET.test(key));
  if (others.length > 0) return others.map((pair) => pair.join("=")).join(",");
  const folder = fileName({ ...file, path: folderOf(file) });
  return (
    textAt(results, "model_name") ?? textAt(results, "file") ?? (folder.replace("__", "/") || fileStem(file))
  );
}

function settingsOf(settings: Json | undefined): { readonly [key: string]: string } {
  if (isObject(settings)) {
    const scalars = Object.entries(settings).filter(
      ([, value]) => typeof value === "string" || typeof value === "number",
    );
    return Object.fromEntries(scalars.map(([key, value]) => [key, String(value)]));
  }
  if (typeof settings !== "string") return {};
  const pairs = settings.split(",").map((pair) => pair.split("="));
  return Object.fromEntries(pairs.filter(({ length }) => length === 2) as [string, string][]);
}

/** Generated texts unchanged; for multiple choice, the most likely one. */
function outputOf(line: Json): Json {
  // lmms-eval leaves out responses that no filter changed.
  if (at(line, "resps") === undefined) return at(line, "filtered_resps") ?? null;
  const responses = listAt(line, "resps");
  const likelihoods = responses.map(likelihoodOf).slice(0, responses.length / (isWithout(line) ? 2 : 1));
  if (responses.length > 0 && likelihoods.every((value) => value !== undefined)) {
    if (likelihoods.length === 1) return { log_likelihood: likelihoods[0]! };
    return { choice: likelihoods.indexOf(Math.max(...likelihoods)), log_likelihoods: likelihoods };
  }
  const [generated] = responses;
  if (!Array.isArray(generated)) return generated ?? null;
  return generated.length === 1 ? generated[0]! : generated;
}

/** Whether a line of lmms-eval has the question instead of the document; its `doc_hash` is then not the row's. */
function isWithoutDocument(line: Json): boolean {
  return at(line, "doc") === undefined && at(line, "input") !== undefined;
}

/** The score in a metric of lmms-eval, which can have an object with what its mean is made of. */
function scoreOf(value: Json): Json {
  return isObject(value) ? (at(value, "score") ?? at(value, "correct") ?? null) : value;
}

function tokensOf(line: Json): number | undefined {
  const counts = listAt(line, "token_counts").flatMap((one) =>
    ["input_tokens", "output_tokens"].flatMap((side) => numberAt(one, side) ?? []),
  );
  return totalOf(counts);
}

/** Whether the second half of the responses is to the choices without the question, for their mutual information. */
function isWithout(line: Json): boolean {
  const last = listAt(line, "resps").length - 1;
  const context = (place: number): Json | undefined => at(line, "arguments", `gen_args_${place}`, "arg_0");
  return last % 2 === 1 && context(last) === "" && context((last - 1) / 2) !== "";
}

/** A log-likelihood, which is written as a list of two texts: the number, and whether it was the greedy choice. */
function likelihoodOf(response: Json): number | undefined {
  const pair =
    Array.isArray(response) && Array.isArray(response[0]) ? (response[0] as readonly Json[]) : undefined;
  if (pair?.length !== 2 || !/^(?:True|False)$/i.test(String(pair[1]))) return undefined;
  const value = Number(pair[0]);
  return Number.isFinite(value) ? value : undefined;
}
