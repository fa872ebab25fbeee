// Runs every command in a separate process: it exits with the same code and output as in the shared process that other
// tests use.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay, assayProcess } from "@assay/testing/command";
import { afterAll, beforeAll, expect, test } from "vitest";

const P = "acme/demo";
const home = mkdtempSync(join(tmpdir(), "assay-every-"));
const [template, saved] = [join(home, "template"), join(home, "backup")];
const stdin = [...evaluationLines("one", [true, false]), ...evaluationLines("two", [true, true], 1000)].join(
  "\n",
);

beforeAll(async () => {
  expect((await assay(["import", P, "-", "--data", join(template, ".assay")], { stdin })).exitCode).toBe(0);
  const where = ["--data", join(template, ".assay")];
  expect((await assay(["backup", saved, ...where])).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Each command with its arguments and expected exit code. */
const RUNS: Readonly<Record<string, readonly [args: readonly string[], exitCode: number]>> = {
  import: [[P, "-"], 0],
  query: [[P], 0],
  show: [[P, 'inputs.id = "nobody"'], 2],
  compare: [[P], 0],
  evaluations: [[P], 0],
  scores: [[P], 0],
  projects: [[], 0],
  export: [[P], 0],
  watch: [[P, "one"], 0],
  delete: [[P, "one", "--yes"], 0],
  doctor: [[], 0],
  backup: [["copy"], 0],
  restore: [[saved, "--data", "restored"], 0],
  clickhouse: [["migrate", "--store", "clickhouse://127.0.0.1:1/none"], 1],
  train: [["sft", "demo/facts", "absent.jsonl"], 1],
  jobs: [["list"], 1],
  models: [["list"], 1],
  keys: [["list"], 0],
  usage: [[], 0],
  chat: [["absent/model"], 0],
  mcp: [[], 0],
  config: [[], 0],
  help: [["query"], 0],
};
/** These run until they are stopped; the tests of signals start them. */
const SERVICES = ["serve", "demo", "worker"];

test("every command is covered, except servers", async () => {
  const { stdout } = await assay(["--help"]);
  const [, listed = ""] = /^Evaluations:\n([\s\S]*?)\n\nExit codes:/m.exec(stdout) ?? [];
  const commands = Array.from(listed.matchAll(/^ {2}(\w+)/gm), ([, name]) => name!);
  expect(commands.sort()).toEqual([...Object.keys(RUNS), ...SERVICES].sort());
});

test.each(Object.entries(RUNS))("%s", async (name, [args, exitCode]) => {
  const [alone, among] = await Promise.all(
    [assayProcess, assay].map(async (run, i) => {
      const cwd = join(home, String(i), name);
      cpSync(template, cwd, { recursive: true });
      const ended = await run([name, ...args], { cwd, ...(name === "import" && { stdin }) });
      // Times and sizes vary between runs.
      const steady = (text: string) => text.replaceAll(/\d[\d.,:TZ-]*/g, "0");
      return { exitCode: ended.exitCode, stdout: steady(ended.stdout), stderr: steady(ended.stderr) };
    }),
  );
  expect(alone).toEqual(among);
  expect(alone).toMatchObject({ exitCode });
});
