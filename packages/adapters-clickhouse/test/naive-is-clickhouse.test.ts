// Compares ClickHouse with the executable specification, on whole responses.

import { jsonText } from "@assay/base";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { type Case, regressions, request, world } from "@assay/eval-engine/testing";
import { cases } from "@assay/testing/cases";
import { check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freshStore, whole } from "./support.ts";

// The number of cases. A query here costs a hundred times one over columns, so there are fewer. `npm run test:deep --
// --runs 20000 naive-is-clickhouse` runs as many.
const CASES = cases(240);
const REQUESTS = 8;

// `npm test` compares the same cases each time, to detect regressions. `test:deep` sets a new seed for each round, to
// find new faults.
const SEED = process.env["ASSAY_SEED"] ?? "20261121";

const first = Object.values(regressions);

test(
  "ClickHouse answers like the naive evaluator, for every request to one project",
  async () => {
    const store = await freshStore();
    const cases: fc.Arbitrary<Case> = fc
      .tuple(world, fc.array(request, { minLength: REQUESTS, maxLength: REQUESTS, size: "max" }))
      .map(([project, requests]) => ({ ...project, requests }));
    let compared = 0;
    let projects = 0;
    await check(
      cases,
      async ({ calls, rows, requests }) => {
        const project = `acme/demo-${projects++}`;
        const source = memoryCalls();
        source.put(project, calls);
        const specification = createEvalEngine({ calls: source, rows: memoryRows(rows) });
        await store.calls.put(project, calls.map(whole));
        await store.rows.put(project, rows);
        const pushed = pushedExecution({ trials: store.trials, calls: store.calls, rows: store.rows });
        for (const body of requests) {
          const [got, wanted] = [
            jsonText(await pushed.answer(project, body)),
            jsonText(await specification.answer(project, body, { plan: "naive" })),
          ];
          compared++;
          if (got === wanted) continue;
          let at = 0;
          while (got[at] === wanted[at]) at++;
          const part = (text: string) => text.slice(Math.max(0, at - 200), at + 1000);
          throw new Error(
            `they differ at character ${at}\nClickHouse: ${part(got)}\nnaive:      ${part(wanted)}\n${JSON.stringify(body)}`,
          );
        }
      },
      { numRuns: Math.ceil(CASES / REQUESTS) + first.length, first, seed: SEED },
    );
    expect(compared).toBeGreaterThanOrEqual(mayStopEarly ? 1 : CASES);
  },
  PATIENCE,
);
