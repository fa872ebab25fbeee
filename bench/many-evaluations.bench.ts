// Does the cost of a query depend on the data that it reads, or on the size of the project? Lists and comparisons in
// projects with few and with many evaluations, by the command and by a new server, compared with SQL in DuckDB over the
// same trials.

import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { addressOf } from "../testing/src/spawn.mjs";
import { timingOf } from "./interleave.ts";
import type { Measurement, Unit } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY, MANY } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const PROJECT = "acme/many";
/** The number of evaluations, and of trials in each. */
const SIZES = (process.env["ASSAY_BENCH_EVALUATIONS"] ?? "10x50,500x200,10000x50")
  .split(",")
  .map((size) => size.split("x").map(Number) as [evaluations: number, trials: number]);
const PAIR = ["run 3", "run 4"] as const;

await program(async ({ effort }) => {
  const measurements: Measurement[] = [];
  for (const [evaluations, trials] of SIZES)
    measurements.push(...(await measured(evaluations, trials, effort.rounds)));
  return measurements;
});

async function measured(
  evaluations: number,
  trials: number,
  rounds: number,
): Promise<readonly Measurement[]> {
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const [file, data, usage] = ["calls.jsonl", "data", "usage.json"].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  const times = new Map<string, number[]>();
  const add = (workload: string, contender: string, time: number) => {
    const name = `${workload}\0${contender}`;
    times.set(name, [...(times.get(name) ?? []), time]);
  };
  /** Runs the command and records its CPU time, which other load on the machine affects less than wall time. */
  const run = (workload: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", join(here, "usage-at-exit.mjs"), COMMAND, ...args, "--data", data],
      {
        encoding: "utf8",
        maxBuffer: 2 ** 30,
        env: { PATH: process.env["PATH"], ASSAY_BENCH_USAGE: usage },
      },
    );
    if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${stderr}`);
    add(workload, ASSAY, (JSON.parse(readFileSync(usage, "utf8")) as { readonly cpu: number }).cpu);
    return stdout;
  };

  try {
    progress(`${evaluations} evaluations of ${trials} trials`);
    await pipeline(Readable.from(lines(evaluations, trials)), createWriteStream(file));
    run("import", "import", PROJECT, file);
    const peer = await openPeer(file);
    const first = run(MANY.uncounted, "evaluations", PROJECT);
    same("the list", counted(first), await peer.list());
    same("the comparison", compared(run(MANY.compare, "compare", PROJECT, ...PAIR)), await peer.compare());
    for (let round = 0; round < rounds; round++) {
      run(MANY.list, "evaluations", PROJECT);
      run(MANY.compare, "compare", PROJECT, ...PAIR);
      for (const [workload, ask] of [
        [MANY.list, peer.list],
        [MANY.compare, peer.compare],
      ] as const) {
        const start = performance.now();
        await ask();
        add(workload, "DuckDB", performance.now() - start);
      }
      await askServer(data, add);
    }
    peer.close();
    const size = `${evaluations} × ${trials}`;
    return Array.from(times, ([name, taken]) => {
      const [workload, contender] = name.split("\0") as [string, string];
      return { data: size, workload, contender, unit: "ms" as Unit, ...timingOf(taken) };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Measures the wall time of the first responses of a new server. */
async function askServer(
  data: string,
  add: (workload: string, contender: string, time: number) => void,
): Promise<void> {
  const args = [COMMAND, "serve", "--port", "0", "--data", data];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    const of = `${await addressOf(server)}/v2/${PROJECT}/eval_results`;
    // Opens the connection first, as a running client would have.
    await (await fetch(`${of}/evaluations?named=unknown`)).text();
    const timed = async (workload: string, path: string, body?: unknown): Promise<void> => {
      const start = performance.now();
      const asked =
        body === undefined
          ? {}
          : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(`${of}/${path}`, asked);
      await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      add(workload, ASSAY, performance.now() - start);
    };
    await timed(MANY.served, "evaluations?order=newest&limit=50");
    const [baseline, candidate] = [idOf(3), idOf(4)];
    const query = { evaluation_call_ids: [baseline, candidate] };
    await timed(MANY.servedCompare, "compare", { query, baseline });
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

function idOf(evaluation: number): string {
  return `eval-${String(evaluation).padStart(5, "0")}`;
}

function* lines(evaluations: number, trials: number): Generator<string> {
  for (let e = 0; e < evaluations; e++) {
    const id = idOf(e);
    const started = new Date(Date.UTC(2026, 0, 1) + e * 60_000).toISOString();
    const times = { started_at: started, ended_at: started };
    for (let t = 0; t < trials; t++) {
      // A mixed congruential sequence, so that consecutive scores are independent.
      const drawn = ((e * trials + t) * 1_103_515_245 + 12_345) % 2 ** 31;
      const inputs = { example: { question: `What is ${t} times ${t + 1}?`, category: `c${t % 7}` } };
      const output = { output: `answer ${t * (t + 1)}`, scores: { correct: (drawn >> 16) % 10 < 7 } };
      const call = { id: `${id}-${t}`, parent_id: id, op_name: "Evaluation.predict_and_score", ...times };
      yield `${JSON.stringify({ ...call, inputs, output })}\n`;
    }
    yield `${JSON.stringify({ id, op_name: "Evaluation.evaluate", display_name: `run ${e}`, ...times })}\n`;
  }
}

/** DuckDB with the trials of the same lines in an in-memory table of typed columns. */
async function openPeer(file: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE trials AS SELECT parent_id AS evaluation, inputs.example.question AS question, output.scores.correct AS correct
     FROM read_json('${file}', format = 'newline_delimited') WHERE parent_id IS NOT NULL`,
  );
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
  return {
    list: () =>
      rows(
        "SELECT evaluation, count(*)::DOUBLE, count(DISTINCT question)::DOUBLE FROM trials GROUP BY evaluation ORDER BY evaluation",
      ),
    compare: async () =>
      (
        await rows(
          `SELECT avg(a.correct::INT), avg(b.correct::INT), count_if(b.correct > a.correct)::DOUBLE, count_if(b.correct < a.correct)::DOUBLE
           FROM trials a JOIN trials b USING (question) WHERE a.evaluation = '${idOf(3)}' AND b.evaluation = '${idOf(4)}'`,
        )
      )[0],
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function counted(list: string): unknown {
  const entries = JSON.parse(list) as readonly { id: string; trials: number; rows: number }[];
  return entries.map(({ id, trials, rows }) => [id, trials, rows]);
}

function compared(answer: string): unknown {
  const [{ measures }] = (JSON.parse(answer) as { comparisons: [{ measures: [Measure] }] }).comparisons;
  const [{ baseline, candidate, wins, losses }] = measures;
  return [baseline.mean, candidate.mean, wins, losses];
}

interface Measure {
  readonly baseline: { readonly mean: number };
  readonly candidate: { readonly mean: number };
  readonly wins: number;
  readonly losses: number;
}

function same(what: string, ours: unknown, theirs: unknown): void {
  const round = (value: unknown) =>
    JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(9)) : one));
  if (round(ours) !== round(theirs)) throw new Error(`${what} differs from DuckDB's`);
}
