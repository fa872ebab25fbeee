// Reads an OpenCompass output folder: `results/<model>/<dataset>.json`, whose details have a judgement for each
// question, and `predictions/<model>/<dataset>.json`, with the prompts that some details lack.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, type JsonObject, membersAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  trialEvent,
} from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const PREDICTIONS = /(^|\/)predictions(?=\/)/;

/** OpenCompass. */
export const opencompass: Importer = {
  name: "opencompass",
  title: "OpenCompass results",
  recognises: ({ keys }: FileHead) =>
    ["details.*.origin_prediction", "details.*.pred", "*.origin_prompt"].some((key) => keys.has(key)),
  units: (files) => [...groupBy(files, ({ path }) => path.replace(PREDICTIONS, "$1results")).values()],
  async *read(files) {
    const predictions = files.filter(({ path }) => PREDICTIONS.test(path));
    const results = files.filter((file) => !predictions.includes(file));
    for (const { path } of results.length === 0 ? predictions : [])
      yield { kind: "note", note: `${path}: answers without scores; those in results/ are imported` };
    for (const file of results) yield* readResults(file, predictions[0]);
  },
};

async function* readResults(
  file: ImportFile,
  predictions: ImportFile | undefined,
): AsyncGenerator<ImportEvent> {
  // Only the folder names the model, and only the file name the dataset.
  const model = fileName({ ...file, path: folderOf(file) }) || fileStem(file);
  const dataset = fileStem(file);
  const id = `${folderOf(file)}/${dataset}`;
  yield evaluationEvent({ id, name: dataset, model, dataset });
  const { isJudged, isExact } = await judgementsOf(file);
  if (!isJudged && isExact)
    yield {
      kind: "note",
      note: `${file.path}: correct is whether prediction and reference are the same, as in the accuracy of the file`,
    };
  const prompts = isJudged ? await promptsOf(predictions) : new Map<string, Json>();
  for await (const { path, value } of jsonSlices(file, { take: [["details", "*"]] })) {
    if (path[1] === "type") continue;
    const repetitions = repetitionsOf(value);
    for (const [i, one] of repetitions.entries()) {
      const derived = isExact ? areEqual(one) : undefined;
      const trial = detailTrial(one, isJudged ? correctOf(one) : derived);
      const isExample = at(one, "example_abbr") !== undefined;
      const prompt = isExample && repetitions.length === 1 ? prompts.get(path[1]!) : undefined;
      yield trialEvent({
        ...trial,
        evaluation: id,
        row: prompt === undefined ? trial.row : { ...trial.row, prompt },
        repetition: isExample ? i : undefined,
      });
    }
  }
}

function detailTrial(detail: Json, correct: Json | undefined): Omit<ImportedTrial, "evaluation"> {
  const key = present({
    example: at(detail, "example_abbr"),
    prompt: at(detail, "prompt"),
    reference: at(detail, "references") ?? at(detail, "gold") ?? at(detail, "answer"),
  });
  return {
    row: key,
    rowKey: key,
    output: at(detail, "origin_prediction") ?? at(detail, "pred") ?? null,
    scores: present({ correct }),
    attributes: present({ prediction: at(detail, "predictions") }),
  };
}

/** The answers to one example, of which newer versions have a list for each member. */
function repetitionsOf(detail: Json): readonly Json[] {
  const members = membersAt(detail);
  const lists = members.flatMap(([, value]) => (Array.isArray(value) ? [value as readonly Json[]] : []));
  if (textAt(detail, "example_abbr") === undefined || lists.length === 0) return [detail];
  return Array.from(
    { length: Math.max(...lists.map(({ length }) => length)) },
    (_, i): JsonObject =>
      Object.fromEntries(
        members.map(([name, value]) => [name, Array.isArray(value) ? (value[i] ?? null) : value]),
      ),
  );
}

function correctOf(detail: Json): Json | undefined {
  return at(detail, "correct") ?? at(detail, "is_correct") ?? at(detail, "cascade_correct");
}

function areEqual(detail: Json): boolean | undefined {
  const [prediction, reference] = [at(detail, "predictions"), at(detail, "references")];
  return prediction === undefined || reference === undefined ? undefined : prediction === reference;
}

/**
 * Whether the details of a file are judged; if they are not, whether the accuracy of the file is the part of predictions
 * that are the reference.
 */
async function judgementsOf(
  file: ImportFile,
): Promise<{ readonly isJudged: boolean; readonly isExact: boolean }> {
  let [accuracy, count, equal]: [number | undefined, number, number] = [undefined, 0, 0];
  for await (const { path, value } of jsonSlices(file, { take: [["accuracy"], ["details", "*"]] })) {
    if (path[0] === "accuracy") accuracy = numberAt(value);
    else if (path[1] !== "type") {
      if (repetitionsOf(value).some((one) => correctOf(one) !== undefined))
        return { isJudged: true, isExact: false };
      count++;
      if (areEqual(value) === true) equal++;
    }
  }
  const isExact = accuracy !== undefined && Math.abs(accuracy - (100 * equal) / count) < 0.01;
  return { isJudged: false, isExact };
}

/** The prompts of predictions, by the number of the question. */
async function promptsOf(file: ImportFile | undefined): Promise<ReadonlyMap<string, Json>> {
  const prompts = new Map<string, Json>();
  if (file === undefined) return prompts;
  for await (const { path, value } of jsonSlices(file, { take: [["*", "origin_prompt"]] }))
    prompts.set(path[0]!, value);
  return prompts;
}
