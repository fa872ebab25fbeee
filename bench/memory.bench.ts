// How much memory does a process hold that has the MMLU-Pro evaluations open and has queried all of them?

import { statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assayEngine } from "./contenders/assay.ts";
import { single } from "./measurement.ts";
import { mmluPro } from "./mmlu-pro.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";
import { requestOf, WORKLOADS } from "./workloads.ts";

await program(async ({ mmluPro: folder }) => {
  if (folder === undefined) throw new Error("--mmlu-pro is needed: the folder of the real evaluations");
  const dataset = mmluPro(folder);
  const engine = assayEngine(dataset);
  for (const workload of WORKLOADS) {
    progress(`asking ${workload}`);
    await engine.query(dataset.project, requestOf(workload, dataset, 0));
  }
  // What is waiting to be collected is not held.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const size = statSync(join(folder, "calls.jsonl")).size;
  return [
    single("MMLU-Pro", "resident memory", ASSAY, "bytes", process.memoryUsage.rss()),
    single("MMLU-Pro", "resident memory", "calls.jsonl", "bytes", size),
  ];
});
