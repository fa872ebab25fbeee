// Fixtures: small evaluations as lines of calls and rows.

const START = Date.parse("2026-01-01T00:00:00Z");
const DATASET = "weave:///acme/demo/object/questions:v0/attr/rows/id";

/** The calls of an evaluation as lines; `correct` has one entry per row: whether the model's answer is correct. */
export function evaluationLines(id: string, correct: readonly boolean[], start = 0): string[] {
  const at = (second: number) => new Date(START + (start + second) * 1000).toISOString();
  const shared = { trace_id: id, attributes: {}, summary: {}, display_name: null };
  const root = {
    ...shared,
    id,
    parent_id: null,
    display_name: `run ${id}`,
    op_name: "Evaluation.evaluate",
    started_at: at(0),
    ended_at: at(100),
    inputs: { self: "weave:///acme/demo/object/e:v0", model: `weave:///acme/demo/object/${id}-model:v0` },
    output: null,
  };
  const trials = correct.map((right, row) => ({
    ...shared,
    id: `${id}-${row}`,
    parent_id: id,
    op_name: "Evaluation.predict_and_score",
    started_at: at(row),
    ended_at: at(row + 1),
    inputs: { example: `${DATASET}/row${row}` },
    output: { output: `answer ${row}`, scores: { match: { correct: right }, closeness: right ? 1 : 0.25 } },
  }));
  return [root, ...trials].map((call) => JSON.stringify(call));
}

/** The dataset rows that the trials refer to, as lines. */
export function rowLines(count: number): string[] {
  return Array.from({ length: count }, (_, row) =>
    JSON.stringify({ digest: `row${row}`, val: { question: `question ${row}` } }),
  );
}
