// Reads LangSmith experiments: the table from its UI and from `to_pandas`, and results as JSON lines.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { isoTime, utcTime } from "../json/iso-time.ts";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  listAt,
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords, recordsOf } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsBetween } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

/** LangSmith. */
export const langsmith: Importer = {
  name: "langsmith",
  title: "LangSmith experiment (CSV, JSON, JSON lines, Parquet)",
  isTabular: true,
  recognises: ({ keys }: FileHead) => isTable(keys) || hasRuns(keys),
  async *read([file]) {
    if (hasRuns((await fileHead(file!)).keys)) yield* readLines(file!);
    else yield* readTable(file!);
  },
};

/** A table has names with dots where other files have objects. */
function isTable(keys: ReadonlySet<string>): boolean {
  return ["", "*."].some(
    (b) =>
      keys.has(`${b}example_id`) &&
      !keys.has(`${b}inputs`) &&
      [...keys].some((key) => key.startsWith(`${b}inputs.`)),
  );
}

function hasRuns(keys: ReadonlySet<string>): boolean {
  return ["", "*."].some(
    (b) => keys.has(`${b}run`) && keys.has(`${b}example`) && RESULTS.some((name) => keys.has(`${b}${name}`)),
  );
}

/** The names of evaluator results in the libraries for Python and JavaScript. */
const RESULTS = ["evaluation_results", "evaluationResults"] as const;

async function* readLines(file: ImportFile): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  for await (const line of jsonRecords(file)) {
    const run = at(line, "run");
    const id = textAt(run, "session_id") ?? textAt(run, "session_name") ?? fileStem(file);
    if (!seen.has(id)) {
      yield evaluationEvent({
        id,
        name: textAt(run, "session_name") ?? fileStem(file),
        model: textAt(run, "extra", "metadata", "model") ?? textAt(run, "extra", "metadata", "ls_model_name"),
        dataset: textAt(line, "example", "dataset_id") ?? "langsmith",
        startedAt: timeAt(run, "start_time"),
      });
    }
    seen.add(id);
    yield trialOf(line, id);
  }
}

function trialOf(line: Json, evaluation: string): ImportEvent {
  const example = at(line, "example");
  const run = at(line, "run");
  const error = errorText(at(run, "error"));
  const results = RESULTS.flatMap((name) => listAt(line, name, "results"));
  const comments = results.flatMap((result) => {
    const [key, comment] = [textAt(result, "key"), textAt(result, "comment")];
    return key !== undefined && comment !== undefined ? [[key, { comment }] as const] : [];
  });
  return trialEvent({
    evaluation,
    row: rowOf(at(example, "inputs") ?? at(run, "inputs"), at(example, "outputs"), at(example, "metadata")),
    rowKey: textAt(example, "id") ?? textAt(run, "reference_example_id"),
    output: answerWithError(error, only(at(run, "outputs") ?? null)),
    scores: Object.fromEntries(
      results.map((result, i) => [
        textAt(result, "key") ?? `evaluator ${i + 1}`,
        at(result, "score") ?? at(result, "value") ?? null,
      ]),
    ),
    error,
    latencySeconds: secondsBetween(timeAt(run, "start_time"), timeAt(run, "end_time")),
    attributes: present({ scorers: comments.length === 0 ? undefined : Object.fromEntries(comments) }),
  });
}

async function* readTable(file: ImportFile): AsyncGenerator<ImportEvent> {
  const id = fileStem(file);
  const { records, areTexts } = await recordsOf(file);
  yield evaluationEvent({ id, name: id, dataset: "langsmith", scoreTexts: areTexts ? "cells" : "words" });
  for await (const some of records)
    for (const record of some) {
      const error = errorText(at(record, "error"));
      yield trialEvent({
        evaluation: id,
        row: rowOf(under(record, "inputs."), under(record, "reference.")),
        rowKey: textAt(record, "example_id"),
        output: answerWithError(error, only(under(record, "outputs."))),
        scores: under(record, "feedback.", false),
        error,
        latencySeconds: Number(record["execution_time"] || Number.NaN) || undefined,
      });
    }
}

/** The columns with a prefix, as an object. */
function under(record: JsonObject, prefix: string, parsed = true): JsonObject {
  const columns = Object.entries(record).filter(([name, cell]) => name.startsWith(prefix) && cell !== null);
  return Object.fromEntries(
    columns.map(([name, cell]) => [name.slice(prefix.length), parsed ? nested(cell) : cell]),
  );
}

/** The value of a cell: objects and lists are JSON, anything else is text. */
function nested(cell: Json): Json {
  return typeof cell === "string" && /^\s*[[{]/.test(cell) ? jsonOrText(cell) : cell;
}

function rowOf(inputs: Json | undefined, reference?: Json, metadata?: Json): JsonObject {
  return present({
    ...(isObject(inputs) ? inputs : { inputs }),
    reference: reference === null ? undefined : reference,
    metadata: metadata === null ? undefined : metadata,
  });
}

/** The output itself if there is only one. */
function only(outputs: Json): Json {
  const values = isObject(outputs) ? Object.values(outputs) : [];
  return values.length === 1 ? values[0]! : outputs;
}

/** Times are in UTC, mostly without a time zone, or in milliseconds. */
function timeAt(run: Json | undefined, key: string): string | undefined {
  return isoTime(numberAt(run, key)) ?? utcTime(textAt(run, key));
}
