// What the types promise to a program that has its evaluations as objects. Checked only by the compiler.

import { evaluation, fromTable, type LoadedEvaluations, memoryCalls } from "@assay/eval-engine";
import type { NotedResults } from "@assay/eval-engine/internal";
import { expectTypeOf } from "vitest";

interface Answer {
  readonly model: string;
  readonly question: string;
  readonly answer: string;
  readonly correct: boolean;
}
const table: readonly Answer[] = [];

// Only columns of the table are accepted.
const loaded = fromTable(table, {
  evaluation: "model",
  row: "question",
  output: "answer",
  scores: ["correct"],
});
expectTypeOf(loaded).toEqualTypeOf<LoadedEvaluations>();
expectTypeOf(loaded.query({ sort: "Δcorrect", limit: 5 })).resolves.toEqualTypeOf<NotedResults>();
fromTable(table, { evaluation: "model", row: ["question", "answer"], scores: [] });
// @ts-expect-error a column that the table has not
fromTable(table, { evaluation: "model", row: "questoin", scores: ["correct"] });
// @ts-expect-error nor among the scores
fromTable(table, { evaluation: "model", row: "question", scores: ["corect"] });
// @ts-expect-error what a column is, only these can be
fromTable(table, { evaluation: "model", row: "question", scores: [], ouput: "answer" });
// @ts-expect-error without scores nothing can be compared
fromTable(table, { evaluation: "model", row: "question" });

// A trial has the row and score types declared for its evaluation.
const log = evaluation<{ question: string }, { correct: boolean }>({ name: "a", model: "m" });
log.trial({ row: { question: "2+2?" }, output: "4", scores: { correct: true }, latency: 0.2, tokens: 12 });
// @ts-expect-error another row
log.trial({ row: { prompt: "2+2?" } });
// @ts-expect-error a score of another type
log.trial({ row: { question: "2+2?" }, scores: { correct: "yes" } });
// @ts-expect-error a name is needed
evaluation({ model: "m" });

memoryCalls([{ id: "a", parent_id: null, inputs: { any: ["thing"] } }]);
// @ts-expect-error a call has an id
memoryCalls([{ op_name: "predict" }]);
// @ts-expect-error and no keys but its own
memoryCalls([{ id: "a", parent: null }]);
