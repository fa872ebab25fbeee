// npm run hostile: sends adversarial bodies to every route of the built server, filling each list, object and text of
// the body up to the route's limit, plain and gzipped. Prints a row for each body: status, size of the response,
// latency, latency of a concurrent health check, the longest turn of the server's event loop in milliseconds of CPU
// time, growth of memory, and the promises that it broke. Ends with a summary; exits with 1 if a promise is broken.
//   --bytes=N      sends at most N bytes
//   --plain        does not gzip
//   --health=MS    the limit for a health check (250); on a busy machine it says little
//   --turn=MS      the limit for the CPU time of a turn (250)
//   --only=TEXT    only routes with this text in their path
//   --every=N      only every Nth body
//   --filling=TEXT only fillings with this text in their name: "fewer" is just below what is refused
//   --command=FILE tests another built command than packages/cli/bundle/assay.js
//   --table=FILE   writes the worst values of each route as Markdown
// Connects only to 127.0.0.1, and sends one request at a time.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, COMMAND } from "../testing/src/spawn.mjs";
import { bodies, FORM_TYPE } from "./hostile-bodies.mjs";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const MEMORY_MIB = 512;
const ANSWER_BYTES = 64 * 1024;
// A long text of a body consists only of this letter: a refusal may repeat at most a hundred characters of it.
const REPEATED = "a".repeat(101);
const DEADLINE_MS = 60_000;

const options = new Map(process.argv.slice(2).map((one) => one.split("=")));
const healthMs = Number(options.get("--health") ?? 250);
const turnMs = Number(options.get("--turn") ?? 250);
const mostBytes = Number(options.get("--bytes") ?? Number.POSITIVE_INFINITY);
const only = options.get("--only");

const home = mkdtempSync(join(tmpdir(), "assay-hostile-"));
writeFileSync(join(home, "training.json"), '{"trainers":[{"type":"worker","base_models":["remote/*"]}]}');

const rows = [];
let server = await start();
try {
  const document = await (await fetch(`${server.url}/openapi.json`)).json();
  let all = bodies(document, { ...(await prepared(server.url)), mostBytes });
  if (only !== undefined) all = all.filter(({ path }) => path.includes(only));
  const filling = options.get("--filling");
  if (filling !== undefined) all = all.filter((body) => body.filling.includes(filling));
  const every = Number(options.get("--every") ?? 1);
  const from = Number(options.get("--from") ?? 0);
  all = all.filter((_, i) => i % every === from);
  const begun = performance.now();
  console.log(
    "route | place | filling | sent MiB | status | answer KiB | ms | health ms | turn ms | memory MiB | verdict",
  );
  for (const body of all) {
    rows.push(await tried(body, false));
    // Bodies that are read whole are the same after decompression.
    if (!options.has("--plain") && body.whole) rows.push(await tried(body, true));
  }
  console.log(summaryOf(rows, (performance.now() - begun) / 1000));
  const broken = rows.filter(({ wrong }) => wrong.length > 0).length;
  if (options.has("--table")) writeFileSync(options.get("--table"), worstOf(rows));
  process.exitCode = broken > 0 ? 1 : 0;
} finally {
  server.child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
}

/** Starts a server with a new data directory. */
async function start() {
  const child = spawn(
    process.execPath,
    [
      "--max-old-space-size=1024",
      "--import",
      new URL("hostile-turns.mjs", import.meta.url).href,
      options.get("--command") ?? COMMAND,
      ...["serve", "--data", mkdtempSync(join(home, "data-")), "--port", "0"],
      ...["--training", join(home, "training.json")],
    ],
    { env: { PATH: process.env.PATH }, stdio: ["ignore", "pipe", "inherit", "ipc"] },
  );
  return { child, url: await addressOf(child) };
}

/** Creates a model, a job that a worker has claimed, and a table, so that bodies pass the checks that these exist. */
async function prepared(url) {
  const post = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const model = await post("/v1/preview/models", {
    ...{ entity: "acme", project: "demo", name: "hostile", base_model: "remote/x" },
  });
  const logprobs = { content: [{ token: "x", logprob: -1, top_logprobs: [] }] };
  const choice = { logprobs, finish_reason: "stop", index: 0, message: { role: "assistant", content: "x" } };
  const trajectory = (reward) => ({ reward, messages_and_choices: [{ role: "user", content: "x" }, choice] });
  const job = await post("/v1/preview/training-jobs", {
    model_id: model.id,
    trajectory_groups: [{ trajectories: [trajectory(0), trajectory(1)] }],
  });
  await post("/v1/preview/worker/claim", { worker: "w" });
  const { digest } = await post("/table/create", { table: { project_id: "acme/demo", rows: [{ n: 1 }] } });
  const time = '"2026-01-01T00:00:00Z"';
  return {
    parameters: { entity: "acme", project: "demo", model_id: model.id, training_job_id: job.id },
    known: {
      ...{
        project_id: '"acme/demo"',
        model_id: JSON.stringify(model.id),
        attempt: "1",
        started_at: time,
        ended_at: time,
      },
      ...{ digest: JSON.stringify(digest), base_digest: JSON.stringify(digest), model: '"assay/tiny"' },
      messages: '[{"role":"user","content":"x"}]',
    },
  };
}

/** Sends one body to the server, and restarts the server if it has exited. */
async function tried(body, gzip) {
  const parts = body.make(gzip);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const type = body.type === "multipart/form-data" ? FORM_TYPE : body.type;
  const { child } = server;
  let seen = await put({ ...body, type, gzip, parts, length });
  // A refusal may arrive before the body is sent; a client that is still writing then loses it with the connection.
  for (let again = 0; again < 2 && ["EPIPE", "ECONNRESET"].includes(seen.status); again++)
    seen = await put({ ...body, type, gzip, parts, length });
  const ended = child.exitCode !== null || child.signalCode !== null;
  const row = { ...seen, route: `${body.method} ${body.path}`, place: body.place, sent: length };
  row.filling = `${body.filling}${gzip ? " gzip" : ""}`;
  row.wrong = ended ? ["ended"] : wrongIn(row);
  console.log(lineOf(row));
  if (ended) {
    server = await start();
    await prepared(server.url);
  }
  return row;
}

function lineOf({ route, place, filling, sent, status, bytes, ms, health, turn, memory, wrong }) {
  const figures = [ms, health, turn, memory].map(Math.round);
  return [
    route,
    place,
    filling,
    (sent / 2 ** 20).toFixed(2),
    status,
    (bytes / 1024).toFixed(1),
    ...figures,
    wrong.length === 0 ? "kept" : `BROKEN: ${wrong.join(", ")}`,
  ].join(" | ");
}

function wrongIn({ status, bytes, repeats, health, turn, memory }) {
  const wrong = [];
  if (typeof status !== "number" || (status >= 500 && status !== 503 && status !== 507)) wrong.push("status");
  if (status === 413) wrong.push("larger than the limit");
  if (status >= 400 && bytes > ANSWER_BYTES) wrong.push("answer");
  if (status >= 400 && repeats) wrong.push("repeats the body");
  if (health > healthMs) wrong.push("health");
  if (turn > turnMs) wrong.push("turn");
  if (memory > MEMORY_MIB) wrong.push("memory");
  return wrong;
}

/** The worst values of all bodies, in one line. */
function summaryOf(all, seconds) {
  const most = (name, some = all) => Math.round(Math.max(0, ...some.map((row) => row[name])));
  const refusal = most(
    "bytes",
    all.filter(({ status }) => status >= 400),
  );
  return [
    `${all.length} bodies in ${Math.round(seconds)} s`,
    `longest health check ${most("health")} ms`,
    `longest turn ${most("turn")} ms`,
    `most memory ${most("memory")} MiB`,
    `longest refusal ${(refusal / 1024).toFixed(1)} KiB`,
    `${all.filter(({ wrong }) => wrong.length > 0).length} promises broken`,
  ].join(", ");
}

/** The worst values of each route, as a Markdown table. */
function worstOf(all) {
  const routes = Map.groupBy === undefined ? grouped(all) : Map.groupBy(all, ({ route }) => route);
  const most = (some, name) => Math.round(Math.max(...some.map((row) => row[name])));
  const lines = [...routes].map(([route, some]) => {
    const sent = (Math.max(...some.map((row) => row.sent)) / 2 ** 20).toFixed(2);
    const refusals = some.filter(({ status }) => status >= 400);
    const answer =
      refusals.length === 0 ? "–" : (Math.max(...refusals.map(({ bytes }) => bytes)) / 1024).toFixed(1);
    const statuses = [...new Set(some.map(({ status }) => status))].sort().join(" ");
    const broken = some.filter(({ wrong }) => wrong.length > 0).length;
    const figures = ["ms", "health", "turn", "memory"].map((name) => most(some, name));
    return `| ${[`\`${route.replaceAll(ID, "{id}")}\``, some.length, sent, statuses, answer, ...figures, broken].join(" | ")} |`;
  });
  return `# The worst bodies, by route

What \`npm run hostile -- --table=FILE\` measured: every list, object and text of every body that the OpenAPI document
describes, filled up to the limit of its route with empty objects, empty lists, zeros, empty texts and unique keys, plain and
gzipped, one after the other, to the built server with a heap of 1 GiB, on two cores. A row has what was worst of its route.
Promised are a health check within ${healthMs} ms meanwhile, no turn of the event loop above ${turnMs} ms of processor time,
at most ${MEMORY_MIB} MiB more memory than before, and refusals of at most ${ANSWER_BYTES / 1024} KiB that repeat at most a hundred
characters of what was sent; the last column counts the bodies that broke one of these.

| route | bodies | sent, MiB | statuses | longest refusal, KiB | ms | health, ms | turn, ms of CPU | memory, MiB | broken |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join("\n")}
`;
}

function grouped(all) {
  const routes = new Map();
  for (const row of all) routes.set(row.route, [...(routes.get(row.route) ?? []), row]);
  return routes;
}

async function put(sent) {
  const { child, url } = server;
  await longestTurn(child);
  const before = rss(child);
  const watch = { on: true, health: 0, memory: 0 };
  const watching = watchServer(url, watch, before, child);
  const begun = performance.now();
  const answer = await send(url, sent);
  const ms = performance.now() - begun;
  watch.on = false;
  watch.wake?.();
  await watching;
  return { ...answer, ms, health: watch.health, turn: await longestTurn(child), memory: watch.memory };
}

/** The longest turn of the event loop since the last call. */
function longestTurn(child) {
  if (!child.connected) return Promise.resolve(0);
  return new Promise((resolve) => {
    const answered = (turn) => {
      child.off("message", answered).off("disconnect", answered);
      resolve(turn ?? 0);
    };
    child.on("message", answered).on("disconnect", answered);
    child.send("turn", () => {});
  });
}

async function watchServer(url, watch, before, child) {
  while (watch.on) {
    const begun = performance.now();
    await new Promise((resolve) => {
      const asked = request(`${url}/v1/health`, { agent: false }, (answer) => {
        answer.resume();
        answer.once("close", resolve);
      });
      asked.once("error", resolve);
      asked.end();
    });
    watch.health = Math.max(watch.health, performance.now() - begun);
    watch.memory = Math.max(watch.memory, rss(child) - before);
    if (!watch.on) return;
    await new Promise((resolve) => {
      watch.wake = resolve;
      setTimeout(resolve, 20);
    });
  }
}

function send(url, { path, method, type, gzip, parts, length }) {
  return new Promise((resolve) => {
    const headers = { "Content-Type": type, "Content-Length": length };
    if (gzip) headers["Content-Encoding"] = "gzip";
    const asked = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
      let bytes = 0;
      let repeats = false;
      answer.on("data", (piece) => {
        bytes += piece.length;
        repeats ||= piece.includes(REPEATED);
      });
      answer.once("close", () => resolve({ status: answer.statusCode, bytes, repeats }));
      answer.once("error", () => {});
    });
    // Waits a moment: a response that came before the whole body was sent counts, and has its own event.
    asked.once("error", (error) => setTimeout(() => resolve({ status: error.code, bytes: 0 }), 100));
    asked.setTimeout(DEADLINE_MS, () => asked.destroy(Object.assign(new Error(), { code: "deadline" })));
    for (const part of parts) asked.write(part);
    asked.end();
  });
}

function rss({ pid, exitCode }) {
  if (exitCode !== null || process.platform !== "linux") return 0;
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
