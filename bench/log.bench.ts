// How many calls per second does `assay serve` accept from clients that log evaluations, if it acknowledges each only
// once it is on disk; and does its memory stay constant? The clients run in this process, the server in another.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf } from "../testing/src/spawn.mjs";
import { timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const PROJECT = "acme/bench";
/** Pieces of calls per request, and concurrent requests: a few programs that log in batches, as the SDKs do. */
const BATCH = 100;
const CLIENTS = 8;
/** The number of trials in each evaluation. */
const TRIALS = 5000;

const QUESTION = "Which of the following is the best answer to the question above, and why? ".repeat(4);

/** Returns the body that logs the next batch: pieces as `{ mode, req }`, with new ids each time. */
type NextBatch = () => { readonly text: string; readonly calls: number };

await program(async ({ effort }) => {
  const seconds = effort.rounds >= 10 ? 60 : 15;
  return [
    ...(await measure("a start and an end, in two requests", seconds, startsThenEnds)),
    ...(await measure("whole calls", seconds, wholeCalls)),
  ];
});

async function measure(
  workload: string,
  seconds: number,
  batches: () => NextBatch,
): Promise<readonly Measurement[]> {
  progress(`logging for ${seconds} s: ${workload}`);
  const directory = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const server = spawn(process.execPath, [COMMAND, "serve", "--data", directory, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const taken: number[] = [];
    const resident: number[] = [];
    let [calls, refusals] = [0, 0];
    const end = performance.now() + seconds * 1000;
    const client = async (): Promise<void> => {
      const next = batches();
      while (performance.now() < end) {
        const batch = next();
        while ((await post(agent, url, batch.text)) === 429) {
          refusals++;
          await new Promise((resume) => setTimeout(resume, 1000));
        }
        calls += batch.calls;
      }
    };
    let before = 0;
    const sampling = setInterval(() => {
      taken.push(calls - before);
      before = calls;
      resident.push(residentBytes(server.pid!));
    }, 1000);
    const [started, busyBefore] = [performance.now(), cpuSeconds(server.pid!)];
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(sampling);
    const rate = calls / ((performance.now() - started) / 1000);
    agent.destroy();
    progress(`${Math.round(rate)} calls/s, ${refusals} times 429; each second: ${taken.join(" ")}`);
    const busy = cpuSeconds(server.pid!) - busyBefore;
    progress(
      `the server was busy for ${busy.toFixed(1)} s: ${Math.round(calls / busy)} calls per second of its work`,
    );
    progress(`resident, MiB: ${resident.map((bytes) => Math.round(bytes / 2 ** 20)).join(" ")}`);
    // The first seconds are a warm-up; memory must not grow after them.
    const [early, late] = [resident.slice(2, 5), resident.slice(-3)].map((some) => Math.max(...some));
    const data = "calls over HTTP";
    return [
      {
        data,
        workload: `${workload}: calls/s`,
        contender: ASSAY,
        unit: "calls/s",
        ...timingOf(taken.slice(1)),
      },
      single(data, `${workload}: resident after 5 s`, ASSAY, "bytes", early!),
      single(data, `${workload}: resident at the end`, ASSAY, "bytes", late!),
    ];
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Each request contains the starts of new calls and the ends of the previous ones. */
function startsThenEnds(): NextBatch {
  const evaluations = evaluationIds();
  let open: string[] = [];
  return () => {
    const pieces: string[] = open.map((id) => `{"mode":"end","req":{"end":${endOf(id)}}}`);
    const calls = open.length;
    open = Array.from({ length: BATCH / 2 }, () => randomUUID());
    for (const id of open) pieces.push(`{"mode":"start","req":{"start":${startOf(id, evaluations())}}}`);
    return { text: `{"batch":[${pieces.join(",")}]}`, calls };
  };
}

function wholeCalls(): NextBatch {
  const evaluations = evaluationIds();
  return () => {
    const pieces = Array.from({ length: BATCH }, () => {
      const id = randomUUID();
      const [start, end] = [startOf(id, evaluations()), endOf(id)];
      return `{"mode":"complete","req":${start.slice(0, -1)},${end.slice(1)}}`;
    });
    return { text: `{"batch":[${pieces.join(",")}]}`, calls: BATCH };
  };
}

function evaluationIds(): () => string {
  let [evaluation, trials] = ["", 0];
  return () => {
    if (trials++ % TRIALS === 0) evaluation = randomUUID();
    return evaluation;
  };
}

/** Contains about as much text as a question with its choices. */
function startOf(id: string, parent: string): string {
  return (
    `{"project_id":"${PROJECT}","id":"${id}","trace_id":"${parent}","parent_id":"${parent}",` +
    `"op_name":"weave:///acme/bench/op/Evaluation.predict_and_score:abc","started_at":"${new Date().toISOString()}",` +
    `"attributes":{"weave":{"client_version":"0.11.1","source":"js-sdk"}},` +
    `"inputs":{"example":{"id":"${id}","question":"${QUESTION}"},"model":"weave:///acme/bench/object/m:v0"}}`
  );
}

function endOf(id: string): string {
  return (
    `{"project_id":"${PROJECT}","id":"${id}","ended_at":"${new Date().toISOString()}",` +
    `"output":{"output":{"answer":"B","reasoning":"${QUESTION}"},"scores":{"exact":true,"judge":{"score":0.75}},` +
    `"model_latency":1.25},"summary":{"usage":{"m":{"total_tokens":321}}}}`
  );
}

async function post(agent: Agent, url: string, body: string): Promise<number> {
  const bytes = Buffer.from(body);
  const headers = { "Content-Type": "application/json", "Content-Length": bytes.length };
  const sent = request(`${url}/call/upsert_batch`, { method: "POST", agent, headers });
  sent.end(bytes);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  const status = response.statusCode ?? 0;
  if (status !== 200 && status !== 429) throw new Error(`the server responded with status ${status}`);
  return status;
}

/** The resident memory of a process in bytes; NaN without /proc. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** The CPU time in seconds that all threads of a process have used; NaN without /proc. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // Clock ticks of user and system time; Linux reports 100 per second.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}
