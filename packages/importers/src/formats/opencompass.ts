// Reads an OpenCompass output folder: `results/<model>/<dataset>.json`, whose details have a judgement for each
// question.

import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, present } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** OpenCompass. */
export const opencompass: Importer = {
  name: "opencompass",
  title: "OpenCompass results",
  recognises: ({ keys }: FileHead) =>
    ["details.*.origin_prediction", "details.*.pred", "*.origin_prompt"].some((key) => keys.has(key)),
  async *read([file]) {
    const { path } = file!;
    if (/(?:^|\/)predictions\//.test(path)) {
      yield { kind: "note", note: `${path}: answers without scores; those in results/ are imported` };
    } else yield* readResults(file!);
  },
};

async function* readResults(file: ImportFile): AsyncGenerator<ImportEvent> {
  // Only the folder names the model, and only the file name the dataset.
  const model = fileName({ ...file, path: folderOf(file) }) || fileStem(file);
  const dataset = fileStem(file);
  const id = `${folderOf(file)}/${dataset}`;
  yield evaluationEvent({ id, name: dataset, model, dataset });
  for await (const { path, value } of jsonSlices(file, { take: [["details", "*"]] })) {
    if (path[1] === "type") continue;
    const key = present({
      prompt: at(value, "prompt"),
      reference: at(value, "references") ?? at(value, "gold"),
    });
    yield trialEvent({
      evaluation: id,
      row: key,
      rowKey: key,
      output: at(value, "origin_prediction") ?? at(value, "pred") ?? null,
      scores: present({ correct: at(value, "correct") }),
      attributes: present({ prediction: at(value, "predictions") }),
    });
  }
}
