// Reads Braintrust experiments: spans, as returned by its API and SDK, and the flat download with one record per trial.
// The output of its command has summaries without trials, which are refused.

import type { Json } from "@assay/base";
import { bufferGroups } from "../collections/group-buffer.ts";
import { Unreadable } from "../files/errors.ts";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  membersAt,
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords, recordsOf } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

/** Braintrust. */
export const braintrust: Importer = {
  name: "braintrust",
  title: "Braintrust spans and downloads",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "table"
      ? ["id", "input", "output", "scores", "metrics"].every((key) => keys.has(key))
      : isSummary(keys) ||
        ["", "*.", EVENTS].some(
          (b) =>
            (keys.has(`${b}span_attributes`) && keys.has(`${b}root_span_id`)) ||
            keys.has(`${b}comparison_key`) ||
            (keys.has(`${b}is_root`) && keys.has(`${b}metrics`)),
        ),
  async *read([file]) {
    const { keys, fileType } = await fileHead(file!);
    if (isSummary(keys)) throw new Unreadable(SUMMARY);
    const spans = ["", "*.", EVENTS].some((base) => keys.has(`${base}root_span_id`));
    yield* spans
      ? readSpans(file!, keys.has(`${EVENTS}root_span_id`))
      : readDownload(file!, fileType === "table");
  },
};

/** Where the API's answer has its spans. */
const EVENTS = "events.*.";
const SUMMARY =
  "Braintrust's summaries of experiments, without their trials; import the spans of an experiment, or write the results that Eval() returns as JSON";

/** Whether a file is the output of `braintrust eval --jsonl`. */
function isSummary(keys: ReadonlySet<string>): boolean {
  return keys.has("projectName") && keys.has("experimentName") && keys.has("scores");
}

async function* eventsIn(file: ImportFile): AsyncGenerator<JsonObject> {
  for await (const { value } of jsonSlices(file, { take: [["events", "*"]] }))
    if (isObject(value)) yield value;
}

async function* readSpans(file: ImportFile, areEvents: boolean): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  const trials = bufferGroups(
    () => (areEvents ? eventsIn(file) : jsonRecords(file)),
    (span) => textAt(span, "root_span_id"),
  );
  let rootless = 0;
  for await (const spans of trials) {
    const root = spans.find(isRoot);
    if (root === undefined) {
      rootless++;
      continue;
    }
    const experiment = textAt(root, "experiment_id") ?? fileStem(file);
    if (!seen.has(experiment)) {
      yield evaluationEvent({
        id: experiment,
        name: fileStem(file).replace(/\.spans$/, ""),
        model: modelOf(spans) ?? fileStem(file).replace(/\.spans$/, ""),
        dataset: textAt(root, "dataset_id") ?? "braintrust",
        startedAt: textAt(root, "created"),
      });
    }
    seen.add(experiment);
    yield spansTrial(root, spans, experiment);
  }
  if (rootless > 0)
    yield {
      kind: "note",
      note: `${file.path}: skipped, without a root span: ${rootless} ${rootless === 1 ? "trace" : "traces"}`,
    };
}

function isRoot(span: JsonObject): boolean {
  const flag = at(span, "is_root");
  return typeof flag === "boolean" ? flag : at(span, "span_id") === at(span, "root_span_id");
}

function typeOf(span: JsonObject): string {
  return textAt(span, "span_attributes", "type") ?? "";
}

function modelOf(spans: readonly JsonObject[]): string | undefined {
  return spans.flatMap((span) => textAt(span, "metadata", "model") ?? [])[0];
}

function spansTrial(root: JsonObject, spans: readonly JsonObject[], evaluation: string): ImportEvent {
  const scorers = spans.filter((span) => typeOf(span) === "score");
  const work = spans.filter((span) => typeOf(span) === "llm" || typeOf(span) === "task");
  const task = spans.find((span) => typeOf(span) === "task") ?? root;
  const [start, end] = [numberAt(task, "metrics", "start"), numberAt(task, "metrics", "end")];
  const error = errorOf(at(root, "error"));
  const scores = [root, ...scorers].flatMap((span) => membersAt(span, "scores"));
  const tokens = work.flatMap((span) => tokensOf(span) ?? []);
  const told = scorers.flatMap((span) => {
    const [name, facts] = [textAt(span, "span_attributes", "name"), at(span, "metadata")];
    return name !== undefined && isObject(facts) && Object.keys(facts).length > 0
      ? [[name, facts] as const]
      : [];
  });
  return trialEvent({
    evaluation,
    ...rowOf(root),
    output: answerWithError(error, at(root, "output") ?? null),
    scores: Object.fromEntries(scores),
    error,
    latencySeconds: start !== undefined && end !== undefined ? end - start : undefined,
    totalTokens: totalOf(tokens),
    attributes: present({
      metadata: at(root, "metadata"),
      tags: at(root, "tags") ?? undefined,
      scorers: told.length === 0 ? undefined : Object.fromEntries(told),
    }),
  });
}

function tokensOf(span: JsonObject): number | undefined {
  const total = numberAt(span, "metrics", "tokens") ?? numberAt(span, "metrics", "total_tokens");
  const parts = ["prompt_tokens", "completion_tokens"].flatMap((key) => numberAt(span, "metrics", key) ?? []);
  return total ?? totalOf(parts);
}

async function* readDownload(file: ImportFile, areTexts: boolean): AsyncGenerator<ImportEvent> {
  const id = fileStem(file);
  const name = id.replace(/\.download$/, "");
  yield evaluationEvent({ id, name, model: name, dataset: "braintrust" });
  for await (const some of (await recordsOf(file)).records)
    for (const original of some) {
      const record = areTexts ? mapped(original) : original;
      if (at(record, "is_root") === false) continue;
      const error = errorOf(at(record, "error"));
      const own = at(record, "scores");
      yield trialEvent({
        evaluation: id,
        ...rowOf(record),
        output: answerWithError(error, at(record, "output") ?? null),
        scores: isObject(own) ? own : {},
        error,
        latencySeconds: numberAt(record, "metrics", "duration"),
        totalTokens: tokensOf(record),
        attributes: present({ metadata: at(record, "metadata") ?? undefined }),
      });
    }
}

/** Parses cells that hold objects; empty cells become null. */
function mapped(record: JsonObject): JsonObject {
  const parsed = new Set(["scores", "metrics", "metadata", "tags"]);
  return Object.fromEntries(
    Object.entries(record).map(([column, cell]) => {
      if (cell === "") return [column, null];
      const nested = typeof cell === "string" && (parsed.has(column) || /^\s*[[{]/.test(cell));
      return [column, nested ? jsonOrText(cell) : cell];
    }),
  );
}

function rowOf(record: JsonObject): { readonly row: JsonObject; readonly rowKey: Json } {
  const input = at(record, "input") ?? null;
  const key = textAt(record, "dataset_record_id") ?? textAt(record, "origin", "id");
  return { row: present({ input, expected: at(record, "expected") }), rowKey: key ?? { input } };
}

/** An error may be a stack trace: in Python its last line has the message, in JavaScript its first. */
function errorOf(field: Json | undefined): string | undefined {
  const error = errorText(field);
  if (error === undefined) return undefined;
  const lines = error.trim().split("\n");
  return lines[0]!.startsWith("Traceback") ? lines.at(-1)!.trim() : lines[0]!;
}
