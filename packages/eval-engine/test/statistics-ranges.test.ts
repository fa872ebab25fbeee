// No interval of a rate leaves 0 … 1, and none of a difference of rates leaves −1 … 1, whatever the question.

import { cases } from "@assay/testing/cases";
import { check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CompareResults,
  createEvalEngine,
  memoryCalls,
  memoryRows,
  type SlicesResults,
} from "../src/index.ts";
import { questions, SHARED_ROWS, scoredWorld } from "../src/testing/index.ts";

const QUESTIONS = 16;

type Bounds = { readonly low: number; readonly high: number } | null;

/** The intervals of rates in an answer, and those of differences of rates. */
function intervalsIn({ comparisons, whole, slices }: Partial<CompareResults & SlicesResults>): {
  readonly rates: Bounds[];
  readonly differences: Bounds[];
} {
  const all = [
    ...(comparisons ?? []).flatMap(({ measures }) => measures),
    ...(whole === undefined ? [] : [whole]),
  ];
  const measures = all.filter(({ kind }) => kind === "boolean");
  return {
    rates: measures.flatMap(({ baseline, candidate }) => [baseline.interval, candidate.interval]),
    differences: [...measures, ...(whole?.kind === "boolean" ? slices! : [])].map(({ interval }) => interval),
  };
}

test(
  "intervals of rates and of their differences stay within their range",
  async () => {
    let seen = 0;
    await check(
      fc.tuple(
        scoredWorld,
        fc.array(questions(SHARED_ROWS), { minLength: QUESTIONS, maxLength: QUESTIONS, size: "max" }),
      ),
      async ([{ calls, rows }, asked]) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const [kind, body] of asked) {
          const answer = await engine.answerStatistics(kind, "acme/demo", body);
          if (!answer.ok) continue;
          const { rates, differences } = intervalsIn(answer.value);
          for (const [least, intervals] of [
            [0, rates],
            [-1, differences],
          ] as const)
            for (const interval of intervals) {
              if (interval === null) continue;
              seen++;
              expect(interval.low).toBeGreaterThanOrEqual(least);
              expect(interval.high).toBeLessThanOrEqual(1);
            }
        }
      },
      { numRuns: cases(2000) / QUESTIONS },
    );
    expect(seen).toBeGreaterThan(0);
  },
  PATIENCE,
);
