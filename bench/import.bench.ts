// From a file to a verdict: what do the import of 300,000 answers and the first comparison cost in the built command,
// including its start, compared with parsing the file, and with DuckDB reading it and answering the same? Measures CPU
// time, which other load on the machine affects less than wall time.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Form, MODELS, writeAnswers } from "./answers.ts";
import { timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { ASSAY, IMPORT } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const PROJECT = "acme/demo";
const FORMS = (process.env["ASSAY_BENCH_FORMS"] ?? "csv,jsonl,parquet").split(",") as readonly Form[];
/** The parsers for the baseline; no parser here reads Parquet into objects. */
const BARE: { readonly [form in Form]?: readonly [contender: string, peer: string] } = {
  csv: ["papaparse", "papaparse"],
  jsonl: ["JSON.parse", "parse"],
};
/** Larger tables measure how the import scales: once, as CSV, without the peers that keep all records as objects. */
const LARGE = 1_000_000;

await program(async ({ rows, effort }) => {
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const measurements: Measurement[] = [];
    const isLarge = rows * MODELS.length >= LARGE;
    for (const form of isLarge ? (["csv"] as const) : FORMS)
      measurements.push(...(await measured(scratch, form, rows, isLarge ? 1 : effort.slowRounds)));
    return measurements;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

async function measured(
  scratch: string,
  form: Form,
  rows: number,
  rounds: number,
): Promise<readonly Measurement[]> {
  const [file, small, usage] = [`answers.${form}`, `small.${form}`, "usage.json"].map((name) =>
    join(scratch, name),
  ) as [string, string, string];
  await writeAnswers(file, rows, form);
  await writeAnswers(small, 2, form);
  const data = `${sizeName(rows * MODELS.length)} answers, ${form}, processor time`;
  const times = new Map<string, number[]>();
  const add = (workload: string, contender: string, time: number) => {
    const name = `${workload}\0${contender}`;
    times.set(name, [...(times.get(name) ?? []), time]);
  };
  const run = (
    ...args: readonly string[]
  ): { readonly stdout: string; readonly cpu: number; readonly resident: number } => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", join(here, "usage-at-exit.mjs"), COMMAND, ...args],
      { encoding: "utf8", env: { PATH: process.env["PATH"], ASSAY_BENCH_USAGE: usage } },
    );
    if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${stderr}`);
    return { stdout, ...(JSON.parse(readFileSync(usage, "utf8")) as { cpu: number; resident: number }) };
  };
  const peer = (name: string): { readonly answer: unknown; readonly cpu: number } => {
    const args = ["--import", "tsx", join(here, "import/peer.ts"), name, file];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: here });
    if (status !== 0) throw new Error(`${name}: exit code ${status}: ${stderr}`);
    return JSON.parse(stdout) as { answer: unknown; cpu: number };
  };

  const bare = rows * MODELS.length >= LARGE ? undefined : BARE[form];
  let [disk, memory] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    progress(`${form}, round ${round + 1} of ${rounds}`);
    const where = ["--data", join(scratch, `data-${form}-${round}`)];
    if (bare !== undefined) add(IMPORT.bare, bare[0], peer(bare[1]).cpu);
    const duckdb = peer("duckdb");
    const start = run("import", PROJECT, small, ...where.slice(0, 1), `${where[1]}-small`).cpu;
    const imported = run("import", PROJECT, file, ...where);
    memory = Math.max(memory, imported.resident);
    const compare = ["compare", PROJECT, MODELS[0]!, MODELS[1]!, "--format", "json", ...where];
    const first = run(...compare);
    same(compared(first.stdout), duckdb.answer);
    disk = sizeOf(where[1]!);
    add(IMPORT.both, "DuckDB", duckdb.cpu);
    add(IMPORT.single, ASSAY, imported.cpu - start);
    add(IMPORT.both, ASSAY, imported.cpu + first.cpu);
    add(IMPORT.first, ASSAY, first.cpu);
    add(IMPORT.later, ASSAY, run(...compare).cpu);
    const unkept = run("compare", file, MODELS[0]!, MODELS[1]!, "--format", "json");
    same(compared(unkept.stdout), duckdb.answer);
    add(IMPORT.unkept, ASSAY, unkept.cpu);
  }
  return [
    ...Array.from(times, ([name, taken]): Measurement => {
      const [workload, contender] = name.split("\0") as [string, string];
      return { data, workload, contender, unit: "ms", ...timingOf(taken) };
    }),
    single(data, IMPORT.file, ASSAY, "bytes", statSync(file).size),
    single(data, IMPORT.disk, ASSAY, "bytes", disk),
    single(data, IMPORT.memory, ASSAY, "bytes", memory),
  ];
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

interface Measure {
  readonly baseline: { readonly mean: number };
  readonly candidate: { readonly mean: number };
  readonly difference: number;
  readonly se: number;
  readonly wins: number;
  readonly losses: number;
}

function compared(answer: string): unknown {
  const [{ measures }] = (JSON.parse(answer) as { comparisons: [{ measures: readonly Measure[] }] })
    .comparisons;
  return measures.map(({ baseline, candidate, difference, se, wins, losses }) => [
    ...[baseline.mean, candidate.mean, difference, se],
    ...[wins, losses],
  ]);
}

function same(ours: unknown, theirs: unknown): void {
  const round = (value: unknown) =>
    JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(6)) : one));
  if (round(ours) !== round(theirs))
    throw new Error(`the verdict ${round(ours)} differs from DuckDB's, ${round(theirs)}`);
}
