// Runs Vitest with the reporter in a process of its own, and checks the data in the built command's server and in a
// data directory.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../../../testing/src/bundled.ts";
import { COMMAND } from "../../../testing/src/spawn.mjs";
import { trial } from "../src/index.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "assay-vitest-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function run(
  program: string,
  args: readonly string[],
): Promise<{ stdout: string; exitCode: number | null }> {
  const child = spawn(program, args, { cwd: root, env: { PATH: process.env["PATH"] ?? "" } });
  let stdout = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
    });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { stdout, exitCode };
}

/** Runs the evaluation with a reporter of these options, and Vitest with additional ones. */
async function evaluated(
  folder: string,
  options: object,
  more: object = {},
): Promise<{ stdout: string; exitCode: number | null }> {
  const config = join(folder, "vitest.config.mjs");
  writeFileSync(
    config,
    `import { assayReporter } from ${JSON.stringify(await bundled(source))};
     export default {
       root: ${JSON.stringify(join(root, "packages/adapters-vitest"))},
       test: {
         include: ["test/evaluations/*.eval.ts"],
         pool: "threads",
         reporters: [assayReporter(${JSON.stringify(options)})],
         ...${JSON.stringify(more)},
       },
     };`,
  );
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return run(process.execPath, [vitest, "run", "--config", config]);
}

test("the trials of a run become an evaluation in a data directory, including errors but not skipped tests", async () => {
  const folder = home();
  const data = join(folder, "data");
  const command = [process.execPath, COMMAND];
  const { stdout, exitCode } = await evaluated(folder, {
    project: "me/capitals",
    name: "gpt-a",
    data,
    command,
  });
  expect(stdout).toContain(`assay: gpt-a: 6 trials to me/capitals (${data})`);
  expect(stdout).toContain('assay: no trial of "has no row": it recorded no row');
  // The reporter does not hide failed tests.
  expect(exitCode).toBe(1);
  const answer = JSON.parse(
    (await run(process.execPath, [COMMAND, "query", "me/capitals", "gpt-a", "--data", data])).stdout,
  );
  expect(answer.total_rows).toBe(4);
  const [summary] = answer.summary.evaluations;
  expect(summary).toMatchObject({ display_name: "gpt-a", trial_count: 6, predict_total_tokens: 14 });
  expect(summary.scorer_stats).toMatchObject([
    { scorer_key: "exact", pass_true_count: 3, pass_known_count: 4 },
  ]);
});

test("trials can go to a file, with an evaluation per test file; an unreachable server fails no tests", async () => {
  const folder = home();
  const file = join(folder, "calls.jsonl");
  await evaluated(folder, { project: "me/capitals", file });
  const calls = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(calls).toHaveLength(7);
  const togo = calls.filter(({ inputs }) => inputs.example?.country === "Togo");
  expect(togo.map(({ exception, output }) => [exception, output.output])).toEqual([
    ["the model was busy", null],
    [null, "Lomé, 2"],
    [null, "Lomé, 3"],
  ]);
  expect(calls.at(-1)).toMatchObject({ display_name: "test/evaluations/capitals.eval.ts", parent_id: null });
  expect(calls.find(({ inputs }) => inputs.example?.country === "Kenya")).toMatchObject({
    exception: "the model broke off",
    output: { scores: {} },
  });
  const { stdout } = await evaluated(folder, { project: "me/capitals", server: "http://127.0.0.1:9" });
  expect(stdout).toContain(
    "assay: the evaluations were not saved: the server at http://127.0.0.1:9 does not answer",
  );
});

test("projects have separate evaluations, and tests that did not run are reported", async () => {
  const folder = home();
  const file = join(folder, "calls.jsonl");
  const projects = ["one", "two"].map((name) => ({ extends: true, test: { name } }));
  const both = await evaluated(folder, { project: "me/capitals", name: "gpt", file }, { projects });
  expect(both.stdout).toContain("assay: gpt (one): 6 trials to");
  expect(both.stdout).toContain("assay: gpt (two): 6 trials to");
  const half = await evaluated(folder, { project: "me/capitals", file }, { shard: "1/1" });
  expect(half.stdout).toContain("assay: shard 1 of 1 has only some trials; for all, see --merge-reports");
  const ran = async (name: string, text: string) => {
    const include = [join(folder, `${name}.eval.ts`)];
    writeFileSync(include[0]!, text);
    const how = { bail: 1, globals: true, include, dir: folder };
    return (await evaluated(folder, { project: "me/capitals", file }, how)).stdout;
  };
  const bails = `test("one", () => { throw new Error("no answer"); }); test("two", () => {});`;
  expect(await ran("bails", bails)).toContain("assay: tests that did not run, whose trials are missing: 1");
  expect(await ran("unloaded", `throw new Error("no dataset");`)).toMatch(
    /assay: .*unloaded.eval.ts failed: trials of its tests may be missing/,
  );
});

const RUNS = `
  import { trial } from ${JSON.stringify(source)};
  const asked = (q, task, output) => {
    trial(task, { row: { q } });
    if (output instanceof Error) throw output;
    if (output !== undefined) trial(task, { output, scores: { exact: true }, model: "large", tokens: 3 });
  };
  const each = (q, ...outputs) => ({ task }) => asked(q, task, outputs.shift());
  test("repeated", { repeats: 1, retry: 1 }, each("repeated", 1, new Error("busy"), 3));
  test("unscored", { retry: 1 }, each("unscored", new AggregateError([new Error("a"), new Error("b")]), undefined));
  let begun = 0;
  test("late", { retry: 2 }, ({ task }) => {
    if (begun++ === 0) throw new Error("no row yet");
    asked("late", task, begun === 2 ? new Error("broke off") : 3);
  });
  describe("no dataset", () => { beforeAll(() => { throw new Error("404"); }); test("a", each("a", 1)); });
  describe("no client", () => { beforeEach(() => { throw new Error("401"); }); test("b", each("b", 1)); });`;

test("each run of a test has its own error, and tests without a trial are reported", async () => {
  const folder = home();
  const [file, include] = [join(folder, "calls.jsonl"), join(folder, "runs.eval.ts")];
  writeFileSync(include, RUNS);
  const how = { globals: true, include: [include], dir: folder };
  const { stdout } = await evaluated(folder, { project: "me/runs", model: "small", file }, how);
  const calls = readFileSync(file, "utf8").trim().split("\n");
  const trials = calls.map((call) => JSON.parse(call)).filter(({ inputs }) => inputs.example !== undefined);
  expect(trials.map(({ inputs, output, exception }) => [inputs.example.q, output.output, exception])).toEqual(
    [
      ["repeated", 1, null],
      ["repeated", null, "busy"],
      ["repeated", 3, null],
      ["unscored", null, "a"],
      ["unscored", null, null],
      ["late", null, "broke off"],
      ["late", 3, null],
    ],
  );
  expect(trials[0].summary.usage).toEqual({ large: { total_tokens: 3 } });
  expect(stdout).toContain("assay: no dataset failed: trials of its tests may be missing");
  expect(stdout).toContain('assay: no trial of "no client > b": it recorded no row');
});

test("scores of one run are added together, and a second row fails its test", () => {
  const meta = {};
  for (const scores of [{ exact: true }, { length: 4 }]) trial({ meta }, { row: { q: 1 }, scores });
  const facts = { row: { q: 1 }, scores: { exact: true, length: 4 } };
  expect(meta).toEqual({ assay: { "0:0": { facts, errorsBefore: 0 } } });
  expect(() => trial({ meta }, { row: { q: 2 } })).toThrow("a test is one trial and has a row already");
});

test("a value that is not JSON fails its test, and is named", () => {
  const row = { q: 1 };
  const fact = (facts: object) => () => trial({ meta: {} }, { row, ...facts });
  expect(fact({ output: { text: Promise.resolve("4") } })).toThrow("the trial's text is a Promise: await it");
  expect(fact({ output: () => "4" })).toThrow("the trial's output is a function, which is not JSON");
  expect(fact({ output: new Map() })).toThrow("the trial's output is of type Map");
  expect(fact({ tokens: 2n ** 60n })).toThrow("the trial's tokens is 1152921504606846976, too large");
  const meta = {};
  const scores = { exact: true };
  trial({ meta }, { row, scores, tokens: 12n as unknown as number });
  scores.exact = false;
  const facts = { row, scores: { exact: true }, tokens: 12 };
  expect(meta).toEqual({ assay: { "0:0": { facts, errorsBefore: 0 } } });
});

test("a misspelt fact fails its test", () => {
  const facts = { row: {}, score: { exact: true } };
  expect(() => trial({ meta: {} }, facts)).toThrow('a trial: unknown "score"; did you mean scores?');
});
