// The pieces of an answer join to the whole answer, whatever its size.

import { expect, test } from "vitest";
import { resultsText } from "../src/in-memory/results-text.ts";
import type { EvalResults, EvalResultsRow } from "../src/index.ts";

const trial = {
  predict_and_score_call_id: "p",
  predict_call_id: null,
  model_output: { text: '"rows":[], or "a\\b"' },
  scores: { s: 1 },
  model_latency_seconds: 0.5,
  total_tokens: null,
  scorer_call_ids: {},
  genai_span_ref: null,
};

function answerOf(rows: number, trials: number): EvalResults {
  const row = (i: number): EvalResultsRow => ({
    row_digest: `d${i}`,
    raw_data_row: null,
    evaluations: [{ evaluation_call_id: "e", trials: Array.from({ length: trials }, () => trial) }],
  });
  return {
    rows: Array.from({ length: rows }, (_, i) => row(i)),
    total_rows: rows,
    summary: null,
    warnings: ["w"],
  };
}

/** The size, in characters, at which a piece ends. */
const PIECE = 64 * 1024;

test.each([
  [0, 1],
  [1, 1],
  [511, 1],
  [3000, 1],
  [10, 600],
])("%i rows of %i trials come in pieces that end once they are full", (rows, trials) => {
  const answer = answerOf(rows, trials);
  const pieces = [...resultsText(answer)];
  expect(pieces.join("")).toBe(JSON.stringify(answer));
  const longest = Math.max(0, ...answer.rows.map((row) => JSON.stringify(row).length));
  for (const { length } of pieces.slice(0, -1)) {
    expect(length).toBeGreaterThanOrEqual(PIECE);
    expect(length).toBeLessThanOrEqual(PIECE + longest + 1);
  }
  expect(pieces.length).toBeLessThanOrEqual(1 + JSON.stringify(answer).length / PIECE);
});
