import type { EvalResults, EvalResultsScorerStats } from "@assay/eval-engine";
import { readRequest } from "@assay/eval-engine/internal";
import { refName } from "@assay/eval-engine/words";
import { describe, expect, test } from "vitest";
import { resultsTable } from "../src/render/results-table.ts";
import { tableOf } from "../src/render/table.ts";
import { plainJson, plainText } from "../src/terminal/plain-text.ts";

const passing = (pass_true_count: number, known: number): EvalResultsScorerStats => ({
  scorer_key: "match",
  path: "correct",
  value_type: "binary",
  trial_count: known,
  numeric_count: 0,
  numeric_mean: null,
  pass_true_count,
  pass_known_count: known,
  pass_rate: pass_true_count / known,
  pass_signal_coverage: 1,
});

/** A summary of evaluations that pass 1, 2, 3 … of ten trials; the first has a trial without a score. */
function summaryOf(names: readonly (string | null)[]): EvalResults {
  return {
    rows: [],
    total_rows: 10,
    warnings: ["one thing"],
    summary: {
      row_count: 10,
      evaluations: names.map((display_name, i) => ({
        evaluation_call_id: `id-${i}`,
        trial_count: i === 0 ? 11 : 10,
        scorer_stats: [passing(i + 1, 10)],
        predict_total_tokens: null,
        evaluation_ref: null,
        model_ref: `weave:///acme/demo/object/model-${i}:v0`,
        display_name,
        trace_id: null,
        started_at: null,
      })),
    },
  };
}

describe("a summary", () => {
  test("of many evaluations lists them below each other, with full names without their common prefix", () => {
    const names = ["Phi", "Llama 2 7B", "Llama 3 8B", "Mixtral", "Qwen"].map((name) => `weekly run ${name}`);
    expect(`\n${resultsTable(summaryOf(names), { width: 60 })}\n`).toMatchInlineSnapshot(`
      "
      10 rows
      Summary of 10 rows
      ┌────────────┬─────────────┬────────┬──────────┐
      │ evaluation │ match       │ trials │ unscored │
      │            │ .correct    │        │          │
      ├────────────┼─────────────┼────────┼──────────┤
      │ Phi        │ 10.0% of 10 │ 11     │ 1        │
      │ Llama 2 7B │ 20.0%       │ 10     │ 0        │
      │ Llama 3 8B │ 30.0%       │ 10     │ 0        │
      │ Mixtral    │ 40.0%       │ 10     │ 0        │
      │ Qwen       │ 50.0%       │ 10     │ 0        │
      └────────────┴─────────────┴────────┴──────────┘
      Note: one thing
      "
    `);
  });

  test("distinguishes evaluations with the same name by model, and those with the same model by id", () => {
    const same = summaryOf(["run", "run"]);
    expect(resultsTable(same, { width: 100 })).toMatch(/│ model-0:v0 +│ model-1:v0/);
    const evaluations = same.summary!.evaluations.map((of) => ({ ...of, model_ref: "m" }));
    const alike = { ...same, summary: { row_count: 10, evaluations } };
    expect(resultsTable(alike, { width: 100 })).toMatch(/│ id-0 +│ id-1/);
  });
});

test("the names of conditions' evaluations are shown even if an answer has no rows", () => {
  const none = { rows: [], total_rows: 0, warnings: [], summary: { row_count: 0, evaluations: [] } };
  const asked = ["run small", "run large"].map((name, i) => ({ id: `id-${i}`, name, model: null }));
  const read = readRequest({
    evaluation_call_ids: ["id-0", "id-1"],
    filters: [
      {
        evaluation_call_id: "id-1",
        query: { $expr: { $gt: [{ $getField: "scores.f1" }, { $literal: 1 }] } },
      },
    ],
  });
  const where = read.ok ? read.value.filters : [];
  expect(resultsTable(none, { width: 60, asked, where })).toBe(
    "0 rows\nWhere large: scores.f1 > 1\nSummary of 0 rows",
  );
});

describe("a table", () => {
  test("fits the terminal's width, and does not cut the column for copying", () => {
    const table = tableOf(["id", "text"], [["0123456789", "x".repeat(500)]], { width: 40, whole: 0 });
    for (const line of table.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(40);
    expect(table).toContain("0123456789");
  });

  test("of short rows keeps the lines of a row together", () => {
    const table = tableOf(
      ["a", "b"],
      [
        [["1", "2"], "x"],
        ["3", "y"],
      ],
      { width: 40, tight: true },
    );
    expect(table.split("\n").slice(3, 6)).toEqual(["│ 1 │ x │", "│ 2 │   │", "│ 3 │ y │"]);
  });
});

test("text from data is on one line and contains no terminal escapes", () => {
  expect(plainText("a\u001b[31mb\u001b]8;;http://evil\u0007c\u0000\r\nd\te\u202ef")).toBe("abc d ef");
  const json = JSON.stringify({ a: "\u009b2J\u007f\u202e é" });
  expect(plainJson(json)).toMatch(/^[^\u007f-\u009f\u202e]*$/);
  expect(JSON.parse(plainJson(json))).toEqual(JSON.parse(json));
});

test("a reference is shown by its name, with a shortened digest version", () => {
  expect(refName("weave:///acme/demo/object/parser:v3")).toBe("parser:v3");
  expect(refName("weave:///acme/demo/object/parser:WML8prABCDEFGH")).toBe("parser:WML8pr");
  expect([refName(null), refName("parser")]).toEqual([null, "parser"]);
});
