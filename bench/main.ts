// Runs the benchmark programs one after another, each in a new process, and compares the figures with the targets.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { thisMachine } from "./machine.ts";
import type { Measurement } from "./measurement.ts";
import { machineLine, measurementTables, targetTable } from "./report.ts";

const USAGE = `usage: npm run bench -- [--full] [--rows N,…] [--mmlu-pro DIR] [--only NAME,…] [--out FILE]

  --full          also a million rows, and more runs of everything (needs an idle machine, 20 GB of memory, an hour)
  --rows N,…      rows for compare and health (default 1000,100000; with --full also 1000000)
  --mmlu-pro DIR  also measure the real evaluations in DIR: calls.jsonl and rows.jsonl
  --only NAME,…   run only these programs: clickhouse, compare, views, page, statistics, first, objects, ingest, append, health, log, gateway, train, forms, start, many-evaluations, import, served-import, large-logs, open
  --out FILE      the JSON file for the figures (default bench/results/quick.json or full.json)`;

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    rows: { type: "string" },
    "mmlu-pro": { type: "string" },
    only: { type: "string" },
    out: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const here = dirname(fileURLToPath(import.meta.url));
const wanted = values.only?.split(",");
const mmluPro = values["mmlu-pro"];

const sizes = values.rows?.split(",") ?? ["1000", "100000", ...(values.full ? ["1000000"] : [])];

const steps: readonly Step[] = [
  ...sizes.map((rows) => ({ name: "compare", args: ["--rows", rows] })),
  ...sizes.map((rows) => ({ name: "views", args: ["--rows", rows] })),
  { name: "page", args: ["--rows", "100000"] },
  ...sizes
    .filter((rows) => Number(rows) >= 100_000)
    .map((rows) => ({ name: "statistics", args: ["--rows", rows] })),
  { name: "first", args: ["--rows", "100000"] },
  { name: "objects", args: [] },
  { name: "ingest", args: ["--rows", "100000"] },
  { name: "append", args: ["--rows", "100000"] },
  // Only for 100,000 rows or more: a thousand rows take no measurable time.
  ...sizes
    .filter((rows) => Number(rows) >= 100_000)
    .map((rows) => ({ name: "health", args: ["--rows", rows] })),
  { name: "log", args: [] },
  // These are rows of eight evaluations.
  ...["125000", ...(values.full ? ["1250000", "5000000"] : [])].map((rows) => ({
    name: "clickhouse",
    args: ["--rows", rows],
  })),
  { name: "gateway", args: [] },
  { name: "train", args: [] },
  { name: "forms", args: [] },
  { name: "start", args: [] },
  { name: "many-evaluations", args: [] },
  { name: "import", args: [] },
  ...(values.full ? [{ name: "import", args: ["--rows", "1000000"] }] : []),
  { name: "served-import", args: ["--rows", values.full ? "100000" : "10000"] },
  // Takes twenty minutes: 125 MB of each format.
  ...(values.full || wanted?.includes("large-logs") ? [{ name: "large-logs", args: [] }] : []),
  ...(mmluPro === undefined
    ? []
    : ["compare", "ingest", "open"].map((name) => ({ name, args: ["--mmlu-pro", mmluPro] }))),
];

const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
const measurements: Measurement[] = [];
let failed = 0;
try {
  for (const { name, args } of steps) {
    if (wanted !== undefined && !wanted.includes(name)) continue;
    const out = join(scratch, "out.json");
    // Garbage collection is part of the measurement; only the heap limit is raised, for the contenders' objects.
    const node = ["--max-old-space-size=16384", "--import", "tsx", join(here, `${name}.bench.ts`)];
    console.error(`bench: ${name} ${args.join(" ")}`);
    const { status } = spawnSync(
      process.execPath,
      [...node, ...args, ...(values.full ? ["--full"] : []), "--out", out],
      {
        cwd: here,
        stdio: "inherit",
      },
    );
    if (status === 0) measurements.push(...(JSON.parse(readFileSync(out, "utf8")) as Measurement[]));
    else failed++;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const machine = thisMachine();
console.log(
  `\n${machineLine(machine)}\n\n${measurementTables(measurements)}\n\n${targetTable(measurements)}`,
);
const file = values.out ?? join(here, "results", values.full ? "full.json" : "quick.json");
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify({ machine, measurements }, null, 1)}\n`);
console.error(`bench: wrote figures to ${file}`);
if (failed > 0) {
  console.error(`bench: ${failed} of ${steps.length} programs failed`);
  process.exitCode = 1;
}
