// How fast is a verdict after a filter changes, compared with SQL over precomputed row means and with scipy over
// preloaded arrays? The contenders have their own workloads here, because the answers are not pages. Answers are
// compared before anything is timed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvalEngine, type EvalEngine, memoryRows } from "@assay/eval-engine";
import { duckdbStatistics } from "./contenders/duckdb-statistics.ts";
import { scipyStatistics } from "./contenders/scipy-statistics.ts";
import type { Dataset } from "./dataset.ts";
import { interleave } from "./interleave.ts";
import { lineCalls } from "./line-calls.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { askStatistics, assertSameFigures, LOOP_HELD, type Question } from "./statistics.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";

/** The size of a ranking: twelve models' answers to MMLU-Pro. */
const RANKED = { rows: 12_032, evaluations: 12, trials: 1 };

await program(async ({ rows, effort }) => {
  const measurements: Measurement[] = [];
  const measure = async (data: string, dataset: Dataset, questions: readonly Question[]): Promise<void> => {
    const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
    progress(`opening ${dataset.name}`);
    const engine = assayEngine(dataset);
    await engine.open(dataset.project, dataset.evaluations);
    const duckdb = await duckdbStatistics(dataset, scratch);
    try {
      for (const question of questions) {
        progress(`measuring ${question.name}`);
        const expected = await Promise.all(question.turns.map((turn) => duckdb.answer(question, turn)));
        for (const [i, turn] of question.turns.entries())
          assertSameFigures(
            await askStatistics(engine, dataset, question, turn),
            expected[i]!,
            question.name,
          );
        const inTurns = (ask: (turn: number) => Promise<unknown>) => {
          let turn = 0;
          return () => ask(question.turns[turn++ % question.turns.length]!);
        };
        const timings = await interleave(
          {
            [ASSAY]: inTurns((turn) => askStatistics(engine, dataset, question, turn)),
            DuckDB: inTurns((turn) => duckdb.answer(question, turn)),
          },
          effort,
        );
        for (const [contender, timing] of Object.entries(timings))
          measurements.push({ data, workload: question.name, contender, unit: "ms", ...timing });
        const scipy = await scipyStatistics(await duckdb.wide(), question, scratch);
        if (scipy === undefined) continue;
        for (const [i, found] of scipy.answers.entries())
          assertSameFigures(found, expected[i]!, `${question.name} of scipy`);
        measurements.push({ data, workload: question.name, contender: "scipy", unit: "ms", ...scipy.timing });
      }
      const held = await longestHold(() =>
        askStatistics(engine, dataset, questions[0]!, questions[0]!.turns[0]!),
      );
      measurements.push(single(data, LOOP_HELD, ASSAY, "ms", held));
    } finally {
      await duckdb.close();
      rmSync(scratch, { recursive: true, force: true });
    }
  };

  const turns = [0.9, 0.85, 0.95, 0.8];
  await measure(sizeName(rows), synthetic({ rows, evaluations: 2 }), [
    { name: "compare, all measures", measures: "all", turns },
    { name: "compare, one measure", measures: [1], turns },
    { name: "slices by category", measures: [0], slices: true, turns },
  ]);
  if (rows >= RANKED.rows)
    await measure("12 × 12,032", synthetic(RANKED), [
      { name: "ranking", measures: [1], ranking: true, turns: [Number.NEGATIVE_INFINITY] },
    ]);
  return measurements;
});

function assayEngine(dataset: Dataset): EvalEngine {
  return createEvalEngine({
    calls: lineCalls(dataset),
    rows: memoryRows(Array.from(dataset.rows())),
    keepBytes: 16 * 2 ** 30,
    pause: () => new Promise((resume) => setImmediate(resume)),
  });
}

/** The longest time in milliseconds that the event loop was blocked while `work` ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, running] = [0, true];
  const watch = async (): Promise<void> => {
    while (running) {
      const before = performance.now();
      await new Promise((resume) => setImmediate(resume));
      longest = Math.max(longest, performance.now() - before);
    }
  };
  const watching = watch();
  for (let run = 0; run < 5; run++) await work();
  running = false;
  await watching;
  return longest;
}
