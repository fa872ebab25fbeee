// LangSmith's table of an experiment in the notations that pandas writes.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const ROWS = [1, 2].map((i) => ({
  ...{ "inputs.q": `Q${i}`, "outputs.answer": "a", error: null, "reference.a": "a" },
  ...{
    "feedback.exact": i === 1,
    execution_time: 0.5,
    example_id: `e${i}`,
    id: `run-${i}`,
    "outputs.x": null,
  },
}));
const NAMES = Object.keys(ROWS[0]!) as (keyof (typeof ROWS)[number])[];

test("the table has the same rows in CSV and JSON, although ids of runs differ", async () => {
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => cell ?? "").join(",")}\n`;
  const csv = [NAMES, ...ROWS.map((row) => Object.values(row))]
    .map(line)
    .join("")
    .replaceAll("run-", "other-");
  const columns = NAMES.map(
    (name) => [name, Object.fromEntries(ROWS.map((row, i) => [i, row[name]]))] as const,
  );
  const { plan, engine } = await imported([
    textFile("a.csv", csv),
    textFile("b.json", JSON.stringify(ROWS)),
    textFile("c.jsonl", ROWS.map((row) => `${JSON.stringify(row)}\n`).join("")),
    textFile("d.json", JSON.stringify(Object.fromEntries(columns))),
  ]);
  expect(plan.evaluations.map(({ kind, scores }) => [kind, scores[0]?.mean])).toEqual(
    Array.from({ length: 4 }, () => ["langsmith", 0.5]),
  );
  const ids = plan.evaluations.map(({ id }) => id);
  const { rows } = await engine.query("me/demo", { evaluation_call_ids: ids, require_intersection: true });
  expect(rows).toHaveLength(2);
});
