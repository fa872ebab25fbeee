// The gate of `assay compare` as a pipeline runs it: the built command in a process of its own,
// and what it says and writes.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { evaluationLines } from "../../packages/cli/test/calls.ts";
import { assay } from "./command.ts";

const P = "acme/demo";
const ROWS = 40;
const rights = (right: number): boolean[] => Array.from({ length: ROWS }, (_, row) => row < right);

const home = mkdtempSync(join(tmpdir(), "assay-compare-"));
const directory = join(home, "directory");

beforeAll(async () => {
  // By what they get right of 40.
  const lines = [
    ...evaluationLines("half", rights(20), 0),
    ...evaluationLines("good", rights(36), 1000),
    ...evaluationLines("close", rights(21), 2000),
  ];
  const calls = await assay(["import", P, "-", "--data", directory], { stdin: lines.join("\n") });
  expect(calls).toMatchObject({ exitCode: 0, stderr: "" });
}, 60_000);
afterAll(async () => {
  rmSync(home, { recursive: true });
});

const SENTENCES: { readonly [candidate: string]: string } = {
  good: "good is better than half on match.correct: +40.0 points (95 %: ",
  half: "half is worse than good on match.correct: −40.0 points (95 %: ",
  close: "Whether close is better than half on match.correct is not settled: +2.5 points (95 %: ",
};

const cases = ["regressed", "inconclusive", "not_better"].flatMap((gate) => [
  ["half", "good", gate, 0] as const,
  ["good", "half", gate, 1] as const,
  ["half", "close", gate, gate === "regressed" ? 0 : 1] as const,
]);

test.each(cases)("from %s to %s, --fail-on %s ends with %i", async (baseline, candidate, gate, exitCode) => {
  const names = [`run ${baseline}`, candidate];
  const options = ["--measure", "correct", "--format", "table", "--fail-on", gate, "--data", directory];
  const ended = await assay(["compare", P, ...names, ...options]);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout.replaceAll("\n", " ")).toContain(SENTENCES[candidate]);
  expect(ended.stderr).toMatch(
    exitCode === 0 ? /^$/ : new RegExp(`^assay: --fail-on ${gate}: .*, paired\\.`),
  );
});

test("a name that nothing has ends with 2", async () => {
  const ended = await assay(["compare", P, "run god", "close", "--data", directory]);
  expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain("did you mean good (run good)?");
});
test("a file is written whole, beside the verdict on the standard output", async () => {
  const output = join(home, "report.md");
  const options = ["--format", "markdown", "--output", output, "--data", directory];
  const ended = await assay(["compare", P, "half", "good", ...options]);
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ended.stdout).toMatch(
    /^good is better than half on match\.correct: .*paired\.\nOf 1 other measure: 1 improved/,
  );
  expect(readFileSync(output, "utf8")).toMatch(/^\*\*good is better than half on match\.correct: /);
  expect(readdirSync(home).sort()).toEqual(["directory", "report.md"]);
});
