import type { EvalResults } from "@assay/eval-engine";
import { expect, test } from "vitest";
import { labelsOf } from "../src/render/evaluation-labels.ts";

const labels = (...names: readonly string[]) => {
  const evaluations = names.map((display_name, i) => ({
    evaluation_call_id: String(i),
    display_name,
    model_ref: null,
  }));
  const results = { rows: [], total_rows: 0, summary: { row_count: 0, evaluations } };
  return [...labelsOf(results as unknown as EvalResults).values()];
};

test.each([
  [
    ["capitals small", "capitals large"],
    ["small", "large"],
  ],
  [
    ["small prompt 1", "small prompt 2"],
    ["prompt 1", "prompt 2"],
  ],
  [
    ["small · 1", "small · 2"],
    ["small · 1", "small · 2"],
  ],
  [
    ["2026 1", "2026 2"],
    ["2026 1", "2026 2"],
  ],
])("%j are labelled %j", (names, called) => {
  expect(labels(...names)).toEqual(called);
});
