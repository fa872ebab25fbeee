// npm run hostile: puts the worst bodies to every route and every list of the built server, at the route's own limit,
// plain and gzipped, and prints a table: the status, the size of the answer, how long it took, how long a health check
// waited meanwhile, and how much memory grew. Ends with 1 when a promise is broken. `--bytes=N` sends no more than that,
// `--plain` nothing gzipped, `--health=MS` allows so much (a machine that does other work is slower), and `--only=TEXT`
// takes the routes with this text in their path.
// Asks 127.0.0.1 alone, one request after the other.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bodies, uncovered } from "./hostile-bodies.mjs";

const MEMORY_MIB = 512;
const ANSWER_BYTES = 64 * 1024;
const DEADLINE_MS = 60_000;

const options = new Map(process.argv.slice(2).map((one) => one.split("=")));
const healthMs = Number(options.get("--health") ?? 250);
const mostBytes = Number(options.get("--bytes") ?? Number.POSITIVE_INFINITY);
const encodings = options.has("--plain") ? [false] : [false, true];
const only = options.get("--only");

const command = fileURLToPath(new URL("../packages/cli/dist/assay.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "assay-hostile-"));
const server = spawn(
  process.execPath,
  ["--max-old-space-size=1024", command, "serve", "--data", directory, "--port", "0"],
  { env: { PATH: process.env.PATH }, stdio: ["ignore", "pipe", "inherit"] },
);
let ended = false;
server.once("exit", () => {
  ended = true;
});

try {
  const url = await answeringAt();
  const { modelId, tableDigest } = await prepare(url);
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const missing = await uncovered(document);
  for (const one of missing) console.log(`not covered: ${one}`);
  const all = bodies({ modelId, tableDigest, mostBytes }).filter(
    ({ path }) => only === undefined || path.includes(only),
  );
  const broken = await putAll(url, all);
  console.log(`${all.length} bodies, ${broken} promises broken`);
  process.exitCode = broken > 0 || missing.length > 0 ? 1 : 0;
} finally {
  server.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
}

async function answeringAt() {
  let said = "";
  for await (const piece of server.stdout) {
    said += piece;
    const found = /answers at (http:\S+)/.exec(said)?.[1];
    if (found !== undefined) {
      server.stdout.resume();
      return found;
    }
  }
  throw new Error(`the server ended: ${said}`);
}

/** A model and a table, so that bodies get past the question whether there is one. */
async function prepare(url) {
  const post = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const model = { entity: "acme", project: "demo", name: "hostile", base_model: "assay/tiny" };
  const { id } = await post("/v1/preview/models", model);
  const { digest } = await post("/table/create", { table: { project_id: "acme/demo", rows: [{ n: 1 }] } });
  return { modelId: id, tableDigest: digest };
}

async function putAll(url, all) {
  console.log(
    "route | list | filling | sent MiB | status | answer KiB | ms | health ms | memory MiB | broken",
  );
  let broken = 0;
  for (const { path, place, method, type, bytes, filling } of all) {
    for (const gzip of encodings) {
      const body = gzip ? gzipSync(bytes(), { level: 1 }) : bytes();
      const seen = await put(url, { path, method, type, gzip, body });
      const wrong = wrongIn(seen);
      if (wrong.length > 0) broken++;
      console.log(
        [
          `${method} ${path}`,
          place,
          `${filling}${gzip ? " gzip" : ""}`,
          (body.length / 2 ** 20).toFixed(2),
          seen.status,
          (seen.bytes / 1024).toFixed(1),
          Math.round(seen.ms),
          Math.round(seen.health),
          Math.round(seen.memory),
          wrong.join(", "),
        ].join(" | "),
      );
      if (ended) throw new Error("the server has ended");
    }
  }
  return broken;
}

function wrongIn({ status, bytes, health, memory }) {
  const wrong = [];
  if (typeof status !== "number" || (status >= 500 && status !== 503 && status !== 507)) wrong.push("status");
  if (status >= 400 && bytes > ANSWER_BYTES) wrong.push("answer");
  if (health > healthMs) wrong.push("health");
  if (memory > MEMORY_MIB) wrong.push("memory");
  return wrong;
}

async function put(url, { path, method, type, gzip, body }) {
  const before = rss();
  const watch = { on: true, health: 0, memory: 0 };
  const watching = watchServer(url, watch, before);
  const begun = performance.now();
  const answer = await send(url, { path, method, type, gzip, body }, begun);
  const ms = performance.now() - begun;
  watch.on = false;
  await watching;
  return { ...answer, ms, health: watch.health, memory: watch.memory };
}

async function watchServer(url, watch, before) {
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
    watch.memory = Math.max(watch.memory, rss() - before);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function send(url, { path, method, type, gzip, body }) {
  return new Promise((resolve) => {
    const headers = { "Content-Type": type, "Content-Length": body.length };
    if (gzip) headers["Content-Encoding"] = "gzip";
    const asked = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.on("data", (piece) => {
        bytes += piece.length;
      });
      answer.once("close", () => resolve({ status: answer.statusCode, bytes }));
      answer.once("error", () => {});
    });
    // An answer that came before all was sent is an answer too: its own event comes first.
    asked.once("error", (error) => setTimeout(() => resolve({ status: error.code, bytes: 0 }), 100));
    asked.setTimeout(DEADLINE_MS, () => asked.destroy(Object.assign(new Error(), { code: "deadline" })));
    asked.end(body);
  });
}

function rss() {
  if (ended || process.platform !== "linux") return 0;
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
  return Number(kib ?? 0) / 1024;
}
