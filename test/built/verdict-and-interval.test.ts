// The output of `assay compare` is consistent: intervals with verdicts, rates with their difference, ranks with means.
// Uses the built command.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "assay-verdict-"));
const data = join(home, "data");
afterAll(() => rmSync(home, { recursive: true }));

type Scored = { readonly row: object; readonly scores: object };

/** An evaluation that scored these rows. */
function evaluation(id: string, rows: readonly Scored[]): string[] {
  const shared = { trace_id: id, attributes: {}, summary: {} };
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const root = { id, parent_id: null, display_name: `run ${id}`, op_name: "Evaluation.evaluate" };
  const ended = { started_at: at(0), ended_at: at(1) };
  return [
    { ...shared, ...root, ...ended, inputs: { self: "weave:///acme/p/object/e:v0" }, output: null },
    ...rows.map(({ row, scores }, i) => ({
      ...shared,
      id: `${id}-${i}`,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: at(i + 2),
      ended_at: at(i + 3),
      inputs: { example: row },
      output: { output: "", scores },
    })),
  ].map((call) => JSON.stringify(call));
}

/** An evaluation `a` and an evaluation `b` of `length` rows. */
function pair(length: number, of: (row: number, side: "a" | "b") => Scored | undefined): string[] {
  return (["a", "b"] as const).flatMap((side) =>
    evaluation(
      side,
      Array.from({ length }, (_, row) => of(row, side)).filter((one) => one !== undefined),
    ),
  );
}

const PROJECTS: { readonly [project: string]: readonly string[] } = {
  // Ten questions about each of three documents: 83.3% and 93.3%.
  clusters: pair(30, (row, side) => {
    const right = { a: [10, 10, 5], b: [10, 8, 10] }[side];
    const doc = Math.floor(row / 10);
    return { row: { row, doc: `d${doc}` }, scores: { correct: row % 10 < right[doc]! } };
  }),
  // One of eight scores differs, on nine rows: its unadjusted p is 0.021.
  many: pair(40, (row, side) => ({
    row: { row, kind: row < 12 ? "x" : row < 24 ? "y" : "z" },
    scores: Object.fromEntries(
      Array.from({ length: 8 }, (_, score) => [
        `s${score}`,
        score > 0 ? (row * score) % 7 < 4 : side === "a" ? row < 9 : row > 0 && row < 17,
      ]),
    ),
  })),
  // Five rows that all improve: the exact test gives 1/16.
  five: pair(5, (row, side) => ({
    row: { row },
    scores: { points: side === "a" ? 3 : [4.5, 5, 4, 5, 4.5][row] },
  })),
  whole: pair(12, (row, side) => ({ row: { row }, scores: { points: row - (side === "b" ? 2 : 0) } })),
  decimals: pair(12, (row, side) => ({
    row: { row },
    scores: { points: Number((0.13 + 0.37 * row - (side === "b" ? 0.002 : 0)).toFixed(3)) },
  })),
  // a has 52 of 95 right, 37 of them in the first 80; b has only these 80, with 43 right.
  ranked: pair(95, (row, side) =>
    side === "b" && row >= 80
      ? undefined
      : { row: { row }, scores: { correct: side === "b" ? row < 43 : row < 37 || row >= 80 } },
  ),
  // a has 16 of 20 right, 15 of them in the first 19; b has only these 19, with 10 right.
  paired: pair(20, (row, side) =>
    side === "b" && row === 19
      ? undefined
      : { row: { row }, scores: { correct: side === "b" ? row < 10 : row < 15 || row === 19 } },
  ),
};

beforeAll(async () => {
  for (const [project, lines] of Object.entries(PROJECTS)) {
    const ended = await assay(["import", `acme/${project}`, "-", "--data", data], {
      stdin: lines.join("\n"),
    });
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  }
});

async function compared(project: string, ...args: string[]): Promise<string> {
  const ended = await assay(["compare", `acme/${project}`, ...args, "--data", data]);
  expect(ended).toMatchObject({ exitCode: 0 });
  return ended.stdout;
}

/** The Markdown output on one line. */
const said = async (project: string, ...args: string[]): Promise<string> =>
  (await compared(project, "--format", "markdown", ...args)).replaceAll(/<br>|\s+/g, " ");

describe("with three clusters", () => {
  const by = ["--measure", "correct", "--cluster-by", "inputs.doc"];

  test("rates are between 0 and 1, and their difference between -1 and 1", async () => {
    const { comparisons, warnings } = JSON.parse(await compared("clusters", "a", "b", ...by));
    const { baseline, candidate, interval, p_method } = comparisons[0].measures[0];
    for (const side of [baseline.interval, candidate.interval]) {
      expect(side.method).toBe("cluster_wilson");
      expect(side.low).toBeGreaterThan(0);
      expect(side.high).toBeLessThan(1);
    }
    expect(interval).toMatchObject({ method: "cluster_bonett_price", high: 1 });
    expect(interval.low).toBeGreaterThan(-1);
    expect(p_method).toBe("cluster_bonett_price");
    expect(warnings).toContainEqual(expect.objectContaining({ code: "few_clusters", count: 3 }));
  });

  test.each([[["a", "b"]], [["--ranking"]]])("%j warns that these are few", async (args) => {
    const text = await said("clusters", ...args, ...by);
    expect(text).toContain("3 clusters: with fewer than 30, intervals are wide");
    expect(text).toContain("15.3 to 99.3");
  });
});

describe("an inconclusive verdict whose interval excludes 0 is explained", () => {
  const MANY = "p is 0.021 by itself and 0.17 adjusted for 8 tests, above 0.05";

  test("among many scores: in the sentence, in the table and in the CI report", async () => {
    const all = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];
    const text = await said("many", "a", "b", "--measure", ...all);
    expect(text).toMatch(
      /s0 is inconclusive: \+17\.5 points .*\. The interval excludes 0, but p is 0\.021 by /,
    );
    expect(text.split(MANY).length).toBe(3);
    expect(await compared("many", "a", "b", "--format", "junit")).toContain(MANY);
  });

  test("among many slices", async () => {
    const args = ["a", "b", "--measure", "s0", "--slices", "kind"];
    const { slices } = JSON.parse(await compared("many", ...args));
    const unclear = slices.filter(
      (slice: { interval: { low: number }; verdict: string }) =>
        slice.interval.low > 0 && slice.verdict === "inconclusive",
    );
    expect(unclear).toHaveLength(1);
    const [{ reason }] = unclear;
    expect(reason).toMatch(/^p is 0\.0\d+ by itself and 0\.\d+ adjusted for 3 tests, above 0\.05$/);
    expect(await said("many", ...args)).toContain(reason);
    expect(await compared("many", ...args, "--format", "junit")).toContain(`; ${reason}.`);
  });

  test("if the exact test has a larger p", async () => {
    const text = await said("five", "a", "b", "--higher", "points");
    expect(text).toMatch(
      /\+1\.6 \(95% CI \+1\.081 to \+2\.119\).* The interval excludes 0, but the test is less certain/,
    );
    expect(text).toContain("p is 0.063, above 0.05");
  });
});

test("a constant difference is reported alike for decimals and whole numbers, with the reason for the missing interval", async () => {
  const [whole, decimals] = await Promise.all(
    ["whole", "decimals"].map((project) => said(project, "a", "b", "--higher", "points")),
  );
  expect(whole).toContain(
    "points is inconclusive: −2, 12 rows, paired. No interval: all differences are equal",
  );
  expect(decimals!.replaceAll(/−0\.002|−2/g, "D").split("|")[0]).toBe(
    whole!.replaceAll(/−0\.002|−2/g, "D").split("|")[0],
  );
});

test("a ranking puts the better evaluation on the shared rows first, and explains it next to its mean", async () => {
  const why = "+7.5 points against a on the 80 rows that both have";
  const text = await said("ranked", "--ranking");
  expect(text).toMatch(
    /^\*\*b is the best of 2 evaluations on correct: 53\.8% \(95% CI .*; \+7\.5 points against a /,
  );
  expect(text).toContain(`| 1 | b | 53.8% ${why} |`.replaceAll("+", "\\+").replaceAll("\\", ""));
  const { evaluations } = JSON.parse(await compared("ranked", "--ranking"));
  expect(evaluations).toMatchObject([
    {
      evaluation_call_id: "b",
      rank: { low: 1, high: 1 },
      group: 1,
      ahead_of: { evaluation_call_id: "a", beaten_by: "b", pairs: 80 },
    },
    { evaluation_call_id: "a", rank: { low: 2, high: 2 }, group: 2, ahead_of: null },
  ]);
});

test("the rates next to a difference are those of the paired rows", async () => {
  const text = await said("paired", "a", "b");
  expect(text).toMatch(/\| 78\.9% of 19 paired rows 80\.0% of all 20 [^|]*\| 52\.6% [^|]*\| −26\.3 points /);
});
