// How much memory clients that never read can hold in the built server, with watches, exports and lists of calls; and
// that other keys get responses meanwhile.

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "assay-unread-"));
const KEY = "k".repeat(32);
// The default maximum of open streams per key, as set by `--streams`.
const STREAMS = 64;
let server: AssayServer;
let url = "";

beforeAll(async () => {
  const env = { ASSAY_API_KEY: KEY, NODE_OPTIONS: "--max-old-space-size=1024" };
  server = await startAssay(directory, { env, args: ["--metrics"] });
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

/** A client that sends a request and never reads the response. */
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

/** Imports an evaluation with large outputs: 32 MiB, in 8,192 or 1,024 rows. */
async function importEvaluation(project: string, rows: 8192 | 1024): Promise<void> {
  const output = "y".repeat(rows === 1024 ? 32 * 1024 : 4 * 1024);
  const time = "2026-01-01T00:00:00Z";
  const root = { id: "e", trace_id: "e", parent_id: null, op_name: "Evaluation.evaluate", started_at: time };
  const trial = (i: number) => ({
    ...{ id: `t${i}`, trace_id: "e", parent_id: "e", op_name: "Evaluation.predict_and_score" },
    ...{ started_at: time, ended_at: time, attributes: {}, summary: {}, inputs: { example: { i } } },
    output: { output, scores: { s: i } },
  });
  const headers = { "Content-Type": "application/x-ndjson" };
  for (let from = 0; from < rows; from += 512) {
    const calls = [root, ...Array.from({ length: 512 }, (_, i) => trial(from + i))];
    const body = calls.map((call) => JSON.stringify(call)).join("\n");
    expect((await ask(`/v2/acme/${project}/calls/import`, { method: "POST", headers, body })).status).toBe(
      200,
    );
  }
}

/** Imports 32 MiB of large calls. */
async function importCalls(): Promise<void> {
  const call = (i: number) => ({
    ...{ id: `call-${i}`, trace_id: "t", parent_id: null, op_name: "o" },
    ...{
      started_at: new Date(Date.UTC(2026, 0, 1) + i).toISOString(),
      inputs: { text: "x".repeat(64 * 1024) },
    },
    ...{ attributes: {}, summary: {} },
  });
  for (let from = 0; from < 512; from += 128) {
    const lines = Array.from({ length: 128 }, (_, i) => `${JSON.stringify(call(from + i))}\n`).join("");
    const headers = { "Content-Type": "application/x-ndjson" };
    const response = await ask("/v2/acme/demo/calls/import", { method: "POST", headers, body: lines });
    expect(response.status).toBe(200);
    await response.text();
  }
}

/**
 * Imports a small evaluation with another key. Its outputs are short, so that queries take CPU time rather than
 * reading.
 */
async function importOthers(key: string): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const root = { id: "e", trace_id: "e", parent_id: null, op_name: "Evaluation.evaluate", started_at: time };
  const trials = Array.from({ length: 20_000 }, (_, i) => ({
    ...{ id: `t${i}`, trace_id: "e", parent_id: "e", op_name: "Evaluation.predict_and_score" },
    ...{ started_at: time, ended_at: time, attributes: {}, summary: {}, inputs: { example: { i } } },
    output: { output: `answer ${i}`, scores: { s: i % 7 } },
  }));
  const body = [root, ...trials].map((call) => JSON.stringify(call)).join("\n");
  const headers = { "Content-Type": "application/x-ndjson" };
  const response = await ask("/v2/other/demo/calls/import", { method: "POST", headers, body, key });
  expect(response.status).toBe(200);
}

/** The CPU time of the main thread so far, in seconds, which does not depend on other load. */
function processorTime(): number {
  const { pid } = server.child;
  const [, fields = ""] = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number) as [number, number];
  return (user + system) / 100;
}

let asked = 0;
/** The server's CPU time for the other key's queries, which all differ. */
async function workWhileAsking(key: string): Promise<number> {
  const begun = processorTime();
  for (let i = 0; i < 10; i++) {
    const filters = Array.from({ length: 8 }, () => {
      const $contains = { input: { $getField: "outputs" }, substr: { $literal: `r ${asked++}` } };
      return { query: { $expr: { $contains } } };
    });
    const body = {
      ...{ evaluation_call_ids: ["e"], filters, filter_logic_operator: "or", limit: 100 },
      sort_by: [{ field: "inputs.i", direction: asked % 2 === 0 ? "desc" : "asc" }],
    };
    const response = await ask("/v2/other/demo/eval_results/query", {
      ...{ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), key },
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
  return processorTime() - begun;
}

/** Waits until the server has `streams` open streams. */
async function untilOpen(streams: number): Promise<void> {
  const open = async (): Promise<number> =>
    Number(/^assay_open_streams (\d+)$/m.exec(await (await ask("/metrics")).text())?.[1]);
  await expect.poll(open, { timeout: 120_000 }).toBe(streams);
}

async function newKey(name: string): Promise<string> {
  const made = await ask("/v1/keys", {
    ...{ method: "POST", headers: { "Content-Type": "application/json" } },
    body: JSON.stringify({ name, scopes: ["acme/*", "other/*"] }),
  });
  return ((await made.json()) as { key: string }).key;
}

/** Streams that a client may open without reading, each up to the key's limit. */
const UNREAD: Readonly<
  Record<string, { readonly method: string; readonly path: string; readonly body?: object }>
> = {
  ...Object.fromEntries(
    ["csv", "jsonl", "parquet"].map((format) => [
      format,
      {
        method: "POST",
        // A row group of Parquet is in memory as a whole.
        path: `/v2/acme/${format === "parquet" ? "narrow" : "demo"}/eval_results/export?format=${format}`,
        body: { query: { evaluation_call_ids: ["e"] } },
      },
    ]),
  ),
  rows: { method: "POST", path: "/v2/acme/demo/eval_results/query", body: { evaluation_call_ids: ["e"] } },
  "exported calls": { method: "GET", path: "/v2/acme/demo/calls/export" },
  "listed calls": { method: "POST", path: "/calls/stream_query", body: { project_id: "acme/demo" } },
  watches: { method: "GET", path: "/v2/acme/demo/eval_results/watch?evaluation=none" },
};

describe.skipIf(process.platform !== "linux")("64 unread streams of one key", () => {
  let alone = 0;
  let other = "";

  beforeAll(async () => {
    await importEvaluation("demo", 1024);
    await importEvaluation("narrow", 8192);
    await importCalls();
    other = await newKey("other");
    await importOthers(other);
    await workWhileAsking(other);
    alone = await workWhileAsking(other);
  });

  test.each(Object.entries(UNREAD))(
    "%s: take at most 256 MiB, and leave another key its share of CPU time",
    async (_, { method, path, body }) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = { "Content-Type": "application/json" };
      const once = await ask(path, { method, headers, ...(text !== "" && { body: text }) });
      expect(once.status).toBe(200);
      if (path.includes("watch")) await once.body?.cancel();
      else await once.arrayBuffer();
      await untilOpen(0);
      const before = memory();
      let most = 0;
      const watching = setInterval(() => {
        most = Math.max(most, memory() - before);
      }, 50);
      const sockets: Socket[] = [];
      for (let i = 0; i < STREAMS; i++) sockets.push(await silent(method, path, text));
      await untilOpen(STREAMS);
      const together = await workWhileAsking(other);
      for (let i = 0; i < 20; i++) await pause(100);
      clearInterval(watching);
      for (const socket of sockets) socket.destroy();
      await untilOpen(0);
      if (process.env.ASSAY_FIGURES)
        console.log(`${path}: +${Math.round(most)} MiB, ${(together / alone).toFixed(2)} x`);
      expect({ most: Math.round(most) }).toSatisfy(({ most }) => most < 256);
      expect({ alone, together }).toSatisfy(({ alone, together }) => together < 3 * alone);
    },
  );

  test("count towards the limit: one more is refused, but other requests and other keys get responses", async () => {
    const sockets: Socket[] = [];
    for (let i = 0; i < STREAMS; i++) sockets.push(await silent("GET", UNREAD.watches!.path));
    const watch = async () => {
      const response = await ask("/v2/acme/demo/eval_results/watch?evaluation=none");
      if (response.ok) await response.body?.cancel();
      return response;
    };
    await untilOpen(STREAMS);
    const refused = await watch();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await refused.json()).detail).toMatch(
      /^this key has 64 streams open, the most allowed, and cannot open \/v2\/acme\/demo\/eval_results\/watch:/,
    );
    // Requests that are not streams are answered, and so are other keys.
    const body = JSON.stringify({ project_id: "acme/demo", id: "call-7" });
    const headers = { "Content-Type": "application/json" };
    expect((await ask("/call/read", { method: "POST", headers, body })).status).toBe(200);
    const key = await newKey("another");
    const exported = await ask("/v2/acme/demo/calls/export", { key });
    expect((await exported.text()).split("\n")).toHaveLength(512 + 1025 + 1);

    for (const socket of sockets) socket.destroy();
    await untilOpen(0);
  });

  test("that break off, or whose key is revoked, leave nothing on the server's stderr", async () => {
    const made = await ask("/v1/keys", {
      ...{ method: "POST", headers: { "Content-Type": "application/json" } },
      body: JSON.stringify({ name: "short-lived", scopes: ["acme/*"] }),
    });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const watch = await ask("/v2/acme/demo/eval_results/watch?evaluation=none", { key });
    await ask(`/v1/keys/${id}`, { method: "DELETE" });
    await expect(watch.text()).rejects.toThrow();
    // Of all clients above, too.
    expect(server.stderr()).toBe("");
  });
});
