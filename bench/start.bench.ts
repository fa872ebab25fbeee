// What does starting the command cost, and importing a library? Measures CPU time of all threads: starting waits for
// nothing, and other load on the machine affects CPU time less than wall time.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY, START } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const PROJECT = "acme/small";
const ROWS: readonly number[] = Array.from({ length: 20 }, (_, i) => i);
/** Packages to import, from a folder that depends on them. */
const LIBRARIES = ["eval-engine", "trace-core", "training-core", "adapters-http", "server"];

await program(async ({ effort }) => {
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const usage = join(scratch, "usage.json");
  const env = { PATH: process.env["PATH"], ASSAY_BENCH_USAGE: usage };
  const measured = (args: readonly string[]) => ["--import", join(here, "usage-at-exit.mjs"), ...args];
  const used = (): number => (JSON.parse(readFileSync(usage, "utf8")) as { readonly cpu: number }).cpu;

  /** The CPU time of a run in milliseconds. */
  const run = (args: readonly string[], cwd: string = scratch): number => {
    const { status, stderr } = spawnSync(process.execPath, measured(args), { cwd, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${stderr}`);
    return used();
  };
  /** The CPU time of a server that is stopped as soon as it responds. */
  const serve = async (data: string): Promise<number> => {
    const args = measured([COMMAND, "serve", "--port", "0", "--data", data]);
    const child = spawn(process.execPath, args, { cwd: scratch, env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "close");
    for await (const piece of child.stdout) if (String(piece).includes("answers at")) break;
    child.kill("SIGTERM");
    await ended;
    return used();
  };

  try {
    const [calls, rows, data] = ["calls.jsonl", "rows.jsonl", "data"].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(calls, linesOf(smallCalls()));
    writeFileSync(rows, linesOf(ROWS.map((i) => ({ digest: `r${i}`, val: { question: `${i} + ${i}?` } }))));
    const importInto = (folder: string) =>
      run([COMMAND, "import", PROJECT, calls, "--rows", rows, "--data", folder]);
    importInto(data);
    // The first query after an import saves the columns for later ones.
    run([COMMAND, "query", PROJECT, "--data", data]);

    let imports = 0;
    const steps: Readonly<Record<string, () => number | Promise<number>>> = {
      [START.node]: () => run(["-e", "0"]),
      [START.version]: () => run([COMMAND, "--version"]),
      [START.import]: () => {
        mkdirSync(join(scratch, "imports"), { recursive: true });
        return importInto(join(scratch, "imports", String(imports++)));
      },
      [START.evaluations]: () => run([COMMAND, "evaluations", PROJECT, "--data", data]),
      [START.query]: () => run([COMMAND, "query", PROJECT, "--data", data]),
      [START.compare]: () => run([COMMAND, "compare", PROJECT, "--data", data]),
      [START.serve]: () => serve(data),
      ...Object.fromEntries(
        LIBRARIES.map((name) => [
          `import "@assay/${name}"`,
          () =>
            run(["--input-type=module", "-e", `import "@assay/${name}"`], join(here, "../packages/server")),
        ]),
      ),
    };
    const times = new Map<string, number[]>(Object.keys(steps).map((name) => [name, []]));
    for (let round = 0; round < effort.rounds; round++) {
      progress(`start, round ${round + 1} of ${effort.rounds}`);
      for (const [name, step] of Object.entries(steps)) times.get(name)!.push(await step());
    }
    return Array.from(times, ([workload, samples]): Measurement => {
      const sorted = samples.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
      const timing = { median: at(0.5), p25: at(0.25), p75: at(0.75), min: sorted[0]!, runs: sorted.length };
      return { data: START.data, workload, contender: ASSAY, unit: "ms", ...timing };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Two evaluations of twenty rows. */
function smallCalls(): readonly object[] {
  return ["a", "b"].flatMap((name, e) => [
    {
      id: name,
      op_name: "Evaluation.evaluate",
      display_name: `model ${name}`,
      started_at: `2026-01-0${e + 1}T00:00:00Z`,
      ended_at: `2026-01-0${e + 1}T00:01:00Z`,
    },
    ...ROWS.map((i) => ({
      id: `${name}${i}`,
      parent_id: name,
      op_name: "Evaluation.predict_and_score",
      inputs: { example: `rows/attr/rows/id/r${i}` },
      output: { output: String(2 * i), scores: { correct: (i * 7 + e * 3) % 5 > e } },
    })),
  ]);
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
