// Reads Inspect AI logs: `.eval`, a zip archive with a file for each sample, and `.json`, one document with the same
// content.

import type { Json } from "@assay/base";
import { Unreadable } from "../files/errors.ts";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { zipEntries } from "../files/zip-entries.ts";
import { type JsonPath, jsonSlices, slicesOf } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import { contentText } from "./content-text.ts";
import type { Importer } from "./importer.ts";

// Most of a log is events, and messages that the events repeat.
const OMITTED = ["events", "events_data", "store", "attachments", "timelines"];
const HEADER = ["version", "status", "eval", "results", "invalidated", "error"];

/** Inspect AI. */
export const inspect: Importer = {
  name: "inspect",
  title: "Inspect AI log (.eval, .json)",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "zip"
      ? keys.has("header.json") || keys.has("_journal/start.json")
      : fileType === "json" && keys.has("eval.task") && keys.has("status"),
  async *read([file]) {
    const start = await file!.read(0, 2);
    if (start[0] === 0x50 && start[1] === 0x4b) yield* readArchive(file!);
    else yield* readDocument(file!);
  },
};

async function* readDocument(file: ImportFile): AsyncGenerator<ImportEvent> {
  const header: { [key: string]: Json } = {};
  for await (const { path, value } of jsonSlices(file, {
    take: [...HEADER.map((key): JsonPath => [key])],
  })) {
    header[path[0]!] = value;
  }
  const log = new InspectLog(file, header);
  yield log.evaluation();
  const omit = OMITTED.map((key): JsonPath => ["samples", "*", key]);
  for await (const { value } of jsonSlices(file, { take: [["samples", "*"]], omit })) yield* log.trial(value);
  yield* log.notes();
}

async function* readArchive(file: ImportFile): AsyncGenerator<ImportEvent> {
  const entries = await zipEntries(file);
  const header =
    entries.find(({ name }) => name === "header.json") ??
    entries.find(({ name }) => name === "_journal/start.json");
  if (header === undefined)
    throw new Unreadable("neither header.json nor _journal/start.json in the archive");
  let head: Json = null;
  for await (const { value } of slicesOf(header.pieces(), { take: [[]] })) head = value;
  if (!isObject(head)) throw new Unreadable(`${header.name}: not a JSON object`);
  const log = new InspectLog(file, head);
  yield log.evaluation();
  const omit = OMITTED.map((key): JsonPath => [key]);
  for (const entry of entries) {
    if (!/^samples\/.*\.json$/.test(entry.name)) continue;
    for await (const { value } of slicesOf(entry.pieces(), { take: [[]], omit })) yield* log.trial(value);
  }
  yield* log.notes();
}

/** The data that all samples of a log share. */
class InspectLog {
  private readonly file: ImportFile;
  private readonly header: JsonObject;
  private readonly id: string;
  private readonly dataset: string;
  private invalidated = 0;

  constructor(file: ImportFile, header: JsonObject) {
    const task = textAt(header, "eval", "task");
    if (task === undefined) throw new Unreadable("no eval.task, which every log of Inspect AI has");
    this.file = file;
    this.header = header;
    const run = ["run_id", "task_id", "eval_id"].flatMap((key) => textAt(header, "eval", key) ?? []);
    this.id = run.length > 0 ? run.join("/") : fileStem(file);
    this.dataset = textAt(header, "eval", "dataset", "name") ?? task;
  }

  evaluation(): ImportEvent {
    const { header } = this;
    return evaluationEvent({
      id: this.id,
      name: textAt(header, "eval", "task")!,
      model: textAt(header, "eval", "model"),
      dataset: this.dataset,
      startedAt: textAt(header, "eval", "created"),
      scoreTexts: "letters",
      attributes: present({
        status: at(header, "status"),
        run_id: at(header, "eval", "run_id"),
        tags: at(header, "eval", "tags"),
        epochs: at(header, "eval", "config", "epochs"),
      }),
    });
  }

  *trial(sample: Json): Generator<ImportEvent> {
    if (!isObject(sample)) throw new Unreadable("samples: an element is not a sample");
    if (isObject(at(sample, "invalidation"))) {
      this.invalidated++;
      return;
    }
    const id = textAt(sample, "id");
    if (id === undefined) throw new Unreadable("samples: a sample has no id");
    const scores = at(sample, "scores");
    yield trialEvent({
      evaluation: this.id,
      row: present({
        id,
        input: at(sample, "input"),
        choices: at(sample, "choices") ?? undefined,
        target: at(sample, "target"),
        metadata: at(sample, "metadata"),
      }),
      rowKey: [this.dataset, id],
      repetition: Math.max(0, (numberAt(sample, "epoch") ?? 1) - 1),
      output: outputOf(sample),
      scores: isObject(scores) ? mapped(scores, (score) => at(score, "value") ?? null) : {},
      error: textAt(sample, "error", "message"),
      latencySeconds: numberAt(sample, "working_time") ?? numberAt(sample, "total_time"),
      totalTokens: tokensOf(at(sample, "model_usage")),
      attributes: present({
        scorers: isObject(scores) ? mapped(scores, explained) : undefined,
        limit: at(sample, "limit") ?? undefined,
      }),
    });
  }

  *notes(): Generator<ImportEvent> {
    const status = textAt(this.header, "status") ?? "started";
    const { path } = this.file;
    if (status !== "success") yield { kind: "note", note: `${path}: the run has the status ${status}` };
    if (this.invalidated > 0) {
      yield {
        kind: "note",
        note: `${path}: skipped, declared invalid: ${this.invalidated} ${this.invalidated === 1 ? "sample" : "samples"}`,
      };
    }
  }
}

function outputOf(sample: JsonObject): Json {
  const completion = at(sample, "output", "completion");
  if (typeof completion === "string") return completion;
  const [choice] = listAt(sample, "output", "choices");
  const message =
    at(choice, "message") ?? listAt(sample, "messages").findLast((one) => at(one, "role") === "assistant");
  return message === undefined ? null : contentText(at(message, "content") ?? null);
}

function explained(score: Json): Json {
  return present({
    answer: at(score, "answer") ?? undefined,
    explanation: at(score, "explanation") ?? undefined,
  });
}

function mapped(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function tokensOf(usage: Json | undefined): number | undefined {
  if (!isObject(usage)) return undefined;
  const counts = Object.values(usage).flatMap((model) => numberAt(model, "total_tokens") ?? []);
  return totalOf(counts);
}
