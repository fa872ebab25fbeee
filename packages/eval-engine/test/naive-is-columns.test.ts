// Every path of the engine against the executable specification, on whole responses. ASSAY_RUNS and ASSAY_SEED set
// how many cases and which.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";
import { request, world } from "./arbitrary.ts";

const numRuns = Number(process.env["ASSAY_RUNS"] ?? 4000);
const seed = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

test("columns give what the naive evaluator gives, for every request to one project", async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(request, { minLength: 1, maxLength: 5 }),
      async ({ calls, rows }, requests) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const body of requests) {
          const columns = await engine.answer("acme/demo", body);
          expect(columns).toEqual(await engine.answer("acme/demo", body, { plan: "naive" }));
          expect(columns.ok).toBe(true);
        }
      },
    ),
    { numRuns, ...seed },
  );
});
