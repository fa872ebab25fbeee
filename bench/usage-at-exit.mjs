// Loaded into a process that is measured: writes what it used, its threads included, into the file that is named, when
// it ends.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.ASSAY_BENCH_USAGE;
if (isMainThread && file !== undefined) {
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { resident: maxRSS * 1024, cpu: (userCPUTime + systemCPUTime) / 1000 };
    writeFileSync(file, JSON.stringify(usage));
  });
}
