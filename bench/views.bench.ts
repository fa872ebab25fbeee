// How fast are the queries that the page sends at each gesture: changed rows, worst first, groups and histograms over
// the rows that a moving filter keeps? No other tool answers all of them, so there is no comparison; the bound is what
// a user notices.

import { createEvalEngine, memoryRows } from "@assay/eval-engine";
import type { ViewQuestion } from "@assay/eval-engine/internal";
import { interleave } from "./interleave.ts";
import { lineCalls } from "./line-calls.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";

await program(async ({ rows, effort }) => {
  const dataset = synthetic({ rows });
  progress(`opening ${dataset.name}`);
  const engine = createEvalEngine({
    calls: lineCalls(dataset),
    rows: memoryRows(Array.from(dataset.rows())),
    keepBytes: 16 * 2 ** 30,
    pause: () => new Promise((resume) => setImmediate(resume)),
  });
  await engine.open(dataset.project, dataset.evaluations);

  const [baseline, candidate] = dataset.evaluations as readonly [string, string];
  const [score, other] = ["scores.correct", `scores.${dataset.questions.numeric}`] as const;
  /** The filter as a user drags it: a different threshold in each turn. */
  const query = (turn: number) => ({
    evaluation_call_ids: dataset.evaluations,
    filters: [{ query: { $expr: { $gte: [{ $getField: other }, { $literal: (turn % 10) / 50 }] } } }],
    limit: 50,
  });
  const pair = { measure: score, baseline, candidate };
  const by = { field: score, evaluation_call_id: candidate, baseline };
  const questions: readonly (readonly [string, ViewQuestion, (turn: number) => object])[] = [
    ["page, only worse", "page", (turn) => ({ query: query(turn), ...pair, change: "worse" })],
    ["page, worst first", "page", (turn) => ({ query: query(turn), ...pair, order: "worst_first" })],
    [
      "page, against all others",
      "page",
      (turn) => ({ query: query(turn), measure: score, baseline, order: "largest_first" }),
    ],
    [
      "groups by category",
      "groups",
      (turn) => ({ query: query(turn), by: { field: "inputs.category" }, measures: [score], baseline }),
    ],
    [
      "histogram of a score",
      "groups",
      (turn) => ({ query: query(turn), by: { field: other, evaluation_call_id: candidate } }),
    ],
    ["histogram of a difference", "groups", (turn) => ({ query: query(turn), by })],
  ];
  const measurements: Measurement[] = [];
  for (const [workload, question, bodyOf] of questions) {
    progress(`measuring ${workload}`);
    let turn = 0;
    const ask = async (): Promise<void> => {
      const answer = await engine.answerView(question, dataset.project, bodyOf(turn++));
      if (!answer.ok) throw new Error(`${workload}: ${answer.issues[0]?.message}`);
    };
    for (let warm = 0; warm < 10; warm++) await ask();
    const { [ASSAY]: timing } = await interleave({ [ASSAY]: ask }, effort);
    measurements.push({ data: sizeName(rows), workload, contender: ASSAY, unit: "ms", ...timing! });
  }
  return measurements;
});
