// The walkthroughs of docs/importing.md, command by command as a reader types them: the built command prints what the
// page says it prints.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay } from "./command.ts";

const page = readFileSync(new URL("../../docs/importing.md", import.meta.url), "utf8");
let home: string;

/** The blocks of the page that are run: a command, and what it prints. */
const commands = [...page.matchAll(/^```sh\nassay (.*)\n```\n\n```text\n([\s\S]*?)^```$/gm)].map(
  ([, command, printed]) => [command!, printed!] as const,
);

const ROWS = [
  ["fr", "What is the capital of France?", "Paris"],
  ["pe", "What is the capital of Peru?", "Lima"],
  ["ke", "What is the capital of Kenya?", "Nairobi"],
] as const;

/** A log of Inspect AI; a grade that is missing is a sample that ended in an error. */
function inspectLog(model: string, answers: readonly (readonly [string, string?])[]): string {
  return JSON.stringify({
    version: 2,
    status: "success",
    eval: {
      task: "capitals",
      model: `lab/${model}`,
      run_id: `run-${model}`,
      created: "2026-11-22T10:33:19+00:00",
      dataset: { name: "capitals" },
    },
    samples: ROWS.map(([id, input, target], i) => {
      const [completion, grade] = answers[i]!;
      const sample = { id, epoch: 1, input, target, working_time: 0.5 };
      return grade === undefined
        ? { ...sample, scores: {}, error: { message: "rate limit exceeded" } }
        : { ...sample, output: { completion }, scores: { match: { value: grade } } };
    }),
  });
}

/** An output item of OpenAI's Evals API. */
function outputItem(model: string, row: number, answer: string, similarity: number): string {
  const [id, question, expected] = ROWS[row]!;
  const passed = answer === expected;
  return JSON.stringify({
    id: `outputitem_${model}_${id}`,
    object: "eval.run.output_item",
    created_at: 1790000000,
    run_id: `evalrun_${model}`,
    eval_id: "eval_capitals",
    status: passed ? "pass" : "fail",
    datasource_item_id: row,
    datasource_item: { id, question, expected },
    results: [
      { name: "exact-8ddb6042", type: "string-check-grader", passed, score: Number(passed) },
      {
        name: "similarity-556aae65",
        type: "text-similarity-grader",
        passed: similarity >= 0.5,
        score: similarity,
      },
    ],
    sample: {
      output: [{ role: "assistant", content: answer }],
      model,
      usage: { total_tokens: 50 },
      error: { code: "", message: "" },
    },
  });
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "assay-importing-"));
  mkdirSync(join(home, "logs"));
  const answers = /^```csv\n([\s\S]*?)^```$/m.exec(page)![1]!;
  writeFileSync(join(home, "answers.csv"), answers);
  const large = inspectLog("large", [
    ["Paris", "C"],
    ["Lima, I think", "P"],
    ["Nairobi", "C"],
  ]);
  writeFileSync(join(home, "logs/large.json"), large);
  writeFileSync(join(home, "logs/small.json"), inspectLog("small", [["Paris", "C"], ["Quito", "I"], [""]]));
  const items = [
    outputItem("small", 0, "Paris", 1),
    outputItem("small", 1, "Lyma", 0.75),
    outputItem("large", 0, "Paris", 1),
    outputItem("large", 1, "Lima", 1),
  ];
  writeFileSync(join(home, "items.jsonl"), items.join("\n"));
});

afterAll(() => rmSync(home, { recursive: true }));

describe("docs/importing.md", () => {
  test("has its walkthroughs", () => expect(commands).toHaveLength(6));

  test.each(commands)("assay %s", async (command, printed) => {
    const args = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain!,
    );
    const { exitCode, stdout, stderr } = await assay(args, { cwd: home });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout.replace(/ in [\d.]+ s;/, " in 0.1 s;")).toBe(printed);
  });
});
