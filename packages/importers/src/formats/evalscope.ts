// Reads a work folder of EvalScope: `reviews/<model>/<dataset>_<subset>.jsonl` with the scores of each answer,
// `predictions` with its tokens and time, and `reports`, which name the datasets.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonLines } from "../json/json-lines.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead, hasKeys } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { contentText } from "./content-text.ts";
import type { Importer } from "./importer.ts";

type Part = "review" | "prediction" | "report";

const FOLDER = /(^|\/)(?:reviews|predictions|reports)(?=\/|$)/;

/** EvalScope. */
export const evalscope: Importer = {
  name: "evalscope",
  title: "EvalScope reviews, predictions and reports",
  recognises: ({ keys }: FileHead) => partOf(keys) !== undefined,
  units: (files) => [...groupBy(files, (file) => folderOf(file).replace(FOLDER, "$1")).values()],
  async *read(files) {
    const parts: Record<Part, ImportFile[]> = { review: [], prediction: [], report: [] };
    for (const file of files) {
      const part = partOf((await fileHead(file)).keys);
      if (part === undefined) throw new Unreadable(`${file.path} has no reviews, predictions or report`);
      parts[part].push(file);
    }
    const { review, prediction, report } = parts;
    const datasets: string[] = [];
    for (const file of report) datasets.push(yield* readReport(file));
    if (review.length === 0)
      yield {
        kind: "note",
        note: `${files[0]!.path}: no scores of answers; EvalScope writes them to reviews/`,
      };
    const seen = new Set<string>();
    for (const file of review) {
      const stem = fileStem(file);
      const [dataset = stem] = datasets
        .filter((name) => stem === name || stem.startsWith(`${name}_`))
        .sort((a, b) => b.length - a.length);
      const beside = prediction.find((one) => fileName(one) === fileName(file));
      yield* readReviews(file, { dataset, subset: stem.slice(dataset.length + 1), beside, seen });
    }
  },
};

function partOf(keys: ReadonlySet<string>): Part | undefined {
  const has = (...names: readonly string[]) => hasKeys(keys, ...names);
  if (has("sample_score.score", "messages", "target")) return "review";
  if (has("model_output.choices", "messages", "index")) return "prediction";
  return has("dataset_name", "model_name", "metrics.*.categories") ? "report" : undefined;
}

/** Returns the dataset of a report, and tells of answers that no file has. */
async function* readReport(file: ImportFile): AsyncGenerator<ImportEvent, string> {
  let report: Json = {};
  for await (const { value } of jsonSlices(file, { take: [["dataset_name"], ["execution_summary"]] })) {
    report = { ...(report as JsonObject), ...(isObject(value) ? value : { dataset: value }) };
  }
  const errors = numberAt(report, "errored") ?? 0;
  if (errors > 0)
    yield {
      kind: "note",
      note: `${file.path}: ${errors} of ${numberAt(report, "requested")} answers ended in an error, and EvalScope wrote none of them`,
    };
  return textAt(report, "dataset") ?? fileStem(file);
}

interface Reviews {
  readonly dataset: string;
  /** Empty if the file is the whole dataset. */
  readonly subset: string;
  /** The file with the predictions. */
  readonly beside: ImportFile | undefined;
  /** The evaluations that have begun. */
  readonly seen: Set<string>;
}

async function* readReviews(
  file: ImportFile,
  { dataset, subset, beside, seen }: Reviews,
): AsyncGenerator<ImportEvent> {
  const predictions = await predictionsOf(beside);
  const id = `${folderOf(file)} ${dataset}`;
  for await (const review of jsonLines(file)) {
    const prediction = predictions.get(textAt(review, "index") ?? "");
    const messages = listAt(review, "messages");
    const answer = messages.findLast((one) => at(one, "role") === "assistant");
    if (!seen.has(id))
      yield evaluationEvent({
        ...{ id, name: dataset, dataset },
        model: prediction?.model ?? textAt(answer, "model") ?? fileName({ ...file, path: folderOf(file) }),
      });
    seen.add(id);
    const end = messages.findIndex((one) => at(one, "source") === "generate" || one === answer);
    const asked = end === -1 ? messages : messages.slice(0, end);
    const question = { input: conversation(asked), target: soleOf(at(review, "target") ?? null) };
    const result = at(review, "sample_score");
    yield trialEvent({
      evaluation: id,
      row: present({
        ...question,
        subset: subset === "" ? undefined : subset,
        metadata: at(result, "sample_metadata"),
      }),
      // The name of the file, so that rows match those of a run without reports.
      rowKey: [fileStem(file), question],
      repetition: numberAt(result, "generation_index"),
      output: at(result, "score", "prediction") ?? contentText(at(answer, "content") ?? null),
      scores: scoresOf(at(result, "score", "value")),
      error: prediction?.error,
      latencySeconds: prediction?.seconds,
      totalTokens: prediction?.tokens,
      attributes: present({
        extracted: at(result, "score", "extracted_prediction"),
        explanation: at(result, "score", "explanation") ?? undefined,
      }),
    });
  }
}

function scoresOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : present({ score: value });
}

/** The text of a single question, otherwise the messages. */
function conversation(messages: readonly Json[]): Json {
  const texts = messages.map((one) => contentText(at(one, "content") ?? null));
  if (messages.length === 1) return texts[0]!;
  return messages.map((one, i) => ({ role: at(one, "role") ?? null, content: texts[i]! }));
}

function soleOf(target: Json): Json {
  return Array.isArray(target) && target.length === 1 ? (target[0] as Json) : target;
}

/** What a prediction adds to its review. */
interface Prediction {
  readonly model: string | undefined;
  readonly error: string | undefined;
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
}

async function predictionsOf(file: ImportFile | undefined): Promise<ReadonlyMap<string, Prediction>> {
  const found = new Map<string, Prediction>();
  if (file === undefined) return found;
  for await (const record of jsonLines(file)) {
    const output = at(record, "model_output");
    found.set(textAt(record, "index") ?? "", {
      model: textAt(record, "model"),
      error: errorText(at(output, "error")),
      seconds: numberAt(output, "time"),
      tokens: numberAt(output, "usage", "total_tokens"),
    });
  }
  return found;
}
