import { expect, test } from "vitest";
import type { CountedEvaluation } from "../src/index.ts";
import { defaultPair } from "../src/words/index.ts";

const [V1, V2] = ["a".repeat(20), "b".repeat(20)];
const evaluation = (id: string, dataset: string): CountedEvaluation => ({
  ...{ id, name: id, evaluation_ref: null, model: null, trials: 1, rows: 1 },
  ...{ started_at: null, ended_at: null },
  dataset: `weave:///me/demo/object/${dataset}`,
});

test.each<[string, readonly string[], string]>([
  ["the same reference before the same content", [`math:${V1}`, `code:${V1}`, `math:${V1}`], "0"],
  ["the same content before other content", [`code:${V1}`, `math:${V2}`, `math:${V1}`], "0"],
  ["the latest with the same reference", [`math:${V1}`, `math:${V1}`, `math:${V1}`], "1"],
  ["the latest if none is the same", [`code:${V1}`, `math:${V1}`, `math:${V2}`], "1"],
])("the default baseline is of the newest evaluation's dataset: %s", async (_, datasets, baseline) => {
  const listed = datasets.map((dataset, i) => evaluation(String(i), dataset));
  const pair = await defaultPair(listed, async () => true);
  expect(pair).toMatchObject({ baseline: { id: baseline }, candidate: { id: "2" } });
});
