// `assay compare` in this process, from its arguments to its output: names, options, and refusals.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay, folder } from "../run-in-process.ts";

const P = "acme/demo";
const ROWS = 40;
const rights = (right: number): boolean[] => Array.from({ length: ROWS }, (_, row) => row < right);

const home = mkdtempSync(join(tmpdir(), "assay-compare-"));
const data = join(home, "data");
const compare = (...args: string[]) => assay(["compare", P, ...args, "--data", data]);

beforeAll(async () => {
  const lines = [
    ...evaluationLines("half", rights(20), 0),
    ...evaluationLines("good", rights(36), 1000),
    ...evaluationLines("close", rights(21), 2000),
    ...evaluationLines("twin", rights(30), 3000).map((line) => line.replace("run twin", "run half")),
  ];
  const stdin = [...lines, ""].join("\n");
  expect((await assay(["import", P, "-", "--data", data], { stdin })).exitCode).toBe(0);
  const rows = rowLines(ROWS).join("\n");
  expect((await assay(["import", P, "--rows", "-", "--data", data], { stdin: rows })).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

describe("compare", () => {
  test.each([
    [["run good", "nobody"], 'has no evaluation "nobody"'],
    [["run god", "close"], "did you mean good (run good)?"],
    [["run half", "close"], '"run half" is the name of 2 evaluations; use an id: twin ('],
    [["half", "half"], '"half" is named twice'],
    [["half"], "a comparison needs two evaluations"],
    [["half", "good", "--measure", "corect"], 'no measure named "corect"; did you mean match.correct?'],
    [
      ["half", "good", "--where", "law"],
      'unknown field "law"; the fields are scores.law, outputs, outputs.law',
    ],
    [
      ["half", "good", "--where", '{"$eq": [{"$getField": "inputs.x"}, {"$literal": 1}]}'],
      "no row has a value at inputs.x",
    ],
    [["half", "good", "--where", '{"$near": []}'], "$near"],
    [["half", "good", "--cluster-by", "inputs.qestion"], "did you mean inputs.question?"],
    [["half", "good", "--cluster-by", "scores.match"], "cluster_by"],
    [["half", "good", "--margin", "-1"], "--margin must be 0 or more\n"],
    [["half", "good", "--margin", "much"], '"much" is not a number'],
    [["half", "good", "--level", "95"], "--level must be between 0 and 1, such as 0.95\n"],
    [["half", "good", "--reduce", "best"], "reduce"],
    [["half", "good", "--slices", "--ranking"], "cannot be combined"],
    [["half", "good", "close", "--slices"], "--slices compares one pair"],
    [["half", "good", "--slices", "--anytime"], "--anytime cannot be combined with --slices"],
    [["half", "good", "--ranking", "--no-anytime"], "--no-anytime cannot be combined with --ranking"],
    [["half", "good", "--depth", "2"], "--depth cannot be combined with a comparison without --slices"],
    [["--ranking", "--measure", "correct", "closeness"], "--ranking takes one measure"],
    [["--ranking", "--fail-on", "regressed"], "a ranking has no verdict"],
    [["--fail-on", "worse"], "Allowed choices are regressed, inconclusive, not_better"],
  ])("%j ends with 2 and suggests the right usage", async (args, words) => {
    const ended = await compare(...args);
    expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toMatch(/^assay: /);
    expect(ended.stderr).toContain(words);
  });

  test("without names compares the newest evaluation with the one before it that shares rows", async () => {
    const { stdout, stderr } = await compare();
    expect(JSON.parse(stdout)).toMatchObject({ baseline: "close", comparisons: [{ candidate: "twin" }] });
    const chose =
      /compared run half, the newest of 4 evaluations, with run close, the latest earlier one that shares rows with it;/;
    expect(stderr).toMatch(chose);
    expect((await compare("--format", "table")).stdout.replaceAll("\n", " ")).toMatch(chose);
    expect((await compare("close", "twin", "--format", "table")).stdout).not.toMatch(/the newest/);
  });

  test("of a single evaluation, or of an empty project, reports that", async () => {
    const one = join(folder(), "data");
    const stdin = evaluationLines("only", rights(3)).join("\n");
    mkdirSync(one);
    expect((await assay(["compare", P, "--data", one])).stderr).toContain(`no evaluations in ${P}`);
    await assay(["import", P, "-", "--data", one], { stdin });
    const ended = await assay(["compare", P, "--data", one]);
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("no earlier evaluation shares rows with run only (only)"),
    });
  });

  test("of an evaluation that never ended has anytime-valid intervals, unless it was interrupted", async () => {
    const one = join(folder(), "data");
    const running = evaluationLines("running", rights(36), 1000).map((line) => {
      const call = JSON.parse(line);
      return JSON.stringify(call.parent_id === null ? { ...call, ended_at: null } : call);
    });
    const stdin = [...evaluationLines("ended", rights(20)), ...running].join("\n");
    await assay(["import", P, "-", "--data", one], { stdin });
    const methodWith = async (...args: string[]) => {
      const { stdout } = await assay(["compare", P, "ended", "running", "--data", one, ...args]);
      return JSON.parse(stdout).comparisons[0].measures[0].interval.method;
    };
    expect(await methodWith()).toBe("confidence_sequence");
    expect(await methodWith("--no-anytime")).toBe("t");
  });

  test("passes on its options: measures, margin, level, direction, adjustment and how rows count", async () => {
    const json = async (...args: string[]) => JSON.parse((await compare("half", "good", ...args)).stdout);
    expect(await json("--measure", "correct", "--margin", "0.02", "--level", "0.9")).toMatchObject({
      level: 0.9,
      adjustment: "holm",
      comparisons: [{ measures: [{ field: "scores.match.correct", margin: 0.02, verdict: "improved" }] }],
    });
    // For a score where lower is better, an increase is a regression; the score still counts in the adjustment.
    const lower = await json("--lower", "closeness");
    expect(lower).toMatchObject({ adjustment: "bh" });
    expect(lower.comparisons[0].measures).toMatchObject([
      { field: "scores.match.correct", direction: "higher", verdict: "improved" },
      { field: "scores.closeness", direction: "lower", verdict: "regressed" },
    ]);
    const where =
      '{"$contains": {"input": {"$getField": "inputs.question"}, "substr": {"$literal": "question 3"}}}';
    expect(await json("--where", where)).toMatchObject({ row_count: 11 });
    expect(await json("--interval", "bootstrap", "--measure", "correct")).toMatchObject({
      comparisons: [{ measures: [{ interval: { method: "bootstrap_bca" } }] }],
    });
    expect(await json("--anytime", "--measure", "correct")).toMatchObject({
      comparisons: [{ measures: [{ interval: { method: "confidence_sequence" }, p_value: null }] }],
    });
  });

  test("ranks evaluations, each with its range of ranks", async () => {
    const { evaluations } = JSON.parse((await compare("--ranking", "--measure", "correct")).stdout);
    expect(evaluations).toMatchObject([
      { evaluation_call_id: "good", rank: { low: 1, high: 1 } },
      { evaluation_call_id: "twin", rank: { low: 2, high: 2 } },
      { evaluation_call_id: "close", rank: { low: 3, high: 4 } },
      { evaluation_call_id: "half", rank: { low: 3, high: 4 } },
    ]);
  });

  test("writes a well-formed report for CI, with the failures of its gate", async () => {
    const ended = await compare("good", "half", "--format", "junit", "--fail-on", "regressed");
    expect([ended.exitCode, XMLValidator.validate(ended.stdout)]).toEqual([1, true]);
    expect(ended.stdout).toContain(
      '<testsuite name="half against good" tests="2" failures="2" errors="0" skipped="0">',
    );
  });

  test("on a terminal is a table that fits", async () => {
    const ended = await assay(["compare", P, "half", "good", "--data", data], { columns: 80 });
    expect(ended.stdout).toMatch(/^good is better than half on match\.correct: \+40\.0 points/);
    for (const line of ended.stdout.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(80);
  });
});

describe("in other commands", () => {
  test("the table of a query ends with a verdict for each candidate", async () => {
    const stdin = JSON.stringify({
      evaluation_call_ids: ["half", "good", "close"],
      include_summary: true,
      limit: 1,
    });
    const ended = await assay(["query", P, "-", "--data", data], { stdin, columns: 120 });
    const lines = ended.stdout.trimEnd().split("\n");
    expect(lines.find((line) => line.startsWith("good"))).toMatch(
      /^good is better than half on match\.correct: /,
    );
    expect(ended.stdout).toContain("Whether close is better than half on match.correct is inconclusive: ");
  });

  test("the table of more than a few evaluations names the best", async () => {
    const more = join(folder(), "data");
    const stdin = [1, 2, 3, 4, 5].flatMap((i) => evaluationLines(`v${i}`, rights(8 * i), i)).join("\n");
    await assay(["import", P, "-", "--data", more], { stdin });
    const body = { evaluation_call_ids: [1, 2, 3, 4, 5].map((i) => `v${i}`), include_summary: true };
    const ended = await assay(["query", P, "-", "--data", more, "--format", "table"], {
      stdin: JSON.stringify(body),
    });
    expect(ended.stdout).toContain("v5 is the best of 5 evaluations on match.correct: 100.0% (95% CI ");
  });

  test("watching two shows the anytime-valid interval", async () => {
    const ended = await assay(["watch", P, "half", "good", "--data", data], { columns: 160 });
    expect(ended.stdout).toContain("run good against run half on match.correct: improved so far");
    expect(ended.stdout).toMatch(/ {2}·+0·*├─*●─*┤·* \+40\.0 points \(anytime-valid 95% CI /);
  });
});
