// An answer in pieces is the answer, whatever its size.

import { expect, test } from "vitest";
import type { EvalResults, EvalResultsRow } from "../src/index.ts";
import { resultsText } from "../src/logged/results-text.ts";

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

test.each([
  [0, 1, 1],
  [1, 1, 1],
  [511, 1, 1],
  [512, 1, 2],
  [513, 1, 2],
  [10, 600, 11],
])("%i rows of %i trials come in %i pieces", (rows, trials, count) => {
  const answer = answerOf(rows, trials);
  const pieces = [...resultsText(answer)];
  expect(pieces.join("")).toBe(JSON.stringify(answer));
  expect(pieces).toHaveLength(count);
});
