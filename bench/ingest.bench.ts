// How long until call lines become an evaluation that can be queried, compared with only parsing the same lines on the
// same thread? With --mmlu-pro it uses real lines, with predict and scorer calls.

import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import type { Dataset } from "./dataset.ts";
import { interleave } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { mmluPro } from "./mmlu-pro.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";

/** The number of lines that are stored at once, as by an importer. */
const BATCH = 4096;

/** Each run takes seconds, so a few rounds suffice. */
const ROUNDS = 5;

await program(async ({ rows, mmluPro: folder, effort }) => {
  const measurements: Measurement[] = [];
  const measure = async (data: string, workload: string, dataset: Dataset) => {
    progress(`reading the lines of ${dataset.name}`);
    const lines = dataset.evaluations.flatMap((_, e) => Array.from(dataset.lines(e)));
    progress(`measuring ${workload}`);
    const tasks = {
      [ASSAY]: () => ingest(dataset, lines),
      "JSON.parse": async () => parse(lines),
    };
    const timings = await interleave(tasks, { ...effort, rounds: ROUNDS, slow: Number.POSITIVE_INFINITY });
    for (const [contender, timing] of Object.entries(timings))
      measurements.push({ data, workload, contender, unit: "ms", ...timing });
  };

  if (folder === undefined) {
    await measure(sizeName(rows), "ingest", synthetic({ rows }));
    await measure(sizeName(rows), "ingest, inline rows", synthetic({ rows, inline: true }));
  } else {
    await measure("MMLU-Pro", "ingest", mmluPro(folder));
  }
  return measurements;
});

/** Stores the lines and waits until every evaluation's columns are built. */
async function ingest({ project, evaluations }: Dataset, lines: readonly string[]): Promise<void> {
  const calls = memoryCalls();
  for (let i = 0; i < lines.length; i += BATCH) {
    const put = calls.putLines(project, lines.slice(i, i + BATCH));
    if (!put.ok) throw new Error(put.issues[0]!.message);
  }
  const engine = createEvalEngine({ calls, rows: memoryRows() });
  const { total_rows } = await engine.query(project, { evaluation_call_ids: evaluations, limit: 1 });
  if (total_rows === 0) throw new Error("nothing was ingested");
}

function parse(lines: readonly string[]): number {
  let objects = 0;
  for (const line of lines) if (typeof JSON.parse(line) === "object") objects++;
  return objects;
}
