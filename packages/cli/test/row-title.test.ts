// The title of a row in a table: its question, found from the rows' own fields.

import type { EvalResults } from "@assay/eval-engine";
import { splitAt, titleField } from "@assay/eval-engine/words";
import { describe, expect, test } from "vitest";
import { resultsTable } from "../src/render/results-table.ts";

describe("the title field", () => {
  test("is the text with the most distinct values, not the category they share", () => {
    const rows = ["a b", "c d", "e f"].map((body) => ({ category: "long words of law", body }));
    expect(titleField(rows)).toEqual(["body"]);
  });

  test("is the question rather than an identifier, a list or the context before it", () => {
    const rows = [1, 2].map((i) => ({
      id: `u${i}`,
      options: ["x", `y${i}`],
      context: `Once upon a time ${i}`,
      ask: { user_question: `What is ${i}?` },
    }));
    expect(titleField(rows)).toEqual(["ask", "user_question"]);
  });

  test("is a text with several words if no field is named like a question", () => {
    expect(titleField([1, 2].map((i) => ({ key: `k${i}`, body: `some words ${i}` })))).toEqual(["body"]);
  });

  test("is absent if rows have only numbers, are references or are unknown", () => {
    expect(titleField([{ n: 1 }, { n: 2 }])).toBeUndefined();
    expect(titleField(["weave:///a/b/object/rows:v0/attr/rows/id/x", null])).toBeUndefined();
  });
});

test("a row is split into its title and the rest, without empty parts", () => {
  expect(splitAt({ a: { q: "why" }, b: 1 }, ["a", "q"])).toEqual(["why", { a: {}, b: 1 }]);
  expect(splitAt({ a: 1 }, ["q"])).toBeUndefined();
  expect(splitAt(["q"], ["0"])).toBeUndefined();
});

test("a table labels each row with its question, then its other fields", () => {
  const row = (digest: string, raw_data_row: EvalResults["rows"][number]["raw_data_row"]) => ({
    row_digest: digest,
    raw_data_row,
    evaluations: ["a", "b"].map((name) => ({ evaluation_call_id: name.repeat(40), trials: [] })),
  });
  const rows = [
    row("d1", { id: 7, category: "law", question: "Who may sue?" }),
    row("d2", { id: 8, category: "law", question: `Who ${"may ".repeat(100)}?` }),
    row("d3", null),
  ];
  const table = resultsTable({ rows, total_rows: 3, summary: null, warnings: [] }, { width: 120 });
  expect(table).toContain("│ Who may sue? (id: 7, category: law) ");
  expect(table).toMatch(/… \(id: 8,[\s│]+category: law\) /);
  expect(table).toContain("│ d3 ");
});
