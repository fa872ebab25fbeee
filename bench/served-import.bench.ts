// Imports a whole project through the server while other clients send requests: how long do health requests wait
// meanwhile, and how soon is the first query answered, immediately and after a restart? Then the same with calls that a
// client logs.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { addressOf } from "../testing/src/spawn.mjs";
import { ASKER } from "./asker.ts";
import type { Dataset } from "./dataset.ts";
import { timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY, SERVED_IMPORT } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");

// Calls per request of a client that logs, as the SDKs send them.
const BATCH = 1000;
/** An idle server that only answers health requests uses less CPU time per second than this, in milliseconds. */
const QUIET = 300;

await program(async ({ rows }) => {
  const dataset = synthetic({ rows });
  const data = `${sizeName(rows)} × 8`;
  return [...(await measured(data, dataset, "imported")), ...(await measured(data, dataset, "logged"))];
});

async function measured(
  data: string,
  dataset: Dataset,
  how: "imported" | "logged",
): Promise<readonly Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const names = SERVED_IMPORT[how];
  let server = await start(directory);
  const figures: Measurement[] = [];
  const add = (workload: string, unit: Measurement["unit"], value: number) =>
    figures.push(single(data, workload, ASSAY, unit, value));
  try {
    const url = await server.url;
    const waits = await asking(`${url}/v1/health`, async () => {
      const [from, busy] = [performance.now(), server.cpu()];
      const bytes = await (how === "imported" ? importAll : logAll)(url, dataset);
      const took = performance.now() - from;
      progress(
        `${how}: ${(bytes / 1e6).toFixed(0)} MB in ${took.toFixed(0)} ms, ${server.cpu() - busy} ms of processor time`,
      );
      add(names.write, "ms", took);
    });
    add(names.health, "ms", Math.max(...waits));
    figures.push({ data, workload: names.typicalHealth, contender: ASSAY, unit: "ms", ...timingOf(waits) });
    if (how === "imported") add(SERVED_IMPORT.atOnce, "ms", await firstLook(url, dataset));
    else {
      const later = await asking(`${url}/v1/health`, () => server.settled());
      add(SERVED_IMPORT.healthAfter, "ms", Math.max(...later));
    }
    await server.settled();
    add(names.memory, "bytes", server.peak());
    await server.stop();
    server = await start(directory);
    add(names.restarted, "ms", await firstLook(await server.url, dataset));
    return figures;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The latencies of requests to `url` while `act` runs. */
async function asking(url: string, act: () => Promise<void>): Promise<readonly number[]> {
  const asker = new Worker(ASKER, { eval: true, workerData: url });
  try {
    await once(asker, "message");
    await act();
    const times = once(asker, "message");
    asker.postMessage("stop");
    return (await times)[0] as readonly number[];
  } finally {
    await asker.terminate();
  }
}

async function start(data: string) {
  const args = [COMMAND, "serve", "--port", "0", "--data", data];
  const server: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  const url = await addressOf(server);
  // Opens the connection first, as a running client would have.
  await (await fetch(`${url}/v1/health`)).text();
  const cpu = () => {
    const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // Ticks of ten milliseconds, in the fields `utime` and `stime`.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  return {
    url,
    cpu,
    /** The maximum resident memory in bytes. */
    peak: () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) * 1024,
    /** Resolves when the server has finished its background work. */
    async settled() {
      for (let quiet = 0; quiet < 4; ) {
        const before = cpu();
        await new Promise((resume) => setTimeout(resume, 1000));
        // Health requests continue all the time.
        quiet = cpu() - before <= QUIET ? quiet + 1 : 0;
      }
    },
    async stop() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}

function* linesOf(dataset: Dataset): Generator<string> {
  for (const e of dataset.evaluations.keys()) yield* dataset.lines(e);
}

async function importAll(url: string, dataset: Dataset): Promise<number> {
  let bytes = 0;
  function* pieces() {
    let piece = "";
    for (const line of linesOf(dataset)) {
      piece += `${line}\n`;
      if (piece.length < 262_144) continue;
      const encoded = Buffer.from(piece);
      bytes += encoded.length;
      yield encoded;
      piece = "";
    }
    yield Buffer.from(piece);
  }
  const response = await fetch(`${url}/v2/${dataset.project}/calls/import`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: Readable.toWeb(Readable.from(pieces())) as ReadableStream,
    duplex: "half",
  } as RequestInit);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${answer}`);
  return bytes;
}

async function logAll(url: string, dataset: Dataset): Promise<number> {
  let bytes = 0;
  let batch: string[] = [];
  const send = async () => {
    const body = `{"batch":[${batch.join(",")}]}`;
    bytes += body.length;
    const path = `${url}/v2/${dataset.project}/calls/complete`;
    const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const response = await fetch(path, asked);
    const answer = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${answer}`);
    batch = [];
  };
  for (const line of linesOf(dataset)) {
    batch.push(line);
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
  return bytes;
}

/** The first page over all evaluations, with their summary. */
async function firstLook(url: string, { project, evaluations }: Dataset): Promise<number> {
  const body = { evaluation_call_ids: evaluations, limit: 50, include_summary: true };
  const from = performance.now();
  const response = await fetch(`${url}/v2/${project}/eval_results/query`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${answer}`);
  return performance.now() - from;
}
