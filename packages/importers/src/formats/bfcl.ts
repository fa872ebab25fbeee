// Reads results of the Berkeley Function Calling Leaderboard: `result/<model>/…/<category>_result.json` with all answers,
// and `score/<model>/…/<category>_score.json`, which has only the wrong ones.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileName, fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonLines } from "../json/json-lines.ts";
import { at, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead, hasKeys } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

const CATEGORY = /^BFCL_v\d+_(.+)_(?:result|score)$/;

/** The Berkeley Function Calling Leaderboard. */
export const bfcl: Importer = {
  name: "bfcl",
  title: "BFCL results and scores",
  recognises: ({ keys }: FileHead) => isScores(keys) || isResults(keys),
  units: (files) => [...groupBy(files, categoryOf).values()],
  async *read(files) {
    const [scores, results]: [ImportFile[], ImportFile[]] = [[], []];
    for (const file of files) (isScores((await fileHead(file)).keys) ? scores : results).push(file);
    if (scores.length === 1 && results.length === 1) yield* readCategory(results[0]!, scores[0]!);
    else {
      const missing =
        scores.length === 0
          ? "no score; pass the folder score too"
          : "only the wrong answers; pass the folder result too";
      yield { kind: "note", note: `${files[0]!.path}: ${missing}` };
    }
  },
};

function isScores(keys: ReadonlySet<string>): boolean {
  return hasKeys(keys, "accuracy", "correct_count", "total_count");
}

function isResults(keys: ReadonlySet<string>): boolean {
  const hasAll = ["id", "result", "input_token_count", "output_token_count", "latency"].every((key) =>
    keys.has(key),
  );
  return hasAll && !["model", "prompt", "question", "correct", "score"].some((key) => keys.has(key));
}

/** The folder of the model and the category, without whether it is of results or scores. */
function categoryOf(file: ImportFile): string {
  const folder = folderOf(file).replace(/(^|\/)(?:result|score)(?=\/|$)/, "$1");
  return `${folder} ${CATEGORY.exec(fileStem(file))?.[1] ?? fileName(file)}`;
}

async function* readCategory(results: ImportFile, scores: ImportFile): AsyncGenerator<ImportEvent> {
  const category = CATEGORY.exec(fileStem(results))?.[1] ?? fileStem(results);
  const wrong = new Map<string, Json>();
  let head: Json = null;
  for await (const record of jsonLines(scores)) {
    const id = textAt(record, "id");
    if (id === undefined) head = record;
    else wrong.set(id, record);
  }
  const [, folder] = /(?:^|\/)result\/([^/]+)/.exec(folderOf(results)) ?? [];
  const [first] = wrong.values();
  const model = textAt(first, "model_name") ?? folder;
  yield evaluationEvent({ id: categoryOf(results), name: category, model, dataset: category });
  let count = 0;
  for await (const record of jsonLines(results)) {
    count++;
    const id = textAt(record, "id") ?? "";
    const mistake = wrong.get(id);
    const tokens = ["input", "output"].flatMap((side) => numberAt(record, `${side}_token_count`) ?? []);
    const isFailed = at(record, "traceback") !== undefined;
    yield trialEvent({
      evaluation: categoryOf(results),
      row: { id },
      rowKey: id,
      output: isFailed ? null : (at(record, "result") ?? null),
      scores: { correct: mistake === undefined },
      error: isFailed ? errorText(at(record, "result")) : undefined,
      latencySeconds: numberAt(record, "latency"),
      totalTokens: totalOf(tokens),
      attributes: present({ mistake: at(mistake, "error"), error_type: at(mistake, "error_type") }),
    });
  }
  const total = numberAt(head, "total_count");
  if (total !== count)
    yield {
      kind: "note",
      note: `${scores.path}: scores of ${total} answers, but ${count} are in ${results.path}`,
    };
}
