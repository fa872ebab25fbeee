// Compares statistics over ClickHouse's selections with those over plain objects, as whole answers, byte for byte.

import { createEvalEngine, type EvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { type PushedExecutionParts, pushedExecution } from "@assay/eval-engine/pushed";
import {
  ANY_CALLS,
  isPushed,
  type Pools,
  questions,
  SHARED_ROWS,
  scoredWorld,
  type World,
  world,
} from "@assay/eval-engine/testing";
import { cases } from "@assay/testing/cases";
import { check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTogether } from "./read-together.ts";
import { freshStore, whole } from "./support.ts";

// `npm test` asks the same questions each time, to detect regressions.
const SEED = process.env["ASSAY_SEED"] ?? "20261122";

// `npm run test:deep` runs as many as over columns.
const CASES = cases(5000);

/** Puts projects into a new ClickHouse store, and into memory. */
async function projectStore() {
  const store = await freshStore();
  let projects = 0;
  return {
    store,
    /** Puts a project under a new name. */
    put: async ({
      calls,
      rows,
    }: World): Promise<{ readonly project: string; readonly plain: EvalEngine }> => {
      const project = `acme/demo-${projects++}`;
      const source = memoryCalls();
      source.put(project, calls);
      await store.calls.put(project, calls.map(whole));
      await store.rows.put(project, rows);
      return { project, plain: createEvalEngine({ calls: source, rows: memoryRows(rows) }) };
    },
  };
}

const asked = (pools: Pools, length: number) =>
  fc.array(questions(pools).filter(isPushed), { minLength: length, maxLength: length, size: "max" });

// A statement costs a hundred times an answer in this process, and a single question takes seven.
const ALONE = { cases: CASES / 200, questions: 8 };

test.each([
  ["any calls", world, ANY_CALLS, 1 / 4],
  ["evaluations of shared rows", scoredWorld, SHARED_ROWS, 3 / 4],
] as const)(
  "ClickHouse answers like plain objects, for every single question, over %s",
  async (_, worlds, pools, share) => {
    const { store, put } = await projectStore();
    const pushed = pushedExecution(store);
    let answered = 0;
    await check(
      fc.tuple(worlds, asked(pools, ALONE.questions)),
      async ([of, bodies]) => {
        const { project, plain } = await put(of);
        for (const [kind, body] of bodies) {
          const got = await pushed.answerStatistics(kind, project, body);
          const wanted = await plain.answerStatistics(kind, project, body, { plan: "naive" });
          expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
          if (got.ok) answered++;
        }
      },
      { numRuns: (ALONE.cases * share) / ALONE.questions, seed: SEED },
    );
    if (!mayStopEarly) expect(answered).toBeGreaterThan((ALONE.cases * share) / 4);
  },
  PATIENCE,
);

// Shares the reads of each selection, so that hundreds of selections suffice for thousands of questions.
const TOGETHER = { cases: CASES / 4, selections: 2, questions: 40 };

test.each([
  ["any calls", world, ANY_CALLS, 1 / 5],
  ["evaluations of shared rows", scoredWorld, SHARED_ROWS, 4 / 5],
] as const)(
  "ClickHouse answers like plain objects, for many questions of one selection, over %s",
  { tags: ["long"], timeout: PATIENCE },
  async (_, worlds, pools, share) => {
    const { store, put } = await projectStore();
    let answered = 0;
    const { query, ...others } = pools;
    const selection = fc.tuple(query, asked({ ...others, query: fc.constant({}) }, TOGETHER.questions));
    await check(
      fc.tuple(
        worlds,
        fc.array(selection, { minLength: TOGETHER.selections, maxLength: TOGETHER.selections, size: "max" }),
      ),
      async ([of, selections]) => {
        const { project, plain } = await put(of);
        for (const [selected, bodies] of selections) {
          const parts: PushedExecutionParts = readTogether(store, pools);
          const pushed = pushedExecution(parts);
          for (const [kind, body] of bodies) {
            const whole = { ...body, query: selected };
            const got = await pushed.answerStatistics(kind, project, whole);
            const wanted = await plain.answerStatistics(kind, project, whole, { plan: "naive" });
            expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
            if (got.ok) answered++;
          }
        }
      },
      {
        numRuns: (TOGETHER.cases * share) / TOGETHER.questions / TOGETHER.selections,
        seed: SEED,
      },
    );
    if (!mayStopEarly) expect(answered).toBeGreaterThan((TOGETHER.cases * share) / 4);
  },
);
