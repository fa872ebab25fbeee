// Graceful shutdown behind a load balancer: the server first reports that it is not ready, keeps answering, and then
// ends.

import { raw } from "@assay/testing/raw-request";
import { builtServer } from "@assay/testing/server";
import { expect, test, vi } from "vitest";

test("after SIGTERM a server reports not ready at once, and answers until it has drained", async () => {
  // Longer than any wait of this test.
  const server = await builtServer(["--drain", "3600"]);
  expect((await raw(server, "/v1/health/ready")).status).toBe(200);
  const ended = server.stop("SIGTERM");
  const notReady = async () => {
    const ready = await raw(server, "/v1/health/ready");
    expect([ready.status, ready.body]).toEqual([503, expect.stringContaining("shutting down")]);
  };
  await vi.waitFor(notReady, { timeout: 20_000 });
  expect((await raw(server, "/v1/health")).status).toBe(200);
  expect((await raw(server, "/v1/models")).status).toBe(200);
  // A second signal ends the drain at once.
  await server.stop("SIGTERM");
  await ended;
  await expect(raw(server, "/v1/health")).rejects.toThrow();
});

test("endless streams do not delay the shutdown, and end properly", async () => {
  const server = await builtServer();
  const headers = { "Content-Type": "application/json" };
  const begin = {
    start: {
      project_id: "acme/demo",
      id: "open",
      trace_id: "open",
      op_name: "Evaluation.evaluate",
      started_at: "2026-01-01T00:00:00Z",
      attributes: {},
      inputs: {},
    },
  };
  const logged = await raw(server, "/call/start", { method: "POST", headers, body: JSON.stringify(begin) });
  expect(logged.status).toBe(200);
  const watch = await fetch(`${server.url}/v2/acme/demo/eval_results/watch?evaluation=open`);
  expect(watch.status).toBe(200);
  const before = performance.now();
  await Promise.all([server.stop("SIGTERM"), expect(watch.text()).resolves.toEqual(expect.any(String))]);
  expect(await server.ended).toBe(0);
  // Requests would get ten seconds.
  expect(performance.now() - before).toBeLessThan(5000);
});

test("a drained server ends by itself", async () => {
  const server = await builtServer(["--drain", "1"]);
  await server.stop("SIGTERM");
  await expect(raw(server, "/v1/health")).rejects.toThrow();
});
