// The same comparison on projects large enough to reach what small ones never do: heaps, lists of the items of a
// category, text in blocks, dictionaries that give up, and rearranged columns. Few cases, thousands of trials.

import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { test } from "vitest";
import {
  type Call,
  createEvalEngine,
  type DatasetRow,
  type EvalResultsQueryBody,
  memoryCalls,
  memoryRows,
} from "../src/index.ts";
import { memorySegments } from "../src/segment/memory-segments.ts";
import { call, LEAVES, request, type World } from "../src/testing/index.ts";
import { expectSame } from "./expect-same.ts";

/** The parameters of a large project. */
interface Plan {
  readonly trials: number;
  readonly rows: number;
  readonly texts: "few" | "many" | "long";
  readonly salt: number;
}

/** A deterministic pseudorandom integer. */
function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b1, 0x85ebca77) ^ Math.imul(b + 1, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!;

/** A text that rarely repeats, and sometimes contains a string that filters look for. */
function textOf({ texts }: Plan, n: number): DatasetRow["val"] {
  if (texts === "few" || n % 50 === 0) return pick(LEAVES, n);
  const found = pick(["", "", "", "abc", "ABC", "äÖ", "\u{1f600}", "\uffee"], n >>> 3);
  return `${found}${n % 7919} answers${found}${texts === "long" ? "-".repeat(n % 300) : ""}`;
}

const rowOf = (plan: Plan, r: number): DatasetRow["val"] => ({
  cat: pick(["math", "law", "abc"], mix(r, plan.salt)),
  x: textOf(plan, mix(r, plan.salt + 1)),
});

function trialOf(plan: Plan, evaluation: number, i: number): Call {
  const n = mix(i, plan.salt + evaluation);
  const r = mix(n, 7) % plan.rows;
  return call({
    id: `e${evaluation}-p${i}`,
    parent_id: `e${evaluation}`,
    op_name: "Evaluation.predict_and_score",
    started_at: `2026-01-01T00:00:0${n % 9}.${n % 1000}Z`,
    inputs: {
      // One row in 16 is inline.
      example: r % 16 === 0 ? { ...(rowOf(plan, r) as object), r } : `rows/attr/rows/id/r${r}`,
    },
    output: {
      output: textOf(plan, mix(n, 1)),
      scores: {
        s: pick(LEAVES, mix(n, 2)),
        t: (mix(n, 3) % 1000) / 10,
        judge: { a: n % 3 === 0, b: textOf(plan, mix(n, 4)) },
      },
    },
    deleted_at: n % 40 === 0 ? "2026-01-02T00:00:00Z" : null,
  });
}

function worldOf(plan: Plan): World {
  const calls = [1, 2].flatMap((evaluation) =>
    Array.from({ length: plan.trials }, (_, i) => trialOf(plan, evaluation, i)),
  );
  const rows = Array.from({ length: plan.rows }, (_, r) => ({ digest: `r${r}`, val: rowOf(plan, r) }));
  // In every other project some references do not resolve.
  return { calls, rows: rows.filter((_, r) => plan.salt % 2 === 0 || r % 16 !== 1) };
}

const plan: fc.Arbitrary<Plan> = fc.record({
  trials: fc.integer({ min: 50, max: 5000 }),
  rows: fc.integer({ min: 20, max: 5000 }),
  texts: fc.constantFrom("few", "many", "long"),
  salt: fc.nat(),
});

const text = fc.constantFrom("abc", "answers", "1", "äÖ", "ABC", "", "\u{1f600}", "s1", "-----", "math");

const evaluations = fc.constantFrom(["e1"], ["e2", "e1"]);

const order = fc.array(
  fc.record({
    field: fc.constantFrom("scores.t", "scores.s", "scores.judge.a", "outputs", "inputs.x", "inputs.cat"),
    direction: fc.constantFrom("asc" as const, "desc" as const),
  }),
  { maxLength: 2 },
);

/** Typical requests of the page: the best or worst rows, or those with a given text or category. */
const screen: fc.Arbitrary<EvalResultsQueryBody> = fc.record({
  evaluation_call_ids: evaluations,
  include_summary: fc.boolean(),
  limit: fc.constantFrom(1, 5, 50),
  offset: fc.constantFrom(0, 10),
  require_intersection: fc.boolean(),
  filter_logic_operator: fc.constantFrom("and" as const, "or" as const),
  sort_by: order,
  filters: fc.array(
    fc
      .tuple(
        fc.constantFrom("outputs", "inputs.x", "inputs.cat", "scores.judge.b", "scores.t", "row_digest"),
        fc.constantFrom("$eq", "$gt", "$lte", "$contains", "$not"),
        text,
        fc.boolean(),
      )
      .map(([field, op, literal, fold]) => {
        const [input, substr] = [{ $getField: field }, { $literal: literal }];
        const contains = { $contains: { input, substr, case_insensitive: fold } };
        const $expr =
          op === "$contains" ? contains : op === "$not" ? { $not: [contains] } : { [op]: [input, substr] };
        return { query: { $expr } };
      }),
    { maxLength: 2 },
  ),
});

const six = { minLength: 6, maxLength: 6, size: "max" } as const;

const requests = fc.oneof(
  fc.array(fc.oneof(request, screen), six),
  // One sort order with a series of different filters.
  fc
    .tuple(evaluations, order, fc.array(screen, six))
    .map(([evaluation_call_ids, sort_by, screens]) =>
      screens.map((one) => ({ ...one, evaluation_call_ids, sort_by })),
    ),
);

test(
  "large projects: columns answer like the naive evaluator, even when saved and loaded",
  () =>
    check(
      fc.tuple(plan, requests),
      async ([plan, requests]) => {
        const { calls, rows } = worldOf(plan);
        const parts = { calls: memoryCalls(calls), rows: memoryRows(rows), segments: memorySegments() };
        const engine = createEvalEngine(parts);
        for (const [i, body] of requests.entries())
          await expectSame(i % 2 === 0 ? engine : createEvalEngine(parts), body);
      },
      { numRuns: CASES / 2000 },
    ),
  PATIENCE,
);

test(
  "large projects that grow, shrink and change answer like new ones",
  () =>
    check(
      fc.tuple(plan, requests, fc.array(fc.nat({ max: 2000 }), { minLength: 1, maxLength: 4 })),
      async ([plan, requests, cuts]) => {
        const { calls, rows } = worldOf(plan);
        const source = memoryCalls();
        const rowSource = memoryRows();
        // Every other project keeps its unchanged data in a file.
        const segments = plan.salt % 2 === 0 ? {} : { segments: memorySegments() };
        const engine = createEvalEngine({ calls: source, rows: rowSource, ...segments });
        rowSource.put("acme/demo", rows);
        let at = 0;
        for (const [step, cut] of [...cuts, calls.length].entries()) {
          const batch = calls.slice(at, at + cut);
          at += cut;
          source.put("acme/demo", batch);
          await expectSame(engine, requests[step % requests.length]!);
          // Deletes some or all of the batch, then writes part of it again.
          const ids = batch.slice(0, step % 2 === 0 ? 20 : batch.length).map(({ id }) => id);
          source.delete("acme/demo", ids, "2026-01-01T00:00:00Z");
          await engine.query("acme/demo", requests[(step + 1) % requests.length]!);
          source.put("acme/demo", batch.slice(0, 10));
          await expectSame(engine, requests[(step + 1) % requests.length]!);
        }
      },
      { numRuns: CASES / 4000 },
    ),
  PATIENCE,
);
