// A small evaluation as calls: a model on any number of rows, with one scorer.

import type { CallInput } from "../call/call.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/**
 * The calls of one evaluation, as clients log them: the evaluation itself, then a trial for each row. `correct` has,
 * for each row, whether the model was right; the scorer `match` returns it as `scores.match.correct`.
 */
export function evaluationCalls(id: string, correct: readonly boolean[]): readonly CallInput[] {
  const at = (second: number) => new Date(START + second * 1000).toISOString();
  const shared = { trace_id: id, attributes: {}, summary: {}, display_name: null };
  return [
    {
      ...shared,
      id,
      parent_id: null,
      op_name: "Evaluation.evaluate",
      started_at: at(0),
      ended_at: at(100),
      inputs: {
        self: "weave:///acme/demo/object/units:v0",
        model: `weave:///acme/demo/object/${id}-model:v0`,
      },
      output: null,
    },
    ...correct.map((right, row) => ({
      ...shared,
      id: `${id}-${row}`,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: at(row),
      ended_at: at(row + 1),
      inputs: { example: { question: `question ${row}` } },
      output: {
        output: { answer: row },
        scores: { match: { correct: right } },
        model_latency: { mean: 0.5 },
      },
    })),
  ];
}
