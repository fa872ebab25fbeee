// `assay compare` as a gate in a pipeline: the exit codes and output of the built command, on a directory and through a
// server.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const P = "acme/demo";
const ROWS = 40;
const rights = (right: number): boolean[] => Array.from({ length: ROWS }, (_, row) => row < right);

const home = mkdtempSync(join(tmpdir(), "assay-compare-"));
const [directory, served] = [join(home, "directory"), join(home, "served")];
let server: AssayServer;

beforeAll(async () => {
  // The argument is the number of correct rows out of 40.
  const lines = [
    ...evaluationLines("half", rights(20), 0),
    ...evaluationLines("good", rights(36), 1000),
    ...evaluationLines("close", rights(21), 2000),
  ];
  server = await startAssay(served);
  for (const data of [directory, served]) {
    const calls = await assay(["import", P, "-", "--data", data], { stdin: lines.join("\n") });
    expect(calls).toMatchObject({ exitCode: 0, stderr: "" });
  }
});
afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

const SENTENCES: { readonly [candidate: string]: string } = {
  good: "good is better than half on match.correct: +40.0 points (95% CI ",
  half: "half is worse than good on match.correct: −40.0 points (95% CI ",
  close: "Whether close is better than half on match.correct is inconclusive: +2.5 points (95% CI ",
};

describe.each([
  ["a directory", directory],
  ["a server", served],
])("on %s", (where, data) => {
  // Fewer combinations for a server.
  const gates = where === "a directory" ? ["regressed", "inconclusive", "not_better"] : ["inconclusive"];
  const cases = gates.flatMap((gate) => [
    ["half", "good", gate, 0] as const,
    ["good", "half", gate, 1] as const,
    ["half", "close", gate, gate === "regressed" ? 0 : 1] as const,
  ]);

  test.each(cases)(
    "from %s to %s, --fail-on %s ends with %i",
    async (baseline, candidate, gate, exitCode) => {
      const names = [`run ${baseline}`, candidate];
      const options = ["--measure", "correct", "--format", "table", "--fail-on", gate, "--data", data];
      const ended = await assay(["compare", P, ...names, ...options]);
      expect(ended.exitCode).toBe(exitCode);
      expect(ended.stdout.replaceAll("\n", " ")).toContain(SENTENCES[candidate]);
      expect(ended.stderr).toMatch(
        exitCode === 0 ? /^$/ : new RegExp(`^assay: --fail-on ${gate}: .*, paired\\.`),
      );
    },
  );

  test("an unknown name ends with exit code 2", async () => {
    const ended = await assay(["compare", P, "run god", "close", "--data", data]);
    expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain("did you mean good (run good)?");
  });
});

const many = (name: (n: number) => string): string[] => Array.from({ length: 10_000 }, (_, n) => name(n));

test.each<[string, readonly string[], RegExp]>([
  ["an unknown baseline", ["nobody", "good"], /^assay: acme\/demo has no evaluation "nobody"/],
  ["a single evaluation", ["half"], /^assay: a comparison needs two evaluations/],
  ["a measure that is text", ["half", "good", "--measure", "output"], /^assay: no measure named "output"; /],
  ["a margin below 0", ["half", "good", "--margin", "-0.1"], /^assay: --margin must be 0 or more/],
  [
    "a level of 1",
    ["half", "good", "--level", "1"],
    /^assay: --level must be between 0 and 1, such as 0\.95/,
  ],
  [
    "10,000 measures",
    ["half", "good", "--measure", ...many(() => "correct")],
    /^assay: measures: at most 256 /,
  ],
  [
    "10,000 unknown measures",
    ["half", "good", "--measure", ...many((n) => `m${n}`)],
    /^(assay: no measure named "m\d"; .*\n){10}assay: and 9990 more that do not exist\n$/,
  ],
  [
    "a cluster field that no row has",
    ["half", "good", "--cluster-by", "inputs.nothing"],
    /^assay: no row has a value at inputs\.nothing/,
  ],
  [
    "a cluster field that is not a field of the row",
    ["half", "good", "--cluster-by", "scores.match"],
    /^assay: cluster_by: .*inputs\./,
  ],
  [
    "a slice of a field that no row has",
    ["half", "good", "--slices", "inputs.nothing"],
    /^assay: no row has/,
  ],
  ["an unknown gate", ["half", "good", "--fail-on", "worse"], /Allowed choices are regressed, /],
])("%s ends with 2 and an error message", async (_, args, sentence) => {
  const ended = await assay(["compare", P, ...args, "--data", directory]);
  expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toMatch(sentence);
  expect(ended.stderr.length).toBeLessThan(2000);
});

test.each([[["half", "good"]], [["half", "good", "--slices"]], [["--ranking"]]])(
  "%j gives the same bytes on a directory and through a server",
  async (args) => {
    const [one, other] = await Promise.all(
      [directory, served].map((data) => assay(["compare", P, ...args, "--data", data])),
    );
    expect(one).toMatchObject({ exitCode: 0, stderr: "" });
    expect(one).toEqual(other);
  },
);

test("a file is written completely, in addition to the verdict on standard output", async () => {
  const output = join(home, "report.md");
  const options = ["--format", "markdown", "--output", output, "--data", directory];
  const ended = await assay(["compare", P, "half", "good", ...options]);
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ended.stdout).toMatch(
    /^good is better than half on match\.correct: .*paired\.\nOf 1 other measure: 1 improved/,
  );
  expect(readFileSync(output, "utf8")).toMatch(/^\*\*good is better than half on match\.correct: /);
  expect(readdirSync(home).sort()).toEqual(["directory", "report.md", "served"]);
});
