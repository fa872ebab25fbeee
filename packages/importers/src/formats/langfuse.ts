// Reads Langfuse: the items of an experiment as its API returns them, and the tables of an export, which belong
// together.

import type { Json } from "@assay/base";
import { microseconds } from "@assay/calls";
import { DigestTable } from "../collections/digest-table.ts";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { utcTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, type JsonObject, jsonOrText, listAt, parseJson, present, textAt } from "../json/json-text.ts";
import { answerWithError } from "../scores/error-text.ts";
import { PendingScores } from "../scores/pending-scores.ts";
import { type FileHead, fileHead, hasKeys } from "../tables/file-head.ts";
import { jsonRecords } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsBetween } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

type Part = "experiment" | "runItems" | "datasetItems" | "traces" | "scores";

/** Langfuse. */
export const langfuse: Importer = {
  name: "langfuse",
  title: "Langfuse experiment items and exports",
  recognises: ({ keys }: FileHead) => partOf(keys) !== undefined,
  units(files) {
    // A file with an experiment's items is complete by itself; files of an export are not.
    const isExport = (file: ImportFile) => /\.jsonl(?:\.gz)?$/.test(fileName(file));
    const exports = groupBy(files.filter(isExport), folderOf);
    return [...files.filter((file) => !isExport(file)).map((file) => [file]), ...exports.values()];
  },
  async *read(files) {
    const parts = new Map<Part, ImportFile[]>();
    for (const file of files) {
      const part = partOf((await fileHead(file)).keys);
      if (part === undefined) throw new Unreadable("not part of a Langfuse export");
      parts.set(part, [...(parts.get(part) ?? []), file]);
    }
    for (const file of parts.get("experiment") ?? []) yield* readExperiment(file);
    if (parts.has("traces")) yield* readExport(parts);
    else if (!parts.has("experiment")) {
      const names = files.map(fileName).join(", ");
      yield { kind: "note", note: `${names}: no traces; import traces.jsonl together with these files` };
    }
  },
};

function partOf(keys: ReadonlySet<string>): Part | undefined {
  const has = (...names: readonly string[]) => hasKeys(keys, ...names);
  if (keys.has("data.*.experimentItemId") || has("experimentItemId", "traceId")) return "experiment";
  if (has("datasetRunName", "datasetItemId")) return "runItems";
  if (has("data_type", "string_value", "trace_id") || has("dataType", "traceId", "value")) return "scores";
  if (has("datasetName", "expectedOutput")) return "datasetItems";
  const isTrace = has("id", "timestamp", "input", "output") && (has("project_id") || has("projectId"));
  return isTrace && (has("user_id") || has("userId") || has("session_id") || has("sessionId"))
    ? "traces"
    : undefined;
}

async function* readExperiment(file: ImportFile): AsyncGenerator<ImportEvent> {
  const wrapped = (await fileHead(file)).keys.has("data.*.experimentItemId");
  const items = async function* (): AsyncGenerator<Json> {
    if (!wrapped) yield* jsonRecords(file);
    else for await (const { value } of jsonSlices(file, { take: [["data", "*"]] })) yield value;
  };
  const seen = new Set<string>();
  for await (const item of items()) {
    const name = textAt(item, "experimentName") ?? fileStem(file);
    const id = textAt(item, "experimentId") ?? name;
    if (!seen.has(id)) {
      yield evaluationEvent({
        id,
        name,
        model: textAt(item, "metadata", "model"),
        dataset: textAt(item, "experimentDatasetId") ?? "langfuse",
        startedAt: textAt(item, "startTime"),
      });
    }
    seen.add(id);
    const failed = textAt(item, "level") === "ERROR";
    const error = failed ? (textAt(item, "statusMessage") ?? "the item has the level ERROR") : undefined;
    yield trialEvent({
      evaluation: id,
      row: present({
        input: at(item, "input") ?? null,
        expected: at(item, "expectedOutput") ?? undefined,
        metadata: at(item, "experimentItemMetadata") ?? undefined,
      }),
      rowKey: textAt(item, "experimentItemId"),
      output: answerWithError(error, at(item, "output") ?? null),
      scores: scoresOf(listAt(item, "scores")),
      error,
      latencySeconds: secondsBetween(textAt(item, "startTime"), textAt(item, "endTime")),
    });
  }
}

/** Joins a trace to its row and its run. */
interface RunItem {
  readonly item: string;
  readonly run: string;
  readonly name: string;
}

/** Run items by trace: three numbers for each trace, and each name once. */
class RunItems {
  private readonly byTrace = new DigestTable(3);
  private readonly names: string[] = [];
  private readonly places = new Map<string, number>();

  get size(): number {
    return this.byTrace.size;
  }

  put(trace: string, { item, run, name }: RunItem): void {
    this.byTrace.at(trace).set([item, run, name].map((text) => this.placeOf(text)));
  }

  of(trace: string): RunItem | undefined {
    if (!this.byTrace.has(trace)) return undefined;
    const [item, run, name] = this.byTrace.at(trace) as unknown as [number, number, number];
    return { item: this.names[item]!, run: this.names[run]!, name: this.names[name]! };
  }

  private placeOf(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    this.places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

async function* readExport(parts: ReadonlyMap<Part, readonly ImportFile[]>): AsyncGenerator<ImportEvent> {
  const scores = new PendingScores();
  for await (const score of all(parts.get("scores"))) {
    const trace = textAt(score, "trace_id") ?? textAt(score, "traceId");
    // The score of an observation belongs to a step, not to the trial.
    if (trace === undefined || (at(score, "observation_id") ?? at(score, "observationId") ?? null) !== null)
      continue;
    scores.put(trace, textAt(score, "name") ?? "score", scoreOf(score), timeOf(score));
  }
  const items = await datasetItems(parts.get("datasetItems"));
  const runs = await runItems(parts.get("runItems"));
  const seen = new Set<string>();
  let others = 0;
  for await (const trace of all(parts.get("traces"))) {
    const trial = textAt(trace, "id") ?? "";
    const run = runs.of(trial);
    if (run === undefined && runs.size > 0) {
      others++;
      continue;
    }
    const kept = run === undefined ? undefined : items.get(run.item);
    const item = kept === undefined ? undefined : parseJson(kept, "a dataset item");
    const name = run?.name || (textAt(trace, "name") ?? "traces");
    const id = run?.run || name;
    if (!seen.has(id)) {
      const model = textAt(trace, "metadata", "model") ?? name;
      const dataset = textAt(item, "datasetName") ?? "langfuse";
      yield evaluationEvent({ id, name, model, dataset, startedAt: utcTime(textAt(trace, "timestamp")) });
    }
    seen.add(id);
    yield trialEvent({
      evaluation: id,
      row: present({
        input: at(item, "input") ?? nested(at(trace, "input")),
        expected: at(item, "expectedOutput") ?? undefined,
        metadata: at(item, "metadata") ?? undefined,
      }),
      rowKey: run?.item || undefined,
      output: nested(at(trace, "output")),
      scores: scores.of(trial),
    });
  }
  if (others > 0)
    yield {
      kind: "note",
      note: `skipped, of no dataset run: ${others} ${others === 1 ? "trace" : "traces"}`,
    };
}

/** The rows of datasets by id, as texts: a dataset is held only once for all of its runs. */
async function datasetItems(files: readonly ImportFile[] | undefined): Promise<ReadonlyMap<string, string>> {
  const items = new Map<string, string>();
  for await (const item of all(files)) {
    const { datasetName = null, input = null, expectedOutput = null, metadata = null } = item;
    items.set(textAt(item, "id") ?? "", JSON.stringify({ datasetName, input, expectedOutput, metadata }));
  }
  return items;
}

async function runItems(files: readonly ImportFile[] | undefined): Promise<RunItems> {
  const runs = new RunItems();
  for await (const run of all(files)) {
    runs.put(textAt(run, "traceId") ?? "", {
      item: textAt(run, "datasetItemId") ?? "",
      run: textAt(run, "datasetRunId") ?? "",
      name: textAt(run, "datasetRunName") ?? "",
    });
  }
  return runs;
}

async function* all(files: readonly ImportFile[] = []): AsyncGenerator<JsonObject> {
  for (const file of files) yield* jsonRecords(file);
}

/** Scores by name. Among several with one name the last counts, such as an annotation after an automatic score. */
function scoresOf(scores: readonly Json[]): JsonObject {
  const inOrder = [...scores].sort((a, b) => timeOf(a) - timeOf(b));
  return Object.fromEntries(inOrder.map((score) => [textAt(score, "name") ?? "score", scoreOf(score)]));
}

/** The time of a score in microseconds; 0 if unknown. */
function timeOf(score: Json): number {
  const time = microseconds(utcTime(textAt(score, "timestamp")) ?? null);
  return Number.isNaN(time) ? 0 : time;
}

/** Older versions write booleans as 1 and 0, and categories as numbers next to their texts. */
function scoreOf(score: Json): Json {
  const type = textAt(score, "dataType") ?? textAt(score, "data_type");
  const value = at(score, "value") ?? null;
  const text = textAt(score, "stringValue") ?? textAt(score, "string_value");
  if (type === "BOOLEAN")
    return typeof value === "boolean" ? value : text === undefined ? value === 1 : text === "True";
  return type === "CATEGORICAL" ? (text ?? value) : value;
}

/** Parses texts that hold JSON, as in exports. */
function nested(value: Json | undefined): Json {
  return typeof value === "string" ? jsonOrText(value) : (value ?? null);
}
