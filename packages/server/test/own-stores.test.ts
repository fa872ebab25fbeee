// A server over stores in memory: the same interface without a data directory, and the operations it refuses.

import { setTimeout } from "node:timers/promises";
import { memoryStore } from "@assay/calls";
import { evaluationCalls } from "@assay/calls/testing";
import { memoryKeyStore, memoryUsage } from "@assay/inference-core";
import { callStoreOver, memoryTraceStores } from "@assay/trace-core";
import { memoryTrackingStore } from "@assay/tracking-core/testing";
import { memoryArtifactStore, memoryTrainingStore } from "@assay/training-core/testing";
import { expect, test } from "vitest";
import { openServer, type ServerSettings, type ServerStores } from "../src/index.ts";
import type { ServerAccess } from "../src/settings/access.ts";
import { folder } from "./folder.ts";

function stores(): ServerStores & { readonly closed: () => number } {
  const { calls, rows } = memoryStore();
  const keys = memoryKeyStore();
  let closed = 0;
  return {
    calls,
    rows,
    traces: { ...memoryTraceStores(), calls: callStoreOver(calls) },
    projects: () => ["acme/demo"],
    evaluations: async () => [],
    training: memoryTrainingStore(),
    tracking: memoryTrackingStore(),
    artifacts: memoryArtifactStore(),
    openKeys: async () => keys,
    openUsage: async () => ({ ...memoryUsage(), close: async () => {} }),
    signingSecret: async () => new Uint8Array(32),
    close: async () => void closed++,
    closed: () => closed,
  };
}

const open = async (settings: ServerSettings = {}) => {
  const own = stores();
  const server = await openServer({ stores: own, folder: folder(), page: false, ...settings });
  const ask = (path: string, body?: string, headers: { readonly [name: string]: string } = {}) =>
    server.handler(
      new Request(`http://localhost${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body }),
      }),
    );
  return { own, server, ask };
};

test("logged data is answered from each area's store, and the stores are closed with the server", async () => {
  const { own, server, ask } = await open({ bootstrapAccess: true });
  const lines = evaluationCalls("run", [true, false, true]).map((call) => JSON.stringify(call));
  const lined = { "Content-Type": "application/x-ndjson" };
  expect((await ask("/v2/acme/demo/calls/import", lines.join("\n"), lined)).status).toBe(200);
  const query = '{"evaluation_call_ids":["run"],"include_summary":true}';
  const answer = await ask("/v2/acme/demo/eval_results/query", query);
  expect(await answer.json()).toMatchObject({ total_rows: 3 });
  const model = '{"entity":"acme","project":"demo","name":"m","base_model":"assay/tiny"}';
  expect((await ask("/v1/preview/models", model)).status).toBeLessThan(300);
  expect((await ask("/v1/health/ready")).status).toBe(200);
  // The server cannot permanently delete data of these stores.
  const gone = new Request("http://localhost/v2/acme/demo", { method: "DELETE" });
  expect((await server.handler(gone)).status).toBeGreaterThanOrEqual(400);
  await server.close();
  expect(own.closed()).toBe(1);
});

test("stores are closed after the last request was answered, even if its client has disconnected", async () => {
  const own = stores();
  let answer = (): void => {};
  const listed = new Promise<readonly never[]>((resolve) => {
    answer = () => resolve([]);
  });
  const server = await openServer({
    stores: { ...own, evaluations: () => listed },
    folder: folder(),
    page: false,
    bootstrapAccess: true,
  });
  const asked = server.handler(new Request("http://localhost/v2/acme/demo/eval_results/evaluations"));
  const closed = server.close();
  await setTimeout(50);
  expect(own.closed()).toBe(0);
  answer();
  expect((await asked).status).toBe(200);
  await closed;
  expect(own.closed()).toBe(1);
});

test("areas that are not listed are not served", async () => {
  const { server, ask } = await open({ bootstrapAccess: true, areas: ["results"] });
  expect((await ask("/v1/models")).status).toBe(404);
  expect((await ask("/v1/preview/models", "{}")).status).toBe(404);
  expect(await (await ask("/v1/session")).json()).toMatchObject({ areas: ["results"] });
  expect(server.routes.map(({ path }) => path)).toContain("/v2/:entity/:project/eval_results/query");
  expect(server.routes.some(({ path }) => path === "/v1/chat/completions")).toBe(false);
  await server.close();
});

test("access is described correctly: none, this machine, a key", async () => {
  const who = async (access: ServerAccess) => {
    const { server, ask } = await open({ areas: ["results"], ...access });
    try {
      return [await server.whoMayAsk(), (await ask("/v2/projects")).status];
    } finally {
      await server.close();
    }
  };
  expect(await who({})).toEqual(["nobody", 401]);
  expect(await who({ bootstrapAccess: true })).toEqual(["this machine", 200]);
  expect(await who({ apiKey: "k" })).toEqual(["api key", 401]);
  const authenticate = async () => ({ id: "x", allows: () => true });
  expect(await who({ authenticate, apiKey: "k" })).toEqual(["by function", 200]);
});
