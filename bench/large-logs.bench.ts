// How many megabytes of a log does `assay import` read in a second, and does its memory grow with the file? Every kind,
// made at two sizes, through the built command in a process of its own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LARGE_LOGS, type LargeLog } from "./large-logs.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const MB = 1e6;
/** Megabytes of content: memory that is the same for both does not grow with the file. */
const SIZES = (process.env["ASSAY_BENCH_MB"] ?? "25,100").split(",").map(Number);

// Only some kinds, by a part of their names.
const only = process.env["ASSAY_BENCH_KIND"] ?? "";

await program(async () => {
  const measurements: Measurement[] = [];
  for (const log of LARGE_LOGS.filter(({ name }) => name.includes(only))) {
    for (const size of SIZES) measurements.push(...(await measured(log, size)));
  }
  return measurements;
});

async function measured(log: LargeLog, size: number): Promise<readonly Measurement[]> {
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const paths = await log.make(scratch, size * MB);
    const usage = join(scratch, "usage.json");
    const started = performance.now();
    const args = [COMMAND, "import", "acme/demo", ...paths, "--data", join(scratch, "data")];
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", join(here, "usage-at-exit.mjs"), ...args],
      { encoding: "utf8", env: { PATH: process.env["PATH"], ASSAY_BENCH_USAGE: usage } },
    );
    if (status !== 0) throw new Error(`${log.name}: exit code ${status}: ${stderr}`);
    const seconds = (performance.now() - started) / 1000;
    const { resident, cpu } = JSON.parse(readFileSync(usage, "utf8")) as { resident: number; cpu: number };
    const of = `import of ${log.name}`;
    const [rate, mebibytes] = [(size * 1000) / cpu, resident / 2 ** 20];
    progress(`${log.name}, ${size} MB: ${rate.toFixed(1)} MB per CPU second, ${mebibytes.toFixed(0)} MiB`);
    return [
      single(of, `${size} MB`, "MB/s", "MB/s", size / seconds),
      single(of, `${size} MB`, "MB per second of CPU", "MB/s", rate),
      single(of, `${size} MB`, ASSAY, "bytes", resident),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
