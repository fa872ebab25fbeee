// docs/reference/query-text.md: runs every condition of its cookbook on data, and its commands.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assay } from "./run-in-process.ts";

const page = readFileSync(new URL("../../../docs/reference/query-text.md", import.meta.url), "utf8");
const home = mkdtempSync(join(tmpdir(), "assay-cookbook-"));
const data = ["--data", join(home, "data")];

const cookbook = /## Cookbook([\s\S]*?)\n## /.exec(page)![1]!;
/** The conditions of the cookbook, in order. */
const conditions = cookbook
  .split("\n")
  .filter((line) => /^\| [^R-]/.test(line))
  .flatMap((line) => [...line.split("|")[2]!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!));

/** The rows of `ROWS` that each condition keeps, by number. */
const KEPT = [
  "1",
  "12",
  "3",
  "1",
  "2",
  "23",
  "12",
  "2",
  "3",
  "12",
  "1",
  "2",
  "3",
  "1",
  "1",
  "1",
  "2",
  "12",
  "",
];

const ROWS = [
  {
    inputs: {
      n: 1,
      category: "math",
      level: 3,
      "grade level": 3,
      choices: ["no"],
      year: "1995",
      expected: "Paris",
    },
    output: "Paris",
    scores: { correct: true, quality: 0.1 },
  },
  {
    inputs: {
      n: 2,
      category: "law",
      level: 1,
      "grade level": 4,
      choices: ["yes"],
      year: 2001,
      expected: "Yes",
    },
    output: "I don't know",
    scores: { correct: false, quality: 0.3 },
  },
  {
    inputs: { n: 3, category: "books", level: 1, "grade level": 5, choices: [], year: "?", expected: "Emma" },
    output: null,
    scores: {},
  },
];

beforeAll(async () => {
  const lines = ["gpt-a", "gpt-b"].flatMap((id) => [
    { id, op_name: "Evaluation.evaluate", display_name: id, inputs: {}, started_at: "2026-01-01T00:00:00Z" },
    ...ROWS.map(({ inputs, output, scores }, i) => ({
      id: `${id}-${i}`,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: "2026-01-01T00:00:00Z",
      inputs: { example: inputs },
      output: { output, scores: id === "gpt-b" ? { ...scores, correct: false } : scores },
    })),
  ]);
  const file = join(home, "calls.jsonl");
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect((await assay(["import", "me/arith", file, ...data])).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

/** The numbers of the rows that a query keeps, in order. */
async function numbers(args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await assay(["query", "me/arith", ...args, ...data]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { rows } = JSON.parse(stdout) as { rows: { raw_data_row: { n: number } }[] };
  return rows
    .map(({ raw_data_row }) => raw_data_row.n)
    .sort()
    .join("");
}

test("the cookbook's conditions select the documented rows", async () => {
  const kept = [];
  for (const text of conditions) kept.push([text, await numbers(["gpt-a", "--where", text])]);
  expect(kept).toEqual(conditions.map((text, i) => [text, KEPT[i]]));
});

test("the page's commands run", async () => {
  const commands = [...page.matchAll(/^assay query me\/arith (.*)$/gm)].map(([, rest]) =>
    [...rest!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!),
  );
  const kept = [];
  for (const args of commands) kept.push(await numbers(args));
  expect(kept).toEqual(["1", "1"]);
});
