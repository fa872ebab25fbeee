// Compares statistics over columns with those over plain objects, as whole answers, byte for byte.

import { cases } from "@assay/testing/cases";
import { check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";
import { ANY_CALLS, questions, SHARED_ROWS, scoredWorld, world } from "../src/testing/index.ts";

// A question costs twice as much as a page. `npm run test:deep` runs as many of both.
const CASES = cases(10_000);

// Each project gets several questions, because building it costs more than a question.
const QUESTIONS = 16;

test.each([
  ["any calls", world, questions(ANY_CALLS), CASES / 20],
  ["evaluations of shared rows", scoredWorld, questions(SHARED_ROWS), CASES / 5],
] as const)(
  "columns answer like plain objects, for every question, over %s",
  async (_, worlds, question, cases) => {
    let answered = 0;
    await check(
      fc.tuple(worlds, fc.array(question, { minLength: QUESTIONS, maxLength: QUESTIONS, size: "max" })),
      async ([{ calls, rows }, asked]) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const [kind, body] of asked) {
          const columns = await engine.answerStatistics(kind, "acme/demo", body);
          const plain = await engine.answerStatistics(kind, "acme/demo", body, { plan: "naive" });
          expect(JSON.stringify(columns)).toBe(JSON.stringify(plain));
          if (columns.ok) answered++;
        }
      },
      { numRuns: cases / QUESTIONS },
    );
    expect(answered).toBeGreaterThan(mayStopEarly ? 0 : cases / 3);
  },
  PATIENCE,
);
