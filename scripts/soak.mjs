// npm run soak: puts mixed load on all areas of a built server for the given time, over data of constant size: writes
// replace existing data. Prints the number of responses, memory, open handles and the latency of health checks every
// minute. Exits with 1 if memory or handles grow, if health checks are late, or if a status is wrong. Memory is
// measured at the end of each minute, after all requests are answered and unused memory is returned to the system
// (scripts/held.mjs): of the heap, and of the whole process.
//   --minutes N    how long to run (30)
//   --rate N       requests per second, of all kinds (40)
//   --seed N       seed of the requests (1)
// Connects only to 127.0.0.1. The bounds are for an idle machine.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addressOf, COMMAND } from "../testing/src/spawn.mjs";

/** Bounds: growth per minute over the last two thirds, and milliseconds for health checks. */
const BOUNDS = { memory: 0.5, handles: 0.1, healthP99: 50, healthMost: 250 };
const ROWS = 2000;
/** Calls that are stored in one request before the soak. */
const BATCH = 500;
/** The number of lookups of three lists of calls before the soak, and the number of calls in each list. */
const LOOKUPS = 8000;
const LISTED = 64;
/** The number of concurrent lookups. */
const AT_ONCE = 8;
/**
 * The maximum of concurrent requests, below the 64 streams that a key may have (docs/reference/limits.md), since all of
 * them may be streams.
 */
const MOST_OPEN = 60;
const EVALUATIONS = ["a", "b", "c"];
const PROJECT = "/v2/soak/demo";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes > 0 && rate > 0)) {
  console.error("npm run soak -- [--minutes N] [--rate N] [--seed N]");
  process.exit(2);
}
const random = generator(Number(values.seed));

const home = mkdtempSync(join(tmpdir(), "assay-soak-"));
const heldFile = join(home, "held.json");
const held = ["--import", new URL("./held.mjs", import.meta.url).href];
const server = spawn(
  process.execPath,
  [...held, COMMAND, "serve", "--data", join(home, "data"), "--port", "0"],
  { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env.PATH, ASSAY_HELD: heldFile } },
);
try {
  const url = await addressOf(server);
  await fill(url);
  await fillQueues(url);
  process.exitCode = await soak(url);
} finally {
  server.kill("SIGTERM");
  await new Promise((resolve) => (server.exitCode === null ? server.once("exit", resolve) : resolve()));
  rmSync(home, { recursive: true, force: true });
}

/** The call of a trial, always the same for the same trial. */
function trial(evaluation, row) {
  const correct = (row * 7 + evaluation.charCodeAt(0)) % 3 > 0;
  return {
    id: `${evaluation}-${row}`,
    parent_id: evaluation,
    trace_id: evaluation,
    project_id: "soak/demo",
    attributes: {},
    summary: {},
    op_name: "Evaluation.predict_and_score",
    started_at: "2026-01-01T00:00:01Z",
    ended_at: "2026-01-01T00:00:02Z",
    inputs: { example: { question: `question ${row}`, category: `c${row % 14}` } },
    output: { output: `answer ${row}`, scores: { exam: { correct, quality: ((row * 31) % 97) / 97 } } },
  };
}

async function fill(url) {
  const calls = EVALUATIONS.flatMap((id) => [
    {
      ...{ id, parent_id: null, trace_id: id, op_name: "Evaluation.evaluate" },
      ...{ started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:10:00Z" },
      ...{
        inputs: { self: "weave:///soak/demo/object/e:v0", model: `weave:///soak/demo/object/m-${id}:v0` },
      },
    },
    ...Array.from({ length: ROWS }, (_, row) => trial(id, row)),
  ]);
  const lines = calls.map((call) => JSON.stringify(call)).join("\n");
  const answer = await ask(url, "POST", `${PROJECT}/calls/import`, lines, "application/x-ndjson");
  if (answer.status !== 200) throw new Error(`the data was refused: ${answer.status}`);
  // Once stored by the route that replaces them, calls stay the same, and the cache of recent calls contains all of
  // them. Replacing them one by one would fill the cache for longer than a soak takes.
  for (let row = 0; row < ROWS; row += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => trial("a", row + i));
    const { status } = await ask(url, "POST", `${PROJECT}/calls/complete`, JSON.stringify({ batch }));
    if (status !== 200) throw new Error(`the calls were refused: ${status}`);
  }
}

/**
 * DuckDB keeps information about the blocks of finished queries in eight queues, and frees the entries of a queue only
 * when it has more than 32,768: about 45 MiB in total, which would take hours to fill. A long-running server has full
 * queues, so the soak fills them first. A join with a list adds up to sixteen blocks.
 */
async function fillQueues(url) {
  const list = Array.from({ length: LISTED }, (_, i) => `unknown-${i}`);
  const filter = { call_ids: list, parent_ids: list, trace_ids: list };
  const body = JSON.stringify({ project_id: "soak/demo", filter, limit: 1 });
  let left = LOOKUPS;
  const lookUp = async () => {
    while (left-- > 0) {
      const { status } = await ask(url, "POST", "/calls/stream_query", body);
      if (status !== 200) throw new Error(`the calls were not looked up: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookUp));
}

/** All kinds of requests: the weight, method, path and body of each, and the expected status if it is not 200. */
function questions() {
  const threshold = random();
  const query = {
    evaluation_call_ids: EVALUATIONS,
    filters: [{ query: { $expr: { $gt: [{ $getField: "scores.exam.quality" }, { $literal: threshold }] } } }],
    sort_by: [{ field: "scores.exam.quality", direction: "desc", mode: "difference" }],
    limit: 50,
  };
  const chat = (stream) => ({
    model: "assay/tiny",
    messages: [{ role: "user", content: `What is ${Math.floor(random() * 9)}+1?` }],
    max_tokens: 8,
    stream,
  });
  const row = Math.floor(random() * ROWS);
  const batch = [row, row + 1].map((one) => trial("a", one % ROWS));
  return [
    [6, "POST", `${PROJECT}/eval_results/query`, { ...query, include_summary: true }],
    [3, "POST", `${PROJECT}/eval_results/compare`, { query, baseline: "a" }],
    [
      2,
      "POST",
      `${PROJECT}/eval_results/slices`,
      { query, baseline: "a", candidate: "b", measure: "scores.exam.correct", fields: ["inputs.category"] },
    ],
    [
      1,
      "POST",
      `${PROJECT}/eval_results/query`,
      { ...query, include_raw_data_rows: true, offset: row % 500 },
    ],
    [1, "GET", `${PROJECT}/calls/export?evaluation=b`],
    [2, "GET", `${PROJECT}/eval_results/watch?evaluation=c`],
    [3, "POST", "/v1/chat/completions", chat(false)],
    [3, "POST", "/v1/chat/completions", chat(true)],
    [1, "GET", "/v1/models"],
    [1, "GET", "/v1/usage?group_by=model"],
    [1, "GET", "/v1/preview/training-jobs"],
    [2, "POST", `${PROJECT}/calls/complete`, { batch }],
    [2, "POST", "/calls/stream_query", { project_id: "soak/demo", limit: 50, offset: row }],
    [1, "GET", "/"],
    [1, "POST", `${PROJECT}/eval_results/query`, { limit: -1 }, 422],
  ];
}

function anyQuestion() {
  const all = questions();
  let at = random() * all.reduce((sum, [weight]) => sum + weight, 0);
  for (const question of all) {
    at -= question[0];
    if (at < 0) return question;
  }
  return all[0];
}

async function soak(url) {
  const state = { on: true, resting: false, open: new Set(), answers: 0, faults: new Map(), health: [] };
  const samples = [];
  const begun = performance.now();
  const watching = [watchHealth(url, state), load(url, state)];
  const wholeHealth = [];
  console.log("minute | answers | heap MiB | memory MiB | handles | health p99 ms | health most ms");
  for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
    await wait(begun + Math.min(minute, minutes) * 60_000 - performance.now());
    const sample = await atRest(state);
    samples.push({ at: minute, ...sample });
    const [p99, most] = [quantile(state.health, 0.99), quantile(state.health, 1)];
    const { heap, memory, handles } = sample;
    console.log([minute, state.answers, heap, memory, handles, p99, most].map(shown).join(" | "));
    wholeHealth.push(...state.health.splice(0));
  }
  state.on = false;
  await Promise.all(watching);
  const seen = {
    memory: slope(late(samples), "memory"),
    handles: slope(late(samples), "handles"),
    healthP99: quantile(wholeHealth, 0.99),
    healthMost: quantile(wholeHealth, 1),
  };
  for (const [name, bound] of Object.entries(BOUNDS))
    console.log(
      `${name}: ${seen[name].toFixed(2)} (at most ${bound})${seen[name] <= bound ? "" : " BROKEN"}`,
    );
  for (const [what, count] of state.faults) console.log(`${count} × ${what} BROKEN`);
  console.log(`${state.answers} answers in ${minutes} minutes, seed ${values.seed}`);
  const holds = Object.entries(BOUNDS).every(([name, bound]) => seen[name] <= bound);
  return holds && state.faults.size === 0 ? 0 : 1;
}

/**
 * Measures the server's memory and handles once all requests are answered. It pauses health checks, which would wait
 * for the garbage collection that is part of the measurement.
 */
async function atRest(state) {
  state.resting = true;
  while (state.open.size > 0) await wait(20);
  const sample = { ...(await heldMemory()), handles: readdirSync(`/proc/${server.pid}/fd`).length };
  state.resting = false;
  return sample;
}

/**
 * Sends requests at the given rate regardless of latency, but never more than `MOST_OPEN` at once. It does not make up
 * for late requests, because a burst is not the intended load.
 */
async function load(url, state) {
  for (let due = performance.now(); state.on; due = Math.max(due, performance.now()) + 1000 / rate) {
    await wait(due - performance.now());
    while (state.resting || state.open.size >= MOST_OPEN) await wait(5);
    const [, method, path, body, expected = 200] = anyQuestion();
    const asked = ask(url, method, path, body && JSON.stringify(body)).then(({ status }) => {
      state.answers++;
      if (status === expected) return;
      const what = `${method} ${path.split("?")[0]}: ${status}`;
      state.faults.set(what, (state.faults.get(what) ?? 0) + 1);
    });
    whileOpen(state, asked);
  }
  await Promise.all(state.open);
}

async function watchHealth(url, state) {
  while (state.on) {
    await wait(50);
    if (state.resting) continue;
    const begun = performance.now();
    await whileOpen(state, ask(url, "GET", "/v1/health"));
    state.health.push(performance.now() - begun);
  }
}

function whileOpen({ open }, asked) {
  open.add(asked);
  return asked.finally(() => open.delete(asked));
}

/** Sends a request and reads the whole response; closes a watch stream after half a second. */
function ask(url, method, path, body, type = "application/json") {
  return new Promise((resolve) => {
    const headers =
      body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
    const asked = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
      answer.resume();
      if (path.includes("/watch")) setTimeout(() => asked.destroy(), 500);
      answer.once("close", () => resolve({ status: answer.statusCode }));
      answer.once("error", () => {});
    });
    asked.once("error", (error) => resolve({ status: error.code }));
    asked.end(body);
  });
}

/** The memory that the server uses, in MiB: of the heap, and of the process without free heap. */
async function heldMemory() {
  rmSync(heldFile, { force: true });
  server.kill("SIGUSR2");
  while (!existsSync(heldFile)) await wait(50);
  const { rss, heapTotal, heapUsed } = JSON.parse(readFileSync(heldFile, "utf8"));
  return { heap: heapUsed / 2 ** 20, memory: (rss - heapTotal + heapUsed) / 2 ** 20 };
}

/** The samples of the last two thirds; before that, caches fill. */
function late(samples) {
  return samples.filter(({ at }) => at > minutes / 3);
}

function shown(figure) {
  return Number.isInteger(figure) ? figure : figure.toFixed(1);
}

/** The growth of `name` per minute: the slope of the least-squares line. */
function slope(samples, name) {
  const mean = (key) => samples.reduce((sum, one) => sum + one[key], 0) / samples.length;
  const [at, value] = [mean("at"), mean(name)];
  const both = samples.reduce((sum, one) => sum + (one.at - at) * (one[name] - value), 0);
  return both / samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
}

function quantile(some, part) {
  const sorted = some.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns random numbers in [0, 1) from a seed (xorshift). */
function generator(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
