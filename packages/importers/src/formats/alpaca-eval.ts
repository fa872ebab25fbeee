// Reads AlpacaEval: annotations, each with two answers and which of them the judge preferred, and separately the
// answers of each model.

import type { Json } from "@assay/base";
import { folderOf, type ImportFile } from "../files/import-file.ts";
import { at, type JsonObject, numberAt, present, textAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { FileGroups, Importer } from "./importer.ts";

/** AlpacaEval. */
export const alpacaEval: Importer = {
  name: "alpaca-eval",
  title: "AlpacaEval annotations",
  recognises: ({ keys }: FileHead) => isAnnotations(keys) || isOutputs(keys),
  units,
  async *read(files) {
    const judged = new Set<string>();
    for (const file of files) {
      if (isOutputs((await fileHead(file)).keys)) yield* readOutputs(file, judged);
      else yield* readAnnotations(file, judged);
    }
  },
};

function isAnnotations(keys: ReadonlySet<string>): boolean {
  return ["", "*."].some((b) =>
    ["instruction", "generator_2", "preference"].every((key) => keys.has(b + key)),
  );
}

/** Files of answers have only these columns: with a score they are another format. */
function isOutputs(keys: ReadonlySet<string>): boolean {
  const own = ["instruction", "output", "generator", "dataset", "datasplit"];
  return (
    own.slice(0, 3).every((key) => keys.has(`*.${key}`)) &&
    [...keys].every((key) => key.startsWith("*.") && own.includes(key.slice(2)))
  );
}

/**
 * Groups each file of annotations with the answers in its folder or above: `large/model_outputs.json`,
 * `large/JUDGE/annotations.json`.
 */
async function units(files: readonly ImportFile[]): Promise<FileGroups> {
  const judged: ImportFile[][] = [];
  const answers: ImportFile[] = [];
  for (const file of files) {
    if (isOutputs((await fileHead(file)).keys)) answers.push(file);
    else judged.push([file]);
  }
  const lone: ImportFile[][] = [];
  for (const file of answers) {
    const beside = judged.find(([one]) => `${folderOf(one!)}/`.startsWith(`${folderOf(file)}/`));
    if (beside === undefined) lone.push([file]);
    else beside.push(file);
  }
  return [...judged, ...lone];
}

async function* readAnnotations(file: ImportFile, judged: Set<string>): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  for await (const pair of jsonRecords(file)) {
    const model = textAt(pair, "generator_2") ?? "model";
    const judge = textAt(pair, "annotator");
    const id = [model, textAt(pair, "generator_1"), judge].filter(Boolean).join(" ");
    if (!seen.has(id)) {
      const attributes = present({ annotator: judge, reference: at(pair, "generator_1") });
      yield evaluationEvent({ id, name: model, model, dataset: DATASET, attributes });
    }
    seen.add(id);
    judged.add(model);
    const key = keyOf(pair);
    yield trialEvent({
      evaluation: id,
      row: present({ ...key, reference: at(pair, "output_1") }),
      rowKey: key,
      output: at(pair, "output_2") ?? null,
      scores: { win: winOf(numberAt(pair, "preference")) },
      latencySeconds: numberAt(pair, "time_per_example"),
      attributes: present({ price: at(pair, "price_per_example") }),
    });
  }
}

/** The answers of models without a judgement; those of judged models are in the annotations. */
async function* readOutputs(file: ImportFile, judged: ReadonlySet<string>): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  for await (const answer of jsonRecords(file)) {
    const model = textAt(answer, "generator") ?? "model";
    const isJudged = judged.has(model);
    if (!seen.has(model)) {
      yield isJudged
        ? { kind: "note", note: `${file.path}: skipped; the annotations contain the answers of ${model}` }
        : evaluationEvent({ id: `${model} answers`, name: model, model, dataset: DATASET });
    }
    seen.add(model);
    if (isJudged) continue;
    const key = keyOf(answer);
    const output = at(answer, "output") ?? null;
    yield trialEvent({ evaluation: `${model} answers`, row: key, rowKey: key, output, scores: {} });
  }
}

const DATASET = "alpaca-eval";

function keyOf(record: JsonObject): JsonObject {
  return present({
    instruction: at(record, "instruction") ?? null,
    dataset: at(record, "dataset") ?? undefined,
  });
}

/** From 1 (the reference wins) to 2 (the model wins); older annotators write 0 for a draw. */
function winOf(preference: number | undefined): Json {
  if (preference === undefined) return null;
  return preference === 0 ? 0.5 : preference - 1;
}
