// How long a single request can block the built server's event loop, and that the server stops working for a client
// that has disconnected. Measures CPU time, which does not depend on other load.

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The limit in milliseconds, as in `npm run hostile`. */
const MOST = 250;
const directory = mkdtempSync(join(tmpdir(), "assay-turns-"));
let server: AssayServer;

beforeAll(async () => {
  const turns = fileURLToPath(new URL("../scripts/hostile-turns.mjs", import.meta.url));
  server = await startAssay(directory, { node: ["--import", turns] });
  // Loads modules that are imported on first use.
  await send("application/x-protobuf", spanOf(1));
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** The longest turn of the server's event loop since the last call, in milliseconds. */
async function longestTurn(): Promise<number> {
  server.child.send("turn");
  const [turn] = (await once(server.child, "message")) as [number];
  return turn;
}

async function post(path: string, body: string | Uint8Array, headers: Record<string, string>) {
  const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body: body as BodyInit });
  return { status: response.status, text: await response.text() };
}

const send = (type: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  post("/otel/v1/traces", body, { "Content-Type": type, project_id: "acme/otel", ...headers });

const key = (field: number, wire: number) => (field << 3) | wire;

/** A request with one span that has `attributes` attributes and `unknown` unknown fields. */
function spanOf(attributes: number, unknown = 0): Uint8Array {
  const writer = new BinaryWriter();
  for (const field of [1, 2, 2]) writer.uint32(key(field, 2)).fork();
  writer.uint32(key(1, 2)).bytes(new Uint8Array(16).fill(7));
  writer.uint32(key(2, 2)).bytes(new Uint8Array(8).fill(5));
  writer.uint32(key(7, 1)).fixed64(1_700_000_000_000_000_000n);
  for (let i = 0; i < attributes; i++) {
    writer.uint32(key(9, 2)).fork();
    writer.uint32(key(1, 2)).string(`attribute.${i}`);
    writer.uint32(key(2, 2)).fork().uint32(key(3, 0)).int64(i).join();
    writer.join();
  }
  for (let i = 0; i < unknown; i++) writer.uint32(key(15, 0)).uint32(1);
  for (let i = 0; i < 3; i++) writer.join();
  return writer.finish();
}

describe.skipIf(process.platform !== "linux")("a request of OpenTelemetry's exporters", () => {
  test("with a span of 200,000 attributes is accepted without the span, in binary and in JSON", async () => {
    const attributes = Array.from({ length: 200_000 }, (_, i) => ({ key: `a${i}`, value: { intValue: i } }));
    const span = {
      traceId: "07".repeat(16),
      spanId: "05".repeat(8),
      startTimeUnixNano: "1700000000000000000",
    };
    const json = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, attributes }] }] }] });
    await longestTurn();
    for (const [type, body] of [
      ["application/x-protobuf", spanOf(200_000)],
      ["application/json", json],
    ] as const) {
      const { status, text } = await send(type, body);
      expect([status, text]).toEqual([
        200,
        expect.stringContaining("a span may have at most 10000 attributes"),
      ]);
      expect(await longestTurn()).toBeLessThan(MOST);
    }
  });

  test("with a span of 10,000 attributes is stored without blocking other requests", async () => {
    await longestTurn();
    const { status, text } = await send("application/x-protobuf", spanOf(10_000));
    expect([status, text]).toEqual([200, ""]);
    expect(await longestTurn()).toBeLessThan(MOST);
  });

  test("of 15 KB that decompresses to millions of unknown fields is refused", async () => {
    const body = gzipSync(spanOf(1, 8_000_000));
    await longestTurn();
    const { status, text } = await send("application/x-protobuf", body, { "Content-Encoding": "gzip" });
    expect([status, text]).toEqual([400, expect.stringContaining("it holds too many values")]);
    expect(await longestTurn()).toBeLessThan(MOST);
  });
});

/** The server's CPU time so far, in seconds. */
function processorTime(): number {
  const [, fields = ""] = readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number) as [number, number];
  return (user + system) / 100;
}

const LEVELS = 5000;

/** Imports a chain of calls into a new project; `traceOf` gives the trace of each. */
async function importChain(project: string, traceOf: (level: number) => string): Promise<void> {
  const chain = Array.from({ length: LEVELS }, (_, i) =>
    JSON.stringify({
      ...{ id: `c${i}`, trace_id: traceOf(i), parent_id: i === 0 ? null : `c${i - 1}`, op_name: "o" },
      started_at: "2026-01-01T00:00:00Z",
    }),
  );
  const headers = { "Content-Type": "application/x-ndjson" };
  const { status } = await post(`/v2/${project}/calls/import`, chain.join("\n"), headers);
  expect(status).toBe(200);
}

const JSON_TYPE = { "Content-Type": "application/json" };
const deletion = (project: string) => JSON.stringify({ project_id: project, call_ids: ["c0"] });
const isThere = async (project: string) => {
  const asked = JSON.stringify({ project_id: project, id: "c0" });
  return JSON.parse((await post("/call/read", asked, JSON_TYPE)).text).call !== null;
};

describe.skipIf(process.platform !== "linux")("deleting a chain of calls", () => {
  test("takes at most a few times as long as importing it", { timeout: 60_000 }, async () => {
    const begun = processorTime();
    await importChain("acme/chain", () => "t");
    const imported = processorTime() - begun;
    const { status, text } = await post("/calls/delete", deletion("acme/chain"), JSON_TYPE);
    expect([status, JSON.parse(text)]).toEqual([200, { num_deleted: LEVELS }]);
    expect(processorTime() - begun - imported).toBeLessThan(5 * imported + 1);
  });

  test("stops when its client disconnects, and deletes nothing", { timeout: 60_000 }, async () => {
    // With each level in its own trace, the deletion needs a query for each level.
    await importChain("acme/traces", (level) => `t${level}`);
    const leaving = new AbortController();
    const asked = fetch(`${server.url}/calls/delete`, {
      ...{ method: "POST", headers: JSON_TYPE, body: deletion("acme/traces"), signal: leaving.signal },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const begun = processorTime();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(processorTime() - begun).toBeLessThan(0.2);
    expect(await isThere("acme/traces")).toBe(true);
  });
});

/** The maximum milliseconds that a health request may wait during writes. */
const MOST_WHILE_WRITING = 50;
const CALLS = 24_000;

/** Two evaluations and their trials, about a kilobyte each. */
function callsOf(project: string): readonly string[] {
  const at = { started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:01Z" };
  return Array.from({ length: CALLS }, (_, i) => {
    const shared = { project_id: project, trace_id: `c${i % 2}`, ...at, attributes: {}, summary: {} };
    const root = { op_name: "Evaluation.evaluate", inputs: {}, output: null };
    const trial = {
      parent_id: `c${i % 2}`,
      op_name: "Evaluation.predict_and_score",
      inputs: { example: { question: `question ${i >> 1}` } },
      output: { output: `answer ${i} `.repeat(64), scores: { quality: (i % 97) / 97, correct: i % 3 > 0 } },
    };
    return JSON.stringify({ ...shared, id: `c${i}`, ...(i < 2 ? root : trial) });
  });
}

describe.skipIf(process.platform !== "linux")("other requests are answered between the turns", () => {
  test("of an import that also saves columns", { timeout: 60_000 }, async () => {
    const calls = callsOf("acme/imported");
    await longestTurn();
    const headers = { "Content-Type": "application/x-ndjson" };
    const { status } = await post("/v2/acme/imported/calls/import", calls.join("\n"), headers);
    expect(status).toBe(200);
    expect(await longestTurn()).toBeLessThan(MOST_WHILE_WRITING);
  });

  test("of logging calls in batches of a thousand", { timeout: 60_000 }, async () => {
    const calls = callsOf("acme/logged");
    await longestTurn();
    for (let i = 0; i < CALLS; i += 1000) {
      const body = `{"batch":[${calls.slice(i, i + 1000).join(",")}]}`;
      const { status } = await post("/v2/acme/logged/calls/complete", body, JSON_TYPE);
      expect(status).toBe(200);
    }
    expect(await longestTurn()).toBeLessThan(MOST_WHILE_WRITING);
  });
});
