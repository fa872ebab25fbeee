// What the built command refuses over a socket for keys, training and Weave's clients, on one server that requires a
// key. Issues name the invalid place, in the format that the clients of each area read.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const KEY = "k".repeat(32);
const home = mkdtempSync(join(tmpdir(), "assay-refusals-"));
let server: AssayServer;
beforeAll(async () => {
  server = await startAssay(join(home, "data"), { env: { ASSAY_API_KEY: KEY } });
});
afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of refusals are what the tests are about.
  return { status: response.status, body: (await response.json()) as any };
}

const MODEL = "00000000-0000-4000-8000-000000000000";
const choice = { finish_reason: "stop", index: 0, message: { role: "assistant", content: "x" } };
const rl = (entry: unknown) => ({
  model_id: MODEL,
  trajectory_groups: [{ trajectories: [{ reward: 1, messages_and_choices: [entry] }] }],
});
const start = {
  project_id: "a/b",
  op_name: "o",
  started_at: "2026-01-01T00:00:00Z",
  attributes: {},
  inputs: {},
};

describe("an invalid body is a 422 with its path", () => {
  test.each<[string, unknown, string]>([
    ["/v1/keys", {}, "body.name"],
    ["/v1/keys", { name: "x", scopes: [1] }, "body.scopes.0"],
    ["/v1/keys", { name: "x", scopes: ["*"], expires_at: "soon" }, "body.expires_at"],
    ["/v1/chat/completions", { model: "assay/tiny", messages: [{}] }, "body.messages.0.role"],
    ["/v1/chat/completions", { model: "assay/tiny", messages: [], temperature: "hot" }, "body.temperature"],
    ["/v1/preview/models", { project: "p" }, "body.base_model"],
    ["/v1/preview/training-jobs", rl({ ...choice, logprobs: { content: [1] } }), "logprobs.content.0"],
    ["/v1/preview/training-jobs", rl(7), "messages_and_choices.0"],
    ["/v1/preview/sft-training-jobs", { model_id: MODEL }, "body.training_data_url"],
    ["/v1/preview/worker/claim", { worker: "" }, "worker"],
    ["/call/start", { start: { ...start, attributes: 1 } }, "body.start.attributes"],
    ["/call/upsert_batch", { batch: [{ mode: "end", req: { end: {} } }] }, "body.batch.0.req.end.id"],
    ["/v2/a/b/calls/complete", { batch: [start] }, "body.batch.0.ended_at"],
    ["/table/create", { table: { project_id: "a/b", rows: [1] } }, "body.table.rows.0"],
    ["/obj/create", { obj: { project_id: "a/b", object_id: "", val: 1 } }, "body.obj.object_id"],
    ["/calls/stream_query", { project_id: "a/b", sort_by: [{ field: "id" }] }, "body.sort_by.0.direction"],
    ["/refs/read_batch", { refs: ["x"] }, "body.refs.0"],
    ["/feedback/create", { project_id: "a/b" }, "body.weave_ref"],
    ["/v2/a/b/eval_results/compare", { query: {} }, "body.baseline"],
  ])("POST %s %j", async (path, body, place) => {
    const { status, body: refused } = await ask("POST", path, body);
    expect(status).toBe(422);
    const places = refused.detail.map(({ loc }: { loc: (string | number)[] }) => loc.join("."));
    expect(places).toContainEqual(
      expect.stringMatching(new RegExp(`(^|\\.)${place.replaceAll(".", "\\.")}$`)),
    );
  });
});

describe("every area refuses", () => {
  const ROUTES = [
    ["POST", "/v1/keys"],
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/preview/models"],
    ["POST", "/v1/preview/training-jobs"],
    ["POST", "/call/start"],
    ["POST", "/v2/a/b/eval_results/query"],
  ] as const;

  test.each(ROUTES)(
    "%s %s: no key, a wrong one, invalid JSON, and another content type",
    async (method, path) => {
      expect((await ask(method, path, {}, { Authorization: "" })).status).toBe(401);
      expect((await ask(method, path, {}, { Authorization: "Bearer wrong" })).status).toBe(401);
      expect((await ask(method, path, '{"a":')).status).toBe(422);
      expect((await ask(method, path, "{}", { "Content-Type": "application/xml" })).status).toBe(415);
    },
  );

  test("forbidden actions of a narrow key, and unknown objects, are refused", async () => {
    const made = await ask("POST", "/v1/keys", { name: "narrow", scopes: ["a/b"] });
    const narrow = { Authorization: `Bearer ${made.body.key}` };
    expect((await ask("GET", "/v1/keys", undefined, narrow)).status).toBe(403);
    expect((await ask("POST", "/v2/x/y/eval_results/query", {}, narrow)).status).toBe(404);
    expect(
      (await ask("POST", "/call/start", { start: { ...start, project_id: "x/y" } }, narrow)).status,
    ).toBe(404);
    expect((await ask("GET", `/v1/preview/models/${MODEL}`, undefined, narrow)).status).toBe(404);
    expect((await ask("DELETE", `/v1/keys/${made.body.id}`)).status).toBe(200);
    expect((await ask("POST", "/v2/a/b/eval_results/query", {}, narrow)).status).toBe(401);
  });
});
