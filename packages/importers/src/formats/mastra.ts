// Reads the items that Mastra's `runEvals` passes to `onItemComplete`: an item of the dataset, the target's result, and
// the results of scorers.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { at, isObject, type JsonObject, membersAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { jsonRecords } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** Mastra. */
export const mastra: Importer = {
  name: "mastra",
  title: "Mastra results (JSON, JSON lines)",
  recognises: ({ keys }: FileHead) =>
    ["", "*."].some((base) => keys.has(`${base}targetResult`) && keys.has(`${base}scorerResults`)),
  async *read([file]) {
    const id = fileStem(file!);
    let isFirst = true;
    for await (const record of jsonRecords(file!)) {
      if (isFirst) {
        const model = textAt(record, "targetResult", "response", "modelId");
        yield evaluationEvent({ id, name: id, model, dataset: "mastra" });
      }
      isFirst = false;
      yield trialOf(record, id);
    }
  },
};

function trialOf(record: JsonObject, evaluation: string): ImportEvent {
  const [item, target] = [at(record, "item"), at(record, "targetResult")];
  const usage = at(target, "totalUsage") ?? at(target, "usage");
  const results = at(record, "scorerResults") ?? null;
  return trialEvent({
    evaluation,
    row: present({
      input: at(item, "input") ?? at(item, "inputs") ?? at(item, "turns"),
      expected: at(item, "groundTruth"),
    }),
    // Of agents, and of workflows.
    output: at(target, "object") ?? at(target, "text") ?? at(target, "result") ?? null,
    scores: eachResult(results, (result) => at(result, "score") ?? null),
    totalTokens: numberAt(usage, "totalTokens"),
    attributes: { scorers: eachResult(results, (result) => present({ reason: at(result, "reason") })) },
  });
}

/** Applies a function to each scorer's result, also to those of an agent, of a workflow, and of its steps. */
function eachResult(results: Json, read: (result: JsonObject) => Json): JsonObject {
  return Object.fromEntries(
    membersAt(results).flatMap(([name, value]) => {
      if (!isObject(value)) return [];
      const isResult = ["score", "notScorable", "runId"].some((key) => Object.hasOwn(value, key));
      return [[name, isResult ? read(value) : eachResult(value, read)]];
    }),
  );
}
