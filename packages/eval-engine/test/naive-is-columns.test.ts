// Every path of the engine against the executable specification, on whole responses. ASSAY_RUNS and ASSAY_SEED set
// how many cases and which.

import fc from "fast-check";
import { test } from "vitest";
import {
  createEvalEngine,
  type EvalEngine,
  type EvalResultsQueryBody,
  memoryCalls,
  memoryRows,
  memorySegments,
} from "../src/index.ts";
import { request, world } from "./arbitrary.ts";

const numRuns = Number(process.env["ASSAY_RUNS"] ?? 4000);
const seed = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

/** Byte for byte: the order of keys counts too. Compared as text, because shrinking compares thousands of times. */
async function expectSame(engine: EvalEngine, body: EvalResultsQueryBody): Promise<void> {
  const columns = await engine.query("acme/demo", body);
  const naive = await engine.query("acme/demo", body, { plan: "naive" });
  const [a, b] = [JSON.stringify(columns), JSON.stringify(naive)];
  if (a !== b) throw new Error(`columns: ${a}\nnaive:   ${b}`);
}

test("columns give what the naive evaluator gives, for every request to one project", async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(request, { minLength: 1, maxLength: 5 }),
      async ({ calls, rows }, requests) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const body of requests) {
          await expectSame(engine, body);
        }
      },
    ),
    { numRuns, ...seed },
  );
});

test("an engine that has seen every step on the way gives what a fresh one gives", async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      request,
      fc.array(fc.nat({ max: 8 }), { maxLength: 6 }),
      fc.boolean(),
      async ({ calls, rows }, body, cuts, persisted) => {
        const source = memoryCalls();
        const rowSource = memoryRows();
        const segments = memorySegments();
        const parts = { calls: source, rows: rowSource, ...(persisted ? { segments } : {}) };
        let engine = createEvalEngine(parts);
        // Each step writes some calls, some of them again as unfinished or deleted, and asks the same engine.
        let at = 0;
        for (const cut of [...cuts, calls.length]) {
          const batch = calls.slice(at, at + cut);
          at += cut;
          source.put(
            "acme/demo",
            batch.map((call) => ({ ...call, output: null })),
          );
          await engine.answer("acme/demo", body);
          source.put("acme/demo", batch);
          source.delete(
            "acme/demo",
            batch.slice(0, 1).map(({ id }) => id),
            "2026-01-01T00:00:00Z",
          );
          await engine.answer("acme/demo", body);
          source.put("acme/demo", batch);
          if (cut % 2 === 0) rowSource.put("acme/demo", rows);
          if (cut === 3) engine = createEvalEngine(parts);
        }
        await expectSame(engine, body);
      },
    ),
    { numRuns, ...seed },
  );
});
