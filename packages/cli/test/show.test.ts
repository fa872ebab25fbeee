// Rows with realistic texts: long prompts with the same prefix, long answers that differ at the end, many evaluations;
// and the view of a single row.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay } from "./run-in-process.ts";

const P = "me/texts";
const home = mkdtempSync(join(tmpdir(), "assay-show-"));
const data = join(home, "data");
const run = (args: readonly string[], columns?: number) =>
  assay([...args, "--data", data], columns === undefined ? {} : { columns });

const PREAMBLE = "You are a careful assistant who thinks step by step and answers in one sentence. ".repeat(
  5,
);
const REASONING = "Let us first write down what is known, and then see what follows from it. ".repeat(8);
const MODELS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

beforeAll(async () => {
  const calls = MODELS.flatMap((id, m) => [
    {
      id,
      op_name: "Evaluation.evaluate",
      display_name: id,
      inputs: {},
      started_at: `2026-01-0${m + 1}T00:00:00Z`,
    },
    ...["Peru", "Kenya"].flatMap((country, row) => {
      const trial = `${id}-${row}`;
      const at = `2026-01-0${m + 1}T00:00:0${row}Z`;
      return [
        {
          id: trial,
          parent_id: id,
          op_name: "Evaluation.predict_and_score",
          started_at: at,
          inputs: { example: { prompt: `${PREAMBLE}What is the capital of ${country}?`, n: row } },
          output: {
            output: `${REASONING}So it is ${id}-${country}.\n\nThe end.`,
            scores: { judge: { correct: m % 2 === 0 } },
          },
          attributes: { explanation: `because of ${id}` },
          ...(id === "beta" && { exception: "the model broke off" }),
        },
        {
          id: `${trial}-judge`,
          parent_id: trial,
          op_name: "judge.score",
          started_at: at,
          attributes: { weave: { score: true } },
          inputs: {},
          output: { correct: m % 2 === 0, reason: `I find ${country} convincing` },
        },
      ];
    }),
  ]);
  const file = join(home, "calls.jsonl");
  writeFileSync(file, calls.map((call) => JSON.stringify(call)).join("\n"));
  expect((await run(["import", P, file])).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

/** The words of a table, without its borders. */
const words = (table: string) => table.replaceAll(/[│─┌┐└┘├┤┬┴┼\s]+/g, " ");

describe("a table of rows", () => {
  test.each([2, 6])(
    "of %i evaluations fits in 80 columns and shows how rows and answers differ",
    async (count) => {
      const { stdout } = await run(["query", P, ...MODELS.slice(0, count)], 80);
      for (const line of stdout.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(80);
      for (const country of ["Peru", "Kenya"]) {
        expect(words(stdout)).toContain(`What is the capital of ${country}? (n:`);
        for (const model of MODELS.slice(0, count))
          expect(stdout.replaceAll(/[\s│]/g, "")).toMatch(count === 6 ? `itis${model}-${country}.` : model);
      }
      expect(stdout).not.toContain("do not fit");
    },
  );

  test("wraps wide characters where the terminal does", async () => {
    const calls = MODELS.slice(0, 2).flatMap((id) => [
      { id: `${id}-cjk`, op_name: "Evaluation.evaluate", inputs: {} },
      {
        id: `${id}-cjk-0`,
        parent_id: `${id}-cjk`,
        op_name: "Evaluation.predict_and_score",
        inputs: { example: { question: "首都はどこですか" } },
        output: { output: `${"東京".repeat(30)}${id}`, scores: {} },
      },
    ]);
    const file = join(home, "cjk.jsonl");
    writeFileSync(file, calls.map((call) => JSON.stringify(call)).join("\n"));
    await run(["import", "me/cjk", file]);
    const { stdout } = await run(["query", "me/cjk"], 60);
    expect(stdout.match(/東|京/g)).toHaveLength(120);
  });
});

describe("show", () => {
  test("shows the whole row, and outputs, scores, reasons and errors side by side", async () => {
    const { exitCode, stdout } = await run(["show", P, "inputs.n = 1", "alpha", "beta"], 80);
    expect(exitCode).toBe(0);
    const said = words(stdout);
    expect(said).toContain(`${PREAMBLE}What is the capital of Kenya? n: 1`);
    expect(said).toMatch(/correct ✓ ✗/);
    expect(said).toMatch(/error — the model broke off/);
    expect(said).toContain("explanation because of alpha because of beta");
    expect(said.match(/judge: reason|convincing|judge: correct/g)).toEqual([
      "judge: reason",
      "convincing",
      "convincing",
    ]);
    for (const model of ["alpha", "beta"])
      expect(stdout.replaceAll(/[\s│]/g, "")).toContain(`${model}-Kenya.`);
    for (const line of stdout.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(80);
  });

  test("accepts the value of a field, or names the rows that have it", async () => {
    const whole = await run(["show", P, "inputs.n = 0"]);
    expect(await run(["show", P, "0"])).toEqual(whole);
    const answers = join(home, "tasks.csv");
    writeFileSync(answers, "id,topic,correct\nHumanEval/1,lists,yes\nHumanEval/12,lists,no\n");
    expect(JSON.parse((await run(["show", answers, "HumanEval/1"])).stdout).raw_data_row).toEqual({
      id: "HumanEval/1",
      topic: "lists",
    });
    expect((await run(["show", answers, "lists"])).stderr).toContain('2 rows match "lists"; choose one:');
  });

  test("accepts a digest, or a prefix of one, and prints JSON in a pipe", async () => {
    const whole = JSON.parse((await run(["show", P, "inputs.n = 0"])).stdout);
    expect(whole.evaluations).toHaveLength(3);
    const part = await run(["show", P, whole.row_digest.slice(0, 6)]);
    expect(JSON.parse(part.stdout)).toEqual(whole);
    expect(part.stderr).toBe("3 earlier evaluations also have this row: name them to see them\n");
    expect(JSON.parse((await run(["show", P, whole.row_digest, ...MODELS])).stdout).evaluations).toHaveLength(
      6,
    );
  });

  test.each([
    ["nothing", "nothing-begins-so", 'no row of me/texts matches "nothing-begins-so"'],
    ["several rows", "inputs.n >= 0", '2 rows match "inputs.n >= 0"; choose one:\n  '],
    ["an unknown field", "inputs.m = 0", "did you mean inputs.n?\n  inputs.m = 0\n  ^"],
  ])("of %s ends with 2 and an explanation", async (_, row, message) => {
    const { exitCode, stdout, stderr } = await run(["show", P, row]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});
