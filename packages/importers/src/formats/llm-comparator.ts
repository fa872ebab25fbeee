// Reads the comparisons of Google's LLM Comparator: for each example two answers, and a score that is positive if the
// first is better. Each model is an evaluation.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** Scores between this and its negative are ties in the tool's own rates. */
const TIE = 0.25;
const SIDES = ["a", "b"] as const;

/** LLM Comparator. */
export const llmComparator: Importer = {
  name: "llm-comparator",
  title: "LLM Comparator comparisons",
  recognises: ({ keys }: FileHead) =>
    ["models", "examples.*.output_text_a", "examples.*.output_text_b"].every((key) => keys.has(key)),
  async *read([file]) {
    const models: Json[] = [];
    for await (const { value } of jsonSlices(file!, { take: [["models", "*"]] })) models.push(value);
    const dataset = fileStem(file!);
    for (const [i, side] of SIDES.entries()) {
      const name = textAt(models[i], "name") ?? side.toUpperCase();
      const against = textAt(models[1 - i], "name");
      yield evaluationEvent({
        ...{ id: `${dataset} ${side}`, name, model: name, dataset },
        attributes: present({ against }),
      });
    }
    for await (const { value } of jsonSlices(file!, { take: [["examples", "*"]] }))
      for (const side of SIDES) yield exampleTrial(value, side, `${dataset} ${side}`);
  },
};

function exampleTrial(example: Json, side: (typeof SIDES)[number], evaluation: string): ImportEvent {
  const input_text = at(example, "input_text") ?? null;
  const score = numberAt(example, "score");
  const own = score === undefined || side === "a" ? score : -score;
  return trialEvent({
    evaluation,
    row: present({ input_text, tags: listAt(example, "tags") }),
    rowKey: { input_text },
    output: at(example, `output_text_${side}`) ?? null,
    scores: { win: own === undefined ? null : winOf(own), score: own ?? null },
    attributes: present({
      custom_fields: at(example, "custom_fields"),
      ratings: at(example, "individual_rater_scores"),
    }),
  });
}

function winOf(score: number): number {
  return Math.abs(score) <= TIE ? 0.5 : Number(score > 0);
}
