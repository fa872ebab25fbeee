// Preloaded into a process to measure: when the process exits, it writes the memory and CPU time that all threads used
// to the file ASSAY_BENCH_USAGE.
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
