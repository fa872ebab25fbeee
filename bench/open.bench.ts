// How long does `assay import` take, compared with only parsing the same lines; how long does a new process take from a
// closed data directory to the first answer; and how much memory does it use after running all queries?

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dataset } from "./dataset.ts";
import { timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { mmluPro } from "./mmlu-pro.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";
import { requestOf, WORKLOADS, type Workload } from "./workloads.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const DATA = "MMLU-Pro";
const IMPORTS = 3;
const OPENINGS = 7;

await program(async ({ mmluPro: folder }) => {
  if (folder === undefined) throw new Error("--mmlu-pro is required: the folder of the real evaluations");
  const dataset = mmluPro(folder);
  const calls = join(folder, "calls.jsonl");
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const times = new Map<string, number[]>();
  const add = (name: string, time: number) => times.set(name, [...(times.get(name) ?? []), time]);
  try {
    const directory = join(scratch, "data");
    for (let round = 0; round < IMPORTS; round++) {
      rmSync(directory, { recursive: true, force: true });
      progress("assay import");
      add(
        "assay import",
        timed(() => importInto(directory, dataset.project, folder)),
      );
      progress("JSON.parse of the same lines");
      add(
        "JSON.parse",
        timed(() => parse(calls)),
      );
    }

    const ask = (evaluations: number, workloads: readonly Workload[]): Opening => {
      const asked = { ...dataset, evaluations: dataset.evaluations.slice(0, evaluations) };
      return openOnce(directory, asked, workloads, scratch);
    };
    // The first process that queries builds the columns and saves them for the others.
    progress("the very first answer");
    add("first answer after import, all evaluations", ask(dataset.evaluations.length, ["everything"]).opened);
    for (let round = 0; round < OPENINGS; round++) {
      progress("opening in a fresh process");
      add("open, 2 evaluations", ask(2, ["everything"]).opened);
      add("open, 12 evaluations", ask(12, ["everything"]).opened);
    }
    const { resident } = ask(dataset.evaluations.length, WORKLOADS);

    const measurement = (workload: string, contender: string, name: string): Measurement => ({
      data: DATA,
      workload,
      contender,
      unit: "ms",
      ...timingOf(times.get(name)!),
    });
    return [
      measurement("assay import", ASSAY, "assay import"),
      measurement("assay import", "JSON.parse", "JSON.parse"),
      ...["first answer after import, all evaluations", "open, 2 evaluations", "open, 12 evaluations"].map(
        (name) => measurement(name, ASSAY, name),
      ),
      single(DATA, "resident memory", ASSAY, "bytes", resident),
      single(DATA, "resident memory", "calls.jsonl", "bytes", statSync(calls).size),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

interface Opening {
  readonly opened: number;
  readonly total_rows: number;
  readonly resident: number;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function importInto(directory: string, project: string, folder: string): void {
  const files = [join(folder, "calls.jsonl"), "--rows", join(folder, "rows.jsonl")];
  run([COMMAND, "import", project, ...files, "--data", directory]);
}

/** Parses line by line, as an importer would. */
function parse(path: string): void {
  const bytes = readFileSync(path);
  let from = 0;
  for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
    JSON.parse(bytes.toString("utf8", from, to));
    from = to + 1;
  }
}

function openOnce(
  directory: string,
  dataset: Dataset,
  workloads: readonly Workload[],
  scratch: string,
): Opening {
  const bodies = join(scratch, "bodies.json");
  writeFileSync(bodies, JSON.stringify(workloads.map((workload) => requestOf(workload, dataset, 0))));
  const out = run(["--expose-gc", join(here, "open-once.mjs"), directory, dataset.project, bodies]);
  const opening = JSON.parse(out) as Opening;
  if (opening.total_rows === 0) throw new Error("nothing was found in the data directory");
  return opening;
}

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: here, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} exited with ${status}: ${stderr}`);
  return stdout;
}
