// A gate passes only if each candidate has a measure with a verdict, and none with a failing one.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompareResults, MeasureComparison } from "@assay/eval-engine";
import type { DataAccess } from "@assay/server/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runStatistics } from "../../src/compare/run-statistics.ts";
import { failsGate, GATES } from "../../src/report/gate.ts";
import { assay, folder } from "../run-in-process.ts";
import { comparison, LABELS, measure } from "./answers.ts";

const OPTIONS = { measures: [], where: [], lower: [], higher: [], ranking: false };

/** The result of a gate on an answer. */
async function gated(answer: CompareResults, gate: (typeof GATES)[number]) {
  const data = { statistics: async () => ({ ok: true, value: answer }) } as unknown as DataAccess;
  const ran = await runStatistics(data, {
    ...{
      project: "acme/demo",
      query: { evaluation_call_ids: ["id-a", "id-b"] },
      labels: LABELS,
      stats: [],
      notes: [],
    },
    measures: { named: [], directions: new Map(), scores: [] },
    ...{ headline: "scores.correct", options: OPTIONS, gate },
  });
  if (!ran.ok) throw new Error(ran.issues[0]!.message);
  return ran.value;
}

const NO_DATA = { difference: null, interval: null, reason: "no row has a value in both evaluations" };
const OUTCOMES: readonly Partial<MeasureComparison>[] = [
  ...(["improved", "regressed", "equivalent", "not_worse", "inconclusive", "no_direction"] as const).map(
    (verdict) => ({ verdict }),
  ),
  { ...NO_DATA, verdict: "inconclusive" },
  { ...NO_DATA, verdict: "no_direction" },
];

test("passes only if something was judged and nothing fails it, and every report gives the reason", async () => {
  const measures = fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(measures, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...GATES),
      async (candidates, gate) => {
        const answer = comparison([], {
          comparisons: candidates.map((outcomes) => ({
            candidate: "id-b",
            measures: outcomes.map((outcome, i) => measure({ ...outcome, field: `scores.s${i}` })),
          })),
        });
        const { stopped, suites, report } = await gated(answer, gate);
        const isJudged = ({ verdict, difference }: Partial<MeasureComparison>) =>
          verdict !== "no_direction" && difference !== null;
        const passes = candidates.every(
          (outcomes) => outcomes.some(isJudged) && !outcomes.some(({ verdict }) => failsGate(gate, verdict!)),
        );
        expect(stopped.length === 0).toBe(passes);
        const failures = suites.map(({ cases }) => cases.filter(({ failure }) => failure !== undefined));
        expect(failures.flat().map(({ text }) => text)).toEqual(stopped);
        for (const [i, outcomes] of candidates.entries())
          if (!outcomes.some(isJudged)) {
            const { name, text } = failures[i]!.at(-1)!;
            expect(report(0, 0).notes).toContain(`${name} fails: ${text}`);
          }
      },
    ),
  );
});

test.each([
  [
    ["--measure", "zorp"],
    1,
    "B against A: nothing to judge by: zorp (no direction); set whether higher or lower",
  ],
  [["--measure", "zorp", "--higher", "zorp"], 1, "B is worse than A on zorp"],
  [["--measure", "zorp", "--lower", "zorp"], 0, undefined],
  [["--measure", "zorp", "correct"], 0, undefined],
  [["--measure", "correct", "--where", 'inputs.id = "none"'], 1, "correct (no row has a value in both"],
  [["--slices", "--measure", "zorp"], 1, "nothing to judge by: zorp (no direction)"],
])("--fail-on regressed %j ends with %i", async (args, code, sentence) => {
  const file = join(folder(), "t.csv");
  const rows = Array.from({ length: 40 }, (_, i) => [`${i},A,x,0.9${i % 7},1`, `${i},B,x,0.1${i % 5},1`]);
  writeFileSync(file, ["id,model,answer,zorp,correct", ...rows.flat(), ""].join("\n"));
  const compare = (...more: string[]) => assay(["compare", file, "A", "B", ...args, ...more]);
  const { exitCode, stderr } = await compare("--fail-on", "regressed");
  expect([exitCode, stderr]).toEqual([
    code,
    sentence === undefined ? expect.anything() : expect.stringContaining(`--fail-on regressed: `),
  ]);
  if (sentence === undefined) return;
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("ignores");
  const junit = await compare("--fail-on", "regressed", "--format", "junit");
  expect(junit.stdout).not.toContain('failures="0"');
  expect((await compare("--format", "junit")).stdout).toContain(
    code === 1 && args.includes("--higher") ? 'failures="1"' : 'failures="0"',
  );
});
