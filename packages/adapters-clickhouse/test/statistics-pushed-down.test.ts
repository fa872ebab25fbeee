// Statistics over what ClickHouse selects against those over plain objects, whole answers, byte for byte.

import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { world } from "../../eval-engine/test/arbitrary.ts";
import { check, mayStopEarly, PATIENCE } from "../../eval-engine/test/property.ts";
import { scoredWorld } from "../../eval-engine/test/scored-world.ts";
import { questionsOfAnyCalls, questionsOfSharedRows } from "../../eval-engine/test/statistics-questions.ts";
import { freshStore, whole } from "./support.ts";

// A statement costs a hundred times what an answer in this process does.
const CASES = Number(process.env["ASSAY_RUNS"] ?? 96);
const SEED = process.env["ASSAY_SEED"] ?? "20261122";

// One project is asked several times, because making it costs more than asking it.
const QUESTIONS = 8;

// Slices that name no field and the time that a model took are answered in process.
const isPushed = ([kind, body]: readonly [string, object]): boolean =>
  !(kind === "slices" && ((body as { fields?: unknown }).fields ?? null) === null) &&
  !JSON.stringify(body).includes("model_latency_seconds");

test.each([
  ["any calls", world, questionsOfAnyCalls, CASES / 4],
  ["evaluations of shared rows", scoredWorld, questionsOfSharedRows, (CASES * 3) / 4],
] as const)(
  "ClickHouse gives what plain objects give, for every question, over %s",
  async (_, worlds, question, cases) => {
    const store = await freshStore();
    let [answered, projects] = [0, 0];
    await check(
      fc.tuple(
        worlds,
        fc.array(question.filter(isPushed), { minLength: QUESTIONS, maxLength: QUESTIONS, size: "max" }),
      ),
      async ([{ calls, rows }, asked]) => {
        const project = `acme/demo-${projects++}`;
        const source = memoryCalls();
        source.put(project, calls);
        const plain = createEvalEngine({ calls: source, rows: memoryRows(rows) });
        await store.calls.put(project, calls.map(whole));
        await store.rows.put(project, rows);
        const pushed = pushedExecution(store);
        for (const [kind, body] of asked) {
          const got = await pushed.answerStatistics(kind, project, body);
          const wanted = await plain.answerStatistics(kind, project, body, { plan: "naive" });
          expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
          if (got.ok) answered++;
        }
      },
      { numRuns: cases / QUESTIONS, seed: SEED },
    );
    expect(answered).toBeGreaterThan(mayStopEarly ? 0 : cases / 4);
  },
  PATIENCE,
);
