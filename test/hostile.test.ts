// What a single hostile request must not do to the built server, and how the server responds to invalid requests.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "assay-hostile-"));
let server: AssayServer;
let url = "";
/** The status of a request whose body stalls; it arrives only after the server's timeout. */
let stopped: Promise<number | undefined>;

beforeAll(async () => {
  server = await startAssay(directory, { env: { NODE_OPTIONS: "--max-old-space-size=1024" } });
  url = server.url;
  stopped = new Promise((resolve, reject) => {
    const asked = request(
      `${url}/call/start`,
      { method: "POST", headers: { "Content-Type": "application/json", "Content-Length": 1000 } },
      (answer) => resolve(answer.statusCode),
    );
    asked.once("error", reject);
    asked.write("{");
  });
  stopped.catch(() => undefined);
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

async function post(to: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${to}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: body as BodyInit,
  });
  return { status: response.status, text: await response.text() };
}

describe("a refusal of the built server", () => {
  const rl = (entry: object) => ({
    model_id: "00000000-0000-4000-8000-000000000000",
    trajectory_groups: [{ trajectories: [{ reward: 1, messages_and_choices: [entry] }] }],
  });
  const choice = { finish_reason: "stop", index: 0, message: { role: "assistant" } };
  const entry = ["body", "trajectory_groups", 0, "trajectories", 0, "messages_and_choices", 0];

  test.each<[string, object, unknown[], string, string]>([
    [
      "/v2/a/b/eval_results/query",
      { sort_by: [{ direction: "asc" }] },
      ["body", "sort_by", 0, "field"],
      "missing",
      "field is required",
    ],
    [
      "/v2/a/b/eval_results/query",
      { limit: -1 },
      ["body", "limit"],
      "greater_than_equal",
      "limit must be 0 or more",
    ],
    [
      "/v1/preview/training-jobs",
      rl({ ...choice, logprobs: { content: [{ token: "a", logprob: "SECRET".repeat(200_000) }] } }),
      [...entry, "logprobs", "content", 0, "logprob"],
      "type",
      "logprob must be a number",
    ],
    [
      "/table/update",
      { project_id: "a/b", base_digest: "x", updates: [{ pop: { index: -1 } }] },
      ["body", "updates", 0, "pop", "index"],
      "greater_than_equal",
      "index must be 0 or more",
    ],
    [
      "/call/start",
      {
        start: {
          ...{ project_id: "a/b", id: "x", trace_id: "x", op_name: "o", attributes: {}, inputs: {} },
          started_at: "2026-01-01T12:99:00Z",
        },
      },
      ["body", "start", "started_at"],
      "value_error",
      'must be an ISO 8601 time, not "2026-01-01T12:99:00Z"',
    ],
    [
      "/objs/query",
      { project_id: "a/b", filter: { object_ids: [1] } },
      ["body", "filter", "object_ids", 0],
      "string_type",
      "object_ids[0] must be a string",
    ],
  ])("%s names the path of the issue", async (to, body, loc, type, msg) => {
    const { status, text } = await post(to, JSON.stringify(body));
    expect(status).toBe(422);
    expect(JSON.parse(text).detail).toEqual([{ loc, msg, type }]);
    expect(text).not.toContain("SECRET");
  });

  test("is short, even with many issues and long names", async () => {
    const names = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}${"n".repeat(5000)}`, 0]));
    const { status, text } = await post("/v2/a/b/eval_results/query", JSON.stringify(names));
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(64 * 1024);
    expect(text).not.toContain("n".repeat(101));
  });
});

describe("the server survives one request that used to block or kill it", () => {
  const listOf = (before: string, item: string, bytes: number, after: string) =>
    `${before}${`${item},`.repeat(bytes / (item.length + 1))}${item}${after}`;
  const MIB = 2 ** 20;
  const groups = '{"model_id":"00000000-0000-4000-8000-000000000000","trajectory_groups":[';

  test.each<[string, string, string | Uint8Array, Record<string, string>]>([
    [
      "16 KB of gzip",
      "/v1/chat/completions",
      gzipSync(listOf('{"model":"x","messages":[', "{}", 16 * MIB, "]}")),
      { "Content-Encoding": "gzip" },
    ],
    ["a MiB of items", "/v1/responses", listOf('{"model":"x","input":[', '{"type":"x"}', MIB, "]}"), {}],
    ["a MiB of messages", "/v1/chat/completions", listOf('{"model":"x","messages":[', "{}", MIB, "]}"), {}],
    ["a MiB of calls", "/v2/a/b/calls/complete", listOf('{"batch":[', "{}", MIB, "]}"), {}],
    [
      "a MiB of updates",
      "/table/update",
      listOf('{"project_id":"a/b","base_digest":"x","updates":[', "{}", MIB, "]}"),
      {},
    ],
    [
      "a MiB of entries",
      "/v1/preview/training-jobs",
      listOf(`${groups}{"trajectories":[{"reward":1,"messages_and_choices":[`, "[]", MIB, "]}]}]}"),
      {},
    ],
    [
      "128 MiB of groups",
      "/v1/preview/training-jobs",
      gzipSync(listOf(groups, "{}", 127 * MIB, "]}"), { level: 1 }),
      { "Content-Encoding": "gzip" },
    ],
  ])("%s to %s", async (_, to, body, headers) => {
    const begun = performance.now();
    const { status, text } = await post(to, body, headers);
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(64 * 1024);
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  });

  test.each(["{}", "[]", "0", '{"k":0}'])("one line of 64 MiB of %s in an import", async (item) => {
    const line = gzipSync(listOf("[", item, 63 * MIB, "]"), { level: 1 });
    const headers = { "Content-Type": "application/x-ndjson", "Content-Encoding": "gzip" };
    for (const kind of ["calls", "rows"]) {
      const { status, text } = await post(`/v2/a/b/${kind}/import`, line, headers);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ lines: 1, changed: 0, bad_lines: 1 });
      expect(text).toContain("the line has more than 400000 values");
    }
  });

  test("refuses a query with too many values", async () => {
    const ids = listOf('{"project_id":"a/b","filter":{"trace_ids":[', '"x"', MIB, "]}}");
    for (const to of ["/calls/stream_query", "/calls/query_stats"]) {
      const { status, text } = await post(to, ids);
      const message = "the body has more than 250000 values";
      expect([status, JSON.parse(text).detail[0].msg]).toEqual([422, message]);
    }
    const few = listOf('{"project_id":"a/b","filter":{"trace_ids":[', '"x"', 32, "]}}");
    expect(await post("/calls/query_stats", few)).toEqual({ status: 200, text: '{"count":0}' });
  });

  test("refuses a call with too many values, in a request of its own or in a batch, and stores several with fewer", async () => {
    const end = (id: string, values: number) =>
      `{"project_id":"a/b","id":"${id}","ended_at":"2026-01-01T00:00:00Z","output":${listOf("[", "1.0", 4 * (values - 1), "]")}}`;
    const batch = (...ends: string[]) =>
      `{"batch":[${ends.map((one) => `{"mode":"end","req":{"end":${one}}}`).join(",")}]}`;
    for (const [to, body, limit] of [
      ["/call/end", `{"end":${end("x", 400_000)}}`, "the body has more than 400000 values"],
      ["/call/upsert_batch", batch(end("x", 400_000)), "the body has a record of more than 400000 values"],
    ] as const) {
      const { status, text } = await post(to, body);
      expect([status, JSON.parse(text).detail]).toEqual([
        422,
        [{ loc: ["body"], msg: limit, type: "value_error" }],
      ]);
    }
    const large = batch(end("x", 399_000), end("y", 399_000), end("z", 399_000));
    expect((await post("/call/upsert_batch", large)).status).toBe(200);
    // Another end is merged with the stored call.
    expect((await post("/call/end", `{"end":${end("y", 3)}}`)).status).toBe(200);
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  });

  test("survives a small hostile body for every route and list", async () => {
    const script = path("../scripts/hostile.mjs");
    // A list is filled in seven ways: two or three of them.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, "--bytes=4096", "--plain", "--health=10000", "--every=3"],
      { maxBuffer: 16 * MIB },
    );
    expect(stdout).toContain("0 promises broken");
  });

  test("does not block other requests during an upload of 64 MiB", async () => {
    const script = path("../scripts/hostile.mjs");
    // Limits CPU time, which does not depend on other load.
    const options = ["--only=/file/create", "--plain", "--health=10000", "--turn=150"];
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...options]);
    expect(stdout).toMatch(/\| 64\.00 \| 200 \|.*\n.*, 0 promises broken/);
  });
});

test("a client that only announces a large body does not use up the capacity for others", async () => {
  const { hostname, port } = new URL(url);
  const silent = connect(Number(port), hostname);
  await once(silent, "connect");
  silent.write(
    `POST /call/upsert_batch HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${64 * 2 ** 20}\r\n\r\n{`,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const start = {
    ...{ project_id: "a/b", id: "honest", trace_id: "t", op_name: "o" },
    ...{ started_at: "2026-01-01T00:00:00Z", attributes: {}, inputs: {} },
  };
  expect((await post("/call/start", JSON.stringify({ start }))).status).toBe(200);
  silent.destroy();
});

test("a stalled body ends in 408", async () => {
  expect(await stopped).toBe(408);
});

test("invalid gzip gets 400, and a watch without an evaluation gets 422", async () => {
  const form = { "Content-Type": "multipart/form-data; boundary=x", "Content-Encoding": "gzip" };
  expect((await post("/file/create", "no gzip", form)).status).toBe(400);
  const watched = await fetch(`${url}/v2/a/b/eval_results/watch?evaluation=`);
  expect([watched.status, (await watched.json()).detail[0].loc]).toEqual([422, ["query", "evaluation"]]);
});
