// Checks docs/how-to/behind-a-proxy.md: its statements about the server, with the built command behind a proxy, and the
// limits in its example configurations.

import { readFileSync } from "node:fs";
import { request as ask, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawRequest, raw } from "@assay/testing/raw-request";
import { builtServer } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const page = readFileSync(new URL("../../docs/how-to/behind-a-proxy.md", import.meta.url), "utf8");
const KEY = "k".repeat(32);
const authorization = { Authorization: `Bearer ${KEY}` };

/** A proxy in front of a server that forwards everything unchanged; `host` replaces the client's `Host`. */
async function proxied(server: { readonly url: string }, host?: string): Promise<{ readonly url: string }> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      ...(host !== undefined && { host }),
      ...{ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" },
    };
    const passed = ask(`${server.url}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

const keyed = (args: readonly string[] = []) => builtServer(args, { env: { ASSAY_API_KEY: KEY } });
const ofPage = { host: "assay.example", origin: "https://assay.example" };

test("forwarded requests are refused without a key, and answered with one", async () => {
  const refused = await raw(await proxied(await builtServer()), "/v2/projects");
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("x-forwarded-for")]);
  const proxy = await proxied(await keyed());
  expect((await raw(proxy, "/v2/projects")).status).toBe(401);
  expect((await raw(proxy, "/v2/projects", { headers: authorization })).status).toBe(200);
  // A proxy's health checks use no key.
  expect((await raw(proxy, "/v1/health/ready")).status).toBe(200);
});

test("requests of the page need the client's Host", async () => {
  const server = await keyed();
  const query: RawRequest = {
    ...{ method: "POST", body: "{}" },
    headers: { ...authorization, ...ofPage, "Content-Type": "application/json" },
  };
  const path = "/v2/acme/demo/eval_results/query";
  expect((await raw(await proxied(server), path, query)).status).toBe(200);
  const other = await raw(await proxied(server, "127.0.0.1:7777"), path, query);
  expect([other.status, other.body]).toEqual([403, expect.stringContaining("assay.example")]);
});

test("a proxy's request id is kept, unless it could break a log line", async () => {
  const proxy = await proxied(await keyed());
  const idOf = async (id: string) =>
    (await raw(proxy, "/v1/health", { headers: { "x-request-id": id } })).headers["x-request-id"];
  expect(await idOf("edge:7f.1-a_b")).toBe("edge:7f.1-a_b");
  expect(await idOf("a b")).toMatch(/^[0-9a-f-]{36}$/);
});

test("a watch passes through immediately, and ends when the client disconnects", async () => {
  const server = await keyed(["--metrics"]);
  const root = { id: "run", op_name: "Evaluation.evaluate", started_at: "2026-01-01T00:00:00Z" };
  const imported = await raw(server, "/v2/acme/demo/calls/import", {
    ...{ method: "POST", body: JSON.stringify(root) },
    headers: { ...authorization, "Content-Type": "application/x-ndjson" },
  });
  expect(imported.status).toBe(200);
  const proxy = await proxied(server);
  const watch = ask(`${proxy.url}/v2/acme/demo/eval_results/watch?evaluation=run`, {
    headers: authorization,
  });
  const answer = await new Promise<IncomingMessage>((resolve) => watch.on("response", resolve).end());
  expect([answer.statusCode, answer.headers["x-accel-buffering"]]).toEqual([200, "no"]);
  const first = await new Promise<string>((resolve) =>
    answer.once("data", (piece) => resolve(String(piece))),
  );
  expect(first).toMatch(/^event: progress\ndata: /);
  const open = async () => {
    const { body } = await raw(server, "/metrics", { headers: authorization });
    return Number(/^assay_open_streams (\d+)$/m.exec(body)![1]);
  };
  expect(await open()).toBe(1);
  watch.destroy();
  await expect.poll(open).toBe(0);
});

test("the example configurations allow the server's own timeouts and sizes", () => {
  const limits = readFileSync(new URL("../../docs/reference/limits.md", import.meta.url), "utf8");
  const limit = (what: string) => {
    const row = limits.split("\n").find((line) => line.startsWith(`| ${what}`))!;
    return Number(row.split("|")[2]!.replace(/[^\d]/g, ""));
  };
  const configured = (setting: RegExp) => Number(setting.exec(page)![1]);
  expect(configured(/proxy_read_timeout (\d+)s/)).toBeGreaterThan(limit("time of a query"));
  expect(configured(/keepalive_timeout (\d+)s/)).toBeLessThan(limit("time that an idle connection is kept"));
  expect(configured(/keepalive (\d+)s/)).toBeLessThan(limit("time that an idle connection is kept"));
  expect(configured(/client_max_body_size (\d+)m/)).toBeGreaterThanOrEqual(
    limit("trajectories for training"),
  );
  expect(configured(/max_size (\d+)MB/)).toBeGreaterThanOrEqual(limit("trajectories for training"));
});
