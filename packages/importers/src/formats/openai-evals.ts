// Reads the output items of an OpenAI Evals API run, as JSON lines or as the API's list responses, and the run itself,
// which has the name.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { isoTimeOfSeconds } from "../json/iso-time.ts";
import { jsonDocument, jsonSlices } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { contentText } from "./content-text.ts";
import type { Importer } from "./importer.ts";

/** OpenAI's Evals API. */
export const openaiEvals: Importer = {
  name: "openai-evals",
  title: "OpenAI Evals output items",
  recognises: ({ keys }: FileHead) =>
    isRun(keys) || ["", "*.", "data.*."].some((before) => isItem(keys, before)),
  units: (files) => [...groupBy(files, folderOf).values()],
  async *read(files) {
    const runs = new Map<string, JsonObject>();
    const lists: ImportFile[] = [];
    for (const file of files) {
      const { keys } = await fileHead(file);
      if (!isRun(keys)) lists.push(file);
      else {
        const run = await jsonDocument(file);
        if (isObject(run)) runs.set(textAt(run, "id") ?? "", run);
      }
    }
    if (lists.length === 0) {
      yield {
        kind: "note",
        note: `${files[0]!.path}: a run without its output items, which hold the trials`,
      };
    }
    const seen = new Set<string>();
    for (const file of lists) {
      for await (const item of itemsOf(file)) {
        const run = textAt(item, "run_id") ?? fileStem(file);
        if (!seen.has(run)) yield describe(item, run, runs.get(run));
        seen.add(run);
        yield trialOf(item, run);
      }
    }
  },
};

function isRun(keys: ReadonlySet<string>): boolean {
  return keys.has("data_source") && keys.has("eval_id") && keys.has("result_counts");
}

function isItem(keys: ReadonlySet<string>, before: string): boolean {
  return keys.has(`${before}datasource_item`) && keys.has(`${before}results`);
}

async function* itemsOf(file: ImportFile): AsyncGenerator<Json> {
  if (!(await fileHead(file)).keys.has("data.*.datasource_item")) yield* jsonRecords(file);
  else for await (const { value } of jsonSlices(file, { take: [["data", "*"]] })) yield value;
}

function describe(item: Json, id: string, run: JsonObject | undefined): ImportEvent {
  const model = textAt(item, "sample", "model") ?? textAt(run, "model");
  const created = numberAt(run, "created_at") ?? numberAt(item, "created_at");
  return evaluationEvent({
    id,
    name: textAt(run, "name") ?? model ?? id,
    model,
    dataset: textAt(item, "eval_id") ?? "openai-evals",
    startedAt: isoTimeOfSeconds(created),
    attributes: present({
      run_id: id,
      eval_id: at(item, "eval_id"),
      result_counts: at(run, "result_counts"),
    }),
  });
}

function trialOf(item: Json, evaluation: string): ImportEvent {
  const source = at(item, "datasource_item");
  const row = at(source, "item") ?? source;
  if (!isObject(row)) throw new Unreadable("an output item whose datasource_item is not an object");
  const error = errorText(at(item, "sample", "error"));
  return trialEvent({
    evaluation,
    row,
    output: answerWithError(error, answerOf(listAt(item, "sample", "output"))),
    scores: scoresOf(listAt(item, "results")),
    error: error ?? (textAt(item, "status") === "error" ? "the run gives no reason" : undefined),
    totalTokens: numberAt(item, "sample", "usage", "total_tokens"),
    attributes: present({ item_id: at(item, "id"), finish_reason: at(item, "sample", "finish_reason") }),
  });
}

function answerOf(messages: readonly Json[]): Json {
  const last = messages.at(-1);
  return last === undefined ? null : contentText(at(last, "content") ?? last);
}

/** Scores by grader, without the id at the end of each grader's name, which differs between evals. */
function scoresOf(results: readonly Json[]): JsonObject {
  const names = results.map((result, i) => textAt(result, "name") ?? `grader ${i + 1}`);
  const short = names.map((name) => name.replace(/-[0-9a-f]{8,}(?:-[0-9a-f]+){0,9}$/, "") || name);
  const distinct = new Set(short).size === short.length ? short : names;
  return Object.fromEntries(
    results.map((result, i) => [
      distinct[i]!,
      present({ passed: at(result, "passed") ?? undefined, score: at(result, "score") ?? undefined }),
    ]),
  );
}
