// npm run silent: one key opens a hundred connections to a built server that send nothing, send slowly or never read
// the response. Measures the latency of another key before and meanwhile; exits with 1 if the latency more than doubles
// or a request is refused.
//   --connections N   number of connections (100)
//   --asks N          number of requests of the other key, before and meanwhile (300)
// Connects only to 127.0.0.1.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addressOf, COMMAND } from "../testing/src/spawn.mjs";

const MOST_TIMES_LONGER = 2;
const PROJECT = "/v2/silent/demo";

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "100" },
    asks: { type: "string", default: "300" },
  },
});
const [connections, asks] = [Number(values.connections), Number(values.asks)];
if (!(connections > 0 && asks > 0)) {
  console.error("npm run silent -- [--connections N] [--asks N]");
  process.exit(2);
}

const data = mkdtempSync(join(tmpdir(), "assay-silent-"));
const env = { PATH: process.env.PATH };
const newKey = (name) =>
  execFileSync(
    process.execPath,
    [COMMAND, "keys", "create", "--name", name, "--scope", "*", "--data", data],
    {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  ).trim();
const keys = { silent: newKey("silent"), other: newKey("other") };
const server = spawn(process.execPath, [COMMAND, "serve", "--data", data, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
  env,
});
try {
  const url = await addressOf(server);
  await fill(url);
  const before = await asked(url);
  const open = await silentConnections(new URL(url));
  const meanwhile = await asked(url);
  for (const socket of open) socket.destroy();
  const times = meanwhile.median / before.median;
  console.log(
    `${open.length} silent connections of one key; ${asks} requests of another took ${before.median.toFixed(2)} ms before and ${meanwhile.median.toFixed(2)} ms meanwhile (median), at most ${meanwhile.most.toFixed(1)} ms, ${meanwhile.refused} refused`,
  );
  if (times > MOST_TIMES_LONGER || meanwhile.refused > 0) process.exitCode = 1;
} finally {
  server.kill("SIGTERM");
  await new Promise((resolve) => (server.exitCode === null ? server.once("exit", resolve) : resolve()));
  rmSync(data, { recursive: true, force: true });
}

async function fill(url) {
  const root = { id: "a", trace_id: "a", parent_id: null, op_name: "Evaluation.evaluate" };
  const trials = Array.from({ length: 2000 }, (_, row) => ({
    ...{ id: `a-${row}`, trace_id: "a", parent_id: "a", op_name: "Evaluation.predict_and_score" },
    ...{ inputs: { example: { question: row } }, output: { output: "", scores: { exam: row % 3 > 0 } } },
  }));
  const lines = [root, ...trials].map((call) =>
    JSON.stringify({ started_at: "2026-01-01T00:00:00Z", ...call }),
  );
  const answer = await fetch(`${url}${PROJECT}/calls/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.other}`, "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  if (!answer.ok) throw new Error(`the data was refused: ${answer.status} ${await answer.text()}`);
}

/** Sends requests with the other key one after another, each with a different threshold so that no cache applies. */
async function asked(url) {
  const [took, statuses] = [[], []];
  for (let i = 0; i < asks; i++) {
    const $gt = [{ $getField: "inputs.question" }, { $literal: i }];
    const body = { evaluation_call_ids: ["a"], filters: [{ query: { $expr: { $gt } } }], limit: 10 };
    const begun = performance.now();
    const answer = await fetch(`${url}${PROJECT}/eval_results/query`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.other}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    took.push(performance.now() - begun);
    statuses.push(answer.status);
  }
  took.sort((a, b) => a - b);
  const refused = statuses.filter((status) => status !== 200).length;
  return { median: took[took.length >> 1], most: took.at(-1), refused };
}

/** Opens connections with the first key, in equal numbers of each kind. */
async function silentConnections({ hostname, port }) {
  const head = (method, path, ...more) =>
    [
      `${method} ${path} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${keys.silent}`,
      ...more,
      "",
      "",
    ].join("\r\n");
  const json = ["Content-Type: application/json", "Content-Length: 1000"];
  const kinds = [
    // Sends nothing.
    () => {},
    // Sends half a request head.
    (socket) => socket.write("POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n"),
    // Announces a body and does not send it.
    (socket) => socket.write(head("POST", `${PROJECT}/eval_results/query`, ...json)),
    // Sends the body one byte at a time.
    (socket) => {
      socket.write(head("POST", `${PROJECT}/eval_results/query`, ...json));
      const trickle = setInterval(() => socket.write(" "), 200);
      socket.once("close", () => clearInterval(trickle));
    },
    // Never reads a stream.
    (socket) => {
      socket.pause();
      socket.write(head("GET", `${PROJECT}/eval_results/watch?evaluation=a`));
    },
    // Never reads a large response.
    (socket) => {
      socket.pause();
      socket.write(head("GET", `${PROJECT}/calls/export`));
    },
  ];
  const sockets = Array.from({ length: connections }, (_, i) => {
    const socket = connect(Number(port), hostname, () => kinds[i % kinds.length](socket));
    socket.on("error", () => {});
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return sockets;
}
