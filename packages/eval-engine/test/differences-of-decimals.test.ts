// A difference is zero exactly if it is zero in decimal arithmetic, although 0.4 − 0.3 and 0.2 − 0.3 add up to 5.6e-17
// in doubles. This holds for shared rows, for unshared rows, in slices and outside of them.

import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Call, createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";
import { call } from "../src/testing/index.ts";

/** Hundredths or thousandths for two sides. The second side is often the first in another order. */
const decimals = fc
  .record({
    scale: fc.constantFrom(100, 1000),
    a: fc.array(fc.integer({ min: -2000, max: 200_000 }), { minLength: 4, maxLength: 12 }),
    turned: fc.nat(11),
    changed: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 2 }),
  })
  .map(({ scale, a, turned, changed }) => {
    const b = a.map((_, i) => a[(i + turned) % a.length]! + (changed[i] ?? 0));
    return { scale, rows: a.map((value, i) => ({ a: value, b: b[i]! })) };
  });

type Row = { readonly a: number; readonly b: number };

/** The kind of row `i`: x, y or z. */
const kindOf = (i: number): string => "xyz"[i % 3]!;

function evaluation(id: "a" | "b", rows: readonly Row[], scale: number, own: string): Call[] {
  return [
    call({ id }),
    ...rows.map((row, i) =>
      call({
        id: `${id}-${i}`,
        parent_id: id,
        op_name: "Evaluation.predict_and_score",
        inputs: { example: { row: `${own}${i}`, kind: kindOf(i) } },
        output: { output: "", scores: { s: row[id] / scale } },
      }),
    ),
  ];
}

function engineOf(rows: readonly Row[], scale: number, isShared: boolean) {
  const calls = [
    ...evaluation("a", rows, scale, "row"),
    ...evaluation("b", rows, scale, isShared ? "row" : "own"),
  ];
  return createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
}

const QUESTION = { query: { evaluation_call_ids: ["a", "b"] }, baseline: "a" };

/** The mean difference of the rows, computed in integers. */
function truth(rows: readonly Row[], scale: number): number {
  return rows.reduce((sum, { a, b }) => sum + b - a, 0) / scale / rows.length;
}

function expectTrue(found: number | null, rows: readonly Row[], scale: number): void {
  const expected = truth(rows, scale);
  if (expected === 0) expect(found).toBe(0);
  else expect(Math.abs(found! / expected - 1)).toBeLessThan(1e-6);
}

test(
  "a difference of decimals is zero exactly if the decimals are equal",
  () =>
    check(
      decimals,
      async ({ scale, rows }) => {
        for (const isShared of [true, false]) {
          const engine = engineOf(rows, scale, isShared);
          const answer = await engine.compare("acme/demo", { ...QUESTION, measures: ["scores.s"] });
          const found = answer.comparisons[0]!.measures[0]!;
          expect(found.paired).toBe(isShared);
          expectTrue(found.difference, rows, scale);
        }
      },
      { numRuns: CASES / 40 },
    ),
  PATIENCE,
);

test(
  "a slice and the rows outside of it have exact differences too",
  () =>
    check(
      decimals,
      async ({ scale, rows }) => {
        const engine = engineOf(rows, scale, true);
        const asked = {
          ...QUESTION,
          candidate: "b",
          measure: "scores.s",
          fields: ["inputs.kind"],
          min_rows: 1,
        };
        const answer = await engine.slices("acme/demo", asked);
        for (const slice of answer.slices) {
          const isIn = (i: number) => kindOf(i) === slice.fields[0]!.value;
          expectTrue(
            slice.difference,
            rows.filter((_, i) => isIn(i)),
            scale,
          );
          expectTrue(
            slice.outside.difference,
            rows.filter((_, i) => !isIn(i)),
            scale,
          );
        }
        expect(answer.slices.length).toBeGreaterThan(0);
      },
      { numRuns: CASES / 40 },
    ),
  PATIENCE,
);

test(
  "a row whose decimals have the same mean is a tie, however many trials it has",
  () =>
    check(
      decimals,
      async ({ scale, rows: around0 }) => {
        const rows = around0.map(({ a, b }): Row => ({ a: a + 3000, b: b + 3000 }));
        // Three trials of each row of b, with the row's value as their mean.
        const trials = ({ b }: Row): Row[] => [-7, 3, 4].map((off) => ({ a: 0, b: b + off }));
        const calls = [
          ...evaluation("a", rows, scale, "row"),
          ...rows.flatMap((row, i) =>
            evaluation("b", trials(row), scale, "row").map((trial, t) => ({
              ...trial,
              id: t === 0 ? "b" : `b-${i}-${t}`,
              ...(t > 0 && { inputs: { example: { row: `row${i}`, kind: kindOf(i) } } }),
            })),
          ),
        ];
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
        const measures = [{ field: "scores.s", direction: "higher" as const }];
        const answer = await engine.compare("acme/demo", { ...QUESTION, measures });
        const found = answer.comparisons[0]!.measures[0]!;
        const expected = [
          rows.filter(({ a, b }) => b > a).length,
          rows.filter(({ a, b }) => b < a).length,
          rows.filter(({ a, b }) => b === a).length,
        ];
        expect([found.wins, found.losses, found.ties]).toEqual(expected);
        const { query } = QUESTION;
        const view = async <Question extends "page" | "groups">(question: Question, body: object) => {
          const seen = await engine.answerView(question, "acme/demo", { query, baseline: "a", ...body });
          if (!seen.ok) throw new Error(seen.issues[0]!.message);
          return seen.value;
        };
        const { better, worse, equal } = (await view("page", { measure: measures[0] })).counts!;
        expect([better, worse, equal]).toEqual(expected);
        const { groups } = await view("groups", { by: { field: "inputs.kind" }, measures });
        for (const { value, differences } of groups) {
          const isIn = (i: number) => kindOf(i) === value;
          expectTrue(
            differences![0]!.measures[0]!.difference,
            rows.filter((_, i) => isIn(i)),
            scale,
          );
        }
      },
      { numRuns: CASES / 40 },
    ),
  PATIENCE,
);

/** The rows of a cluster. In another order they add up to a different double. */
const CLUSTER = [1, 2, 3, 6, 7, 9];

test(
  "clusters that differ by the same except for rounding show no difference",
  () =>
    check(
      fc.tuple(
        fc.shuffledSubarray(CLUSTER, { minLength: CLUSTER.length }),
        fc.constantFrom("auto", "bootstrap"),
      ),
      async ([order, interval]) => {
        const rows = [...CLUSTER, ...order].map((b) => ({ a: 0, b }));
        const calls = (["a", "b"] as const).flatMap((id) =>
          evaluation(id, rows, 10, "row").map((one, i) => ({
            ...one,
            ...(i > 0 && { inputs: { example: { row: i, text: i <= CLUSTER.length ? "x" : "y" } } }),
          })),
        );
        const answer = await createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() }).compare(
          "acme/demo",
          {
            ...QUESTION,
            measures: [{ field: "scores.s", direction: "higher" }],
            ...{ cluster_by: "inputs.text", anytime: false, interval },
          },
        );
        expect(answer.comparisons[0]!.measures[0]).toMatchObject({
          ...{ interval: null, p_value: null, se: null, verdict: "inconclusive" },
          reason: "all clusters differ by the same, so their spread is unknown",
        });
      },
      { numRuns: CASES / 40 },
    ),
  PATIENCE,
);

test("numbers whose squares overflow have no difference, and a reason", async () => {
  const rows = [
    { a: 1e200, b: -1e200 },
    { a: -1e200, b: 1e199 },
  ];
  const answer = await engineOf(rows, 1, true).compare("acme/demo", {
    ...QUESTION,
    measures: ["scores.s"],
  });
  expect(answer.comparisons[0]!.measures[0]).toMatchObject({
    ...{ pairs: 2, difference: null, interval: null },
    reason: "the differences are too large for their spread to be computed",
  });
});
