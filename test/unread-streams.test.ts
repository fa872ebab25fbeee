// What clients that ask and never read may hold of the built server: watches, exports and lists of calls.

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AssayProcess, startAssay } from "./weave/assay-process.ts";

const directory = mkdtempSync(join(tmpdir(), "assay-unread-"));
const KEY = "k".repeat(32);
const STREAMS = 24;
let server: AssayProcess;
let url = "";

beforeAll(async () => {
  const env = { ASSAY_API_KEY: KEY, NODE_OPTIONS: "--max-old-space-size=1024" };
  server = await startAssay(directory, env, ["--streams", `${STREAMS}`]);
  url = server.url;
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

function ask(path: string, options: RequestInit & { key?: string } = {}): Promise<Response> {
  const { key = KEY, headers, ...rest } = options;
  return fetch(`${url}${path}`, { ...rest, headers: { Authorization: `Bearer ${key}`, ...headers } });
}

/** A client that sends a request and reads nothing of the answer. */
async function silent(method: string, path: string, body = ""): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

const memory = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) / 1024;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An evaluation with large outputs: 64 MiB of them in 2,048 rows. */
async function importEvaluation(): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const root = { id: "e", trace_id: "e", parent_id: null, op_name: "Evaluation.evaluate", started_at: time };
  const trial = (i: number) => ({
    ...{ id: `t${i}`, trace_id: "e", parent_id: "e", op_name: "Evaluation.predict_and_score" },
    ...{ started_at: time, ended_at: time, attributes: {}, summary: {}, inputs: { example: { i } } },
    output: { output: "y".repeat(32 * 1024), scores: { s: i } },
  });
  const headers = { "Content-Type": "application/x-ndjson" };
  for (let from = 0; from < 2048; from += 512) {
    const calls = [root, ...Array.from({ length: 512 }, (_, i) => trial(from + i))];
    const body = calls.map((call) => JSON.stringify(call)).join("\n");
    expect((await ask("/v2/acme/demo/calls/import", { method: "POST", headers, body })).status).toBe(200);
  }
}

/** A project of large calls: 64 MiB of them. */
async function importCalls(): Promise<void> {
  const call = (i: number) => ({
    ...{ id: `call-${i}`, trace_id: "t", parent_id: null, op_name: "o" },
    ...{
      started_at: new Date(Date.UTC(2026, 0, 1) + i).toISOString(),
      inputs: { text: "x".repeat(64 * 1024) },
    },
    ...{ attributes: {}, summary: {} },
  });
  for (let from = 0; from < 1024; from += 128) {
    const lines = Array.from({ length: 128 }, (_, i) => `${JSON.stringify(call(from + i))}\n`).join("");
    const headers = { "Content-Type": "application/x-ndjson" };
    const response = await ask("/v2/acme/demo/calls/import", { method: "POST", headers, body: lines });
    expect(response.status).toBe(200);
    await response.text();
  }
}

test.skipIf(process.platform !== "linux")(
  "streams that nobody reads hold little memory, and are counted",
  { timeout: 60_000 },
  async () => {
    await importCalls();
    await importEvaluation();
    const rows = JSON.stringify({ evaluation_call_ids: ["e"] });
    const answers = await ask("/v2/acme/demo/eval_results/query", {
      ...{ method: "POST", headers: { "Content-Type": "application/json" }, body: rows },
    });
    expect((await answers.text()).length).toBeGreaterThan(64 * 2 ** 20);
    await (await ask("/v2/acme/demo/calls/export")).arrayBuffer();
    const before = memory();
    const query = JSON.stringify({ project_id: "acme/demo" });
    const sockets: Socket[] = [];
    for (let i = 0; i < STREAMS / 4; i++) {
      sockets.push(await silent("POST", "/v2/acme/demo/eval_results/query", rows));
      sockets.push(await silent("GET", "/v2/acme/demo/calls/export"));
      sockets.push(await silent("POST", "/calls/stream_query", query));
      sockets.push(await silent("GET", "/v2/acme/demo/eval_results/watch?evaluation=none"));
    }
    let most = 0;
    for (let i = 0; i < 20; i++) {
      await pause(100);
      most = Math.max(most, memory() - before);
    }
    expect(most).toBeLessThan(256);

    const refused = await ask("/v2/acme/demo/eval_results/watch?evaluation=none");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await refused.json()).detail).toMatch(
      /^\/v2\/acme\/demo\/eval_results\/watch would be open beside 24 other streams of this key/,
    );
    // What is no stream is answered, and so is another key.
    const body = JSON.stringify({ project_id: "acme/demo", id: "call-7" });
    const headers = { "Content-Type": "application/json" };
    expect((await ask("/call/read", { method: "POST", headers, body })).status).toBe(200);
    const other = await ask("/v1/keys", {
      ...{ method: "POST", headers },
      body: JSON.stringify({ name: "other", scopes: ["acme/*"] }),
    });
    const { key } = (await other.json()) as { key: string };
    const exported = await ask("/v2/acme/demo/calls/export", { key });
    expect((await exported.text()).split("\n")).toHaveLength(1024 + 2049 + 1);

    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => {
        const again = await ask("/v2/acme/demo/calls/export");
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);
  },
);
