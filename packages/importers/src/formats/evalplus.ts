// Reads results of EvalPlus and BigCodeBench, `<samples>_eval_results.json`.

import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, textAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { evaluationEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** How results of EvalPlus are told from those of BigCodeBench, by a member of each. */
const DATASETS = { base_status: "evalplus", status: "bigcodebench" } as const;

/** EvalPlus. */
export const evalplus: Importer = {
  name: "evalplus",
  title: "EvalPlus and BigCodeBench results",
  recognises: ({ keys }: FileHead) => datasetOf(keys) !== undefined,
  async *read([file]) {
    const id = fileStem(file!).replace(/_eval_results$/, "");
    const dataset = datasetOf((await fileHead(file!)).keys) ?? DATASETS.base_status;
    yield evaluationEvent({ id, name: id, model: id, dataset });
    for await (const { path, value } of jsonSlices(file!, { take: [["eval", "*", "*"]] })) {
      const [, task] = path;
      const [base, plus, status] = ["base_status", "plus_status", "status"].map((key) => textAt(value, key));
      yield trialEvent({
        evaluation: id,
        row: { task_id: task! },
        rowKey: task,
        repetition: Number(path[2]),
        output: at(value, "solution") ?? null,
        // The harder tests count only if the base tests pass too.
        scores:
          dataset === DATASETS.status
            ? { pass: status === "pass" }
            : {
                base: base === "pass",
                ...(plus !== undefined && { plus: base === "pass" && plus === "pass" }),
              },
      });
    }
  },
};

function datasetOf(keys: FileHead["keys"]): string | undefined {
  const found = [...keys].map((key) => /^eval\..+\.\*\.(base_status|status)$/.exec(key)?.[1]);
  const member = found.find((one) => one !== undefined);
  return member === undefined ? undefined : DATASETS[member as keyof typeof DATASETS];
}
