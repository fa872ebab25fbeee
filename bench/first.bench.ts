// How long does the first query of its kind take, when the evaluations are open but nothing is cached? Other programs
// measure later queries, which find sort keys, summaries and texts cached.

import { createEvalEngine, memoryRows } from "@assay/eval-engine";
import { memorySegments } from "@assay/eval-engine/testing";
import { timingOf } from "./interleave.ts";
import { lineCalls } from "./line-calls.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";
import { requestOf, WORKLOADS, type Workload } from "./workloads.ts";

/** Each workload runs in a new engine in each round. */
const ROUNDS = 5;

await program(async ({ rows }) => {
  const dataset = synthetic({ rows });
  const { project, evaluations } = dataset;
  const parts = {
    calls: lineCalls(dataset),
    rows: memoryRows(Array.from(dataset.rows())),
    segments: memorySegments(),
  };
  progress(`building the columns of ${dataset.name}`);
  await createEvalEngine(parts).open(project, evaluations);

  const times = new Map<Workload | "open", number[]>();
  const add = (workload: Workload | "open", time: number) =>
    times.set(workload, [...(times.get(workload) ?? []), time]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const workload of WORKLOADS) {
      progress(`measuring the first ${workload}`);
      const engine = createEvalEngine(parts);
      const start = performance.now();
      await engine.open(project, evaluations);
      const opened = performance.now();
      await engine.query(project, requestOf(workload, dataset, round));
      add("open", opened - start);
      add(workload, performance.now() - opened);
    }
  }
  return Array.from(
    times,
    ([workload, all]): Measurement => ({
      data: sizeName(rows),
      workload: workload === "open" ? "open from kept columns" : `first ${workload}`,
      contender: ASSAY,
      unit: "ms",
      ...timingOf(all),
    }),
  );
});
