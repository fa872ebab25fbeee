// Reads results of MTEB: a file for each task, with the means of its splits and subsets, and the model in
// `model_meta.json`. A task is a row, as in the tool's leaderboards.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileName, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonDocument } from "../json/json-slices.ts";
import { at, type JsonObject, membersAt, textAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const MAIN = "main_score";

/** MTEB. */
export const mteb: Importer = {
  name: "mteb",
  title: "MTEB results",
  recognises: ({ fileType, keys }: FileHead) => fileType === "json" && (isTask(keys) || isModel(keys)),
  units: (files) => [...groupBy(files, folderOf).values()],
  async *read(files, { scores: asked }) {
    const tasks: ImportFile[] = [];
    let model: string | undefined;
    for (const file of files) {
      if (isModel((await fileHead(file)).keys)) model = textAt(await jsonDocument(file), "name");
      else tasks.push(file);
    }
    const [first] = files as readonly [ImportFile];
    if (tasks.length === 0) {
      yield { kind: "note", note: `${first.path}: only describes the model; pass the results beside it` };
      return;
    }
    // Results are in `<model>/<revision>`, with `__` for a slash.
    const folder = folderOf(first).split("/").at(-2)?.replace("__", "/");
    const id = folderOf(first);
    const name = model ?? folder ?? fileName(first);
    yield evaluationEvent({ id, name, model: name, dataset: "mteb" }, new Map([[MAIN, "higher"]]));
    for (const file of tasks) yield* taskTrials(await jsonDocument(file), id, asked !== undefined);
    if (asked === undefined)
      yield {
        kind: "note",
        note: `${id}: of each task only ${MAIN}; --score ${MAIN},accuracy reads others too`,
      };
  },
};

function isTask(keys: ReadonlySet<string>): boolean {
  return keys.has("mteb_version") && keys.has("task_name") && keys.has("scores");
}

function isModel(keys: ReadonlySet<string>): boolean {
  return ["name", "revision", "n_parameters", "embed_dim"].every((key) => keys.has(key));
}

/** A trial for each split and subset of a task. */
function* taskTrials(document: Json, evaluation: string, areAllAsked: boolean): Generator<ImportEvent> {
  for (const [split, subsets] of membersAt(document, "scores"))
    for (const subset of Array.isArray(subsets) ? (subsets as readonly Json[]) : []) {
      const row = {
        task: at(document, "task_name") ?? null,
        split,
        subset: at(subset, "hf_subset") ?? null,
      };
      const numbers = membersAt(subset).filter(([, value]) => typeof value === "number" || value === null);
      const scores: JsonObject = Object.fromEntries(numbers.filter(([name]) => areAllAsked || name === MAIN));
      yield trialEvent({ evaluation, row, rowKey: row, output: null, scores });
    }
}
