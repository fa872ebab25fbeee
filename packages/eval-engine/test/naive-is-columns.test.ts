// Compares every path of the engine with the executable specification, on whole responses.

import { CASES, check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEvalEngine, type EvalResultsRow, memoryCalls, memoryRows } from "../src/index.ts";
import type { EvalResultsInParts } from "../src/query/response.ts";
import { memorySegments } from "../src/segment/memory-segments.ts";
import { type Case, regressions, request, world } from "../src/testing/index.ts";
import { expectSame } from "./expect-same.ts";

const first = Object.values(regressions);

// Each project gets several requests: building it costs more than a query, and columns that already exist take a
// separate path.
const REQUESTS = 8;

test(
  "columns answer like the naive evaluator, for every request to one project",
  async () => {
    const cases: fc.Arbitrary<Case> = fc
      .tuple(world, fc.array(request, { minLength: REQUESTS, maxLength: REQUESTS, size: "max" }))
      .map(([project, requests]) => ({ ...project, requests }));
    let compared = 0;
    await check(
      cases,
      async ({ calls, rows, requests }) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const body of requests) {
          await expectSame(engine, body);
          compared++;
        }
      },
      { numRuns: CASES / REQUESTS + first.length, first },
    );
    expect(compared).toBeGreaterThanOrEqual(mayStopEarly ? 1 : CASES);
  },
  PATIENCE,
);

test(
  "an engine that has seen every intermediate step answers like a new one",
  async () => {
    const cases: fc.Arbitrary<Case> = fc
      .tuple(
        world,
        fc.array(request, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat({ max: 8 }), { maxLength: 6 }),
      )
      .map(([project, requests, cuts]) => ({ ...project, requests, cuts }));
    await check(
      cases,
      async ({ calls, rows, requests, cuts = [] }) => {
        for (const persisted of [true, false]) {
          const source = memoryCalls();
          const rowSource = memoryRows();
          const parts = {
            calls: source,
            rows: rowSource,
            ...(persisted ? { segments: memorySegments() } : {}),
          };
          let engine = createEvalEngine(parts);
          // Each step writes some calls, rewrites some of them as unfinished or deleted, and queries the same engine.
          let at = 0;
          // Partially read answers: later writes must not change their trials.
          const held: {
            readonly expected: readonly EvalResultsRow[];
            readonly rows: EvalResultsInParts["rows"];
          }[] = [];
          const hold = async (body: (typeof requests)[number]): Promise<void> => {
            const unresolved = { ...body, resolve_row_refs: false };
            const [whole, parts] = [
              await engine.answer("acme/demo", unresolved),
              await engine.answerInParts("acme/demo", unresolved),
            ];
            if (whole.ok && parts.ok) held.push({ expected: whole.value.rows, rows: parts.value.rows });
          };
          for (const [step, cut] of [...cuts, calls.length].entries()) {
            const body = requests[step % requests.length]!;
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
            await expectSame(engine, body);
            source.put("acme/demo", batch);
            if (cut % 2 === 0) rowSource.put("acme/demo", rows);
            else await hold(body);
            if (cut === 3) engine = createEvalEngine(parts);
          }
          for (const body of requests) await expectSame(engine, body);
          for (const { expected, rows: parts } of held) {
            const read: EvalResultsRow[] = [];
            for await (const part of parts) read.push(...part);
            expect(read).toEqual(expected);
          }
        }
      },
      { numRuns: CASES / 40 + first.length, first },
    );
  },
  PATIENCE,
);
