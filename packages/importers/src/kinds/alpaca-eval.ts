// The annotations of AlpacaEval: pairs of answers, and which of the two a judge preferred.

import type { Json } from "@assay/base";
import type { FileHead } from "../file-head.ts";
import { evaluationEvent, type Importer, trialEvent } from "../importer.ts";
import { at, numberAt, present, textAt } from "../json-text.ts";
import { jsonRecords } from "../tables/records.ts";

/** AlpacaEval. */
export const alpacaEval: Importer = {
  name: "alpaca-eval",
  title: "AlpacaEval annotations",
  recognises: ({ keys }: FileHead) =>
    ["", "*."].some((b) => ["instruction", "generator_2", "preference"].every((key) => keys.has(b + key))),
  async *read([file]) {
    const seen = new Set<string>();
    for await (const pair of jsonRecords(file!)) {
      const model = textAt(pair, "generator_2") ?? "model";
      const judge = textAt(pair, "annotator");
      const id = [model, textAt(pair, "generator_1"), judge].filter(Boolean).join(" ");
      if (!seen.has(id)) {
        const attributes = present({ annotator: judge, reference: at(pair, "generator_1") });
        yield evaluationEvent({ id, name: model, model, dataset: "alpaca-eval", attributes });
      }
      seen.add(id);
      const key = present({
        instruction: at(pair, "instruction") ?? null,
        dataset: at(pair, "dataset") ?? undefined,
      });
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
  },
};

/** From 1 (the reference wins) to 2 (the model wins); older annotators write 0 for a draw. */
function winOf(preference: number | undefined): Json {
  if (preference === undefined) return null;
  return preference === 0 ? 0.5 : preference - 1;
}
