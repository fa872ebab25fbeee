// How many megabytes of a log does `assay import` read per second, compared with only parsing its JSON, and does its
// memory grow with the file? Imports generated files of every format in two sizes with the built command.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LARGE_LOGS, type LargeLog } from "./large-logs.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY, LOG } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const MB = 1e6;
/** Megabytes of content in the two sizes, which should need the same memory. */
const SIZES = (process.env["ASSAY_BENCH_MB"] ?? "25,100").split(",").map(Number);

// Selects formats by parts of their names.
const only = (process.env["ASSAY_BENCH_KIND"] ?? "").split(",");

await program(async () => {
  const measurements: Measurement[] = [];
  for (const log of LARGE_LOGS.filter(({ name }) => only.some((part) => name.includes(part)))) {
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
    // Node.js does not support Zstandard yet.
    const bare = log.name.includes("zstd") ? undefined : bareParse(paths);
    progress(
      `${log.name}, ${size} MB: ${rate.toFixed(1)} MB per CPU second, ${mebibytes.toFixed(0)} MiB` +
        (bare === undefined ? "" : `; ${(cpu / bare).toFixed(1)} times a bare parse`),
    );
    return [
      single(of, `${size} MB`, "MB/s", "MB/s", size / seconds),
      single(of, `${size} MB`, LOG.rate, "MB/s", rate),
      ...(bare === undefined ? [] : [single(of, `${size} MB`, LOG.bare, "MB/s", (size * 1000) / bare)]),
      single(of, `${size} MB`, ASSAY, "bytes", resident),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The CPU time in milliseconds of parsing all JSON below `paths`; undefined if not all of it is JSON. */
function bareParse(paths: readonly string[]): number | undefined {
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path],
  );
  if (!files.every((file) => /\.(json|jsonl|eval)$/.test(file))) return undefined;
  const args = ["--max-old-space-size=8192", "--import", "tsx", join(here, "import/peer.ts"), "parse"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...files], {
    encoding: "utf8",
    cwd: here,
  });
  if (status !== 0) throw new Error(`the bare parse failed: ${stderr}`);
  return (JSON.parse(stdout) as { readonly cpu: number }).cpu;
}
