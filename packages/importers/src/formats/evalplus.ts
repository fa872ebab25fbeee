// Reads results of EvalPlus, `<samples>_eval_results.json`.

import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** EvalPlus. */
export const evalplus: Importer = {
  name: "evalplus",
  title: "EvalPlus results",
  recognises: ({ keys }: FileHead) => [...keys].some((key) => /^eval\..+\.\*\.base_status$/.test(key)),
  async *read([file]) {
    const id = fileStem(file!).replace(/_eval_results$/, "");
    yield evaluationEvent({ id, name: id, model: id, dataset: "evalplus" });
    for await (const { path, value } of jsonSlices(file!, { take: [["eval", "*", "*"]] })) {
      const [, task] = path;
      const [base, plus] = ["base_status", "plus_status"].map((key) => textAt(value, key));
      yield trialEvent({
        evaluation: id,
        row: { task_id: task! },
        rowKey: task,
        repetition: Number(path[2]),
        output: at(value, "solution") ?? null,
        // The harder tests count only if the base tests pass too.
        scores: {
          base: base === "pass",
          ...(plus !== undefined && { plus: base === "pass" && plus === "pass" }),
        },
      });
    }
  },
};
