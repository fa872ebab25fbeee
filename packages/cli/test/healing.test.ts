// The built server on a failing disk: it reports the failure, and recovers once the disk does.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { raw } from "@assay/testing/raw-request";
import { type AssayServer, builtServer } from "@assay/testing/server";
import { expect, test, vi } from "vitest";
import { folder } from "./run-in-process.ts";

const shim = new URL("failing-redo-log.mjs", import.meta.url).href;
const P = "acme/demo";

const write = (server: AssayServer, id: string) => {
  const start = {
    project_id: P,
    id,
    op_name: "op",
    trace_id: id,
    started_at: "2026-01-01T00:00:00Z",
    attributes: {},
    inputs: {},
  };
  const body = JSON.stringify({ batch: [{ mode: "start", req: { start } }] });
  return raw(server, "/call/upsert_batch", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
};
const read = async (server: AssayServer, id: string) => {
  const body = JSON.stringify({ project_id: P, id });
  const headers = { "Content-Type": "application/json" };
  return JSON.parse((await raw(server, "/call/read", { method: "POST", headers, body })).body).call?.id;
};

test.skipIf(process.platform !== "linux")(
  "a write that fails on disk is a 503 without a path, and then the directory is opened again",
  async () => {
    const trigger = join(folder(), "fail");
    const env = { NODE_OPTIONS: `--import ${shim}`, FAIL_AT: trigger };
    const server = await builtServer([], { env });
    expect((await write(server, "before")).status).toBe(200);
    writeFileSync(trigger, "");
    const refused = await write(server, "refused");
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.body).not.toContain(server.data);
    await vi.waitFor(async () => expect((await write(server, "after")).status).toBe(200), {
      timeout: 20_000,
    });
    expect((await raw(server, "/v1/health/ready")).status).toBe(200);
    expect([await read(server, "before"), await read(server, "after")]).toEqual(["before", "after"]);
    await vi.waitFor(() => expect(server.output()).toContain("was closed and opened again"));
    expect(server.output()).toMatch(/redo\.log.*EIO/);
  },
);

test("usage records lost by the disk are counted in every report and by the command", async () => {
  const data = folder();
  const server = await builtServer([], { data });
  const body = JSON.stringify({
    model: "assay/tiny",
    messages: [{ role: "user", content: "hi" }],
    max_tokens: 2,
  });
  const headers = { "Content-Type": "application/json" };
  for (let i = 0; i < 3; i++)
    expect((await raw(server, "/v1/chat/completions", { method: "POST", headers, body })).status).toBe(200);
  await server.stop("SIGKILL");
  const journal = join(data, "usage.0.jsonl");
  const lines = readFileSync(journal, "utf8").split("\n");
  expect(lines).toHaveLength(4);
  // Truncated between two lines, so that no line is damaged.
  writeFileSync(journal, `${lines.slice(0, 2).join("\n")}\n`);
  const first = await assay(["usage", "--data", data]);
  expect(JSON.parse(first.stdout)).toMatchObject([{ requests: 2 }]);
  expect(first.stderr).toContain("assay: 1 record is damaged or missing, and not included");
  const again = await builtServer([], { data });
  expect(JSON.parse((await raw(again, "/v1/usage")).body)).toMatchObject({ lost_records: 1 });
});
