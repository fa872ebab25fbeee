// A server for real clients: the Weave face over stores in memory, and an engine that reads the same stores.

import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { keyAuthentication, weaveFace } from "@assay/adapters-http";
import { createEvalEngine, type EvalEngine } from "@assay/eval-engine";
import { type MemoryTraceStores, memoryTraceStores, type TraceCall } from "@assay/trace-core";
import { serve } from "@hono/node-server";

/** A server that is listening. */
export interface TestServer {
  readonly url: string;
  readonly stores: MemoryTraceStores;
  readonly engine: EvalEngine;
  /** Each request that was not answered with 200, as `METHOD path status`. */
  readonly refused: readonly string[];
  /** Resolves when `check` holds, which is looked at now and after every request. */
  readonly until: (check: () => Promise<boolean>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startServer(key: string): Promise<TestServer> {
  const stores = memoryTraceStores();
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  const { app } = weaveFace({
    stores,
    authenticate: keyAuthentication(key),
    now: () => new Date().toISOString(),
    newId: randomUUID,
    onError: (error) => refused.push(String(error)),
  });
  const fetch = async (request: Request): Promise<Response> => {
    const response = await app.fetch(request);
    const { pathname } = new URL(request.url);
    if (response.status !== 200) refused.push(`${request.method} ${pathname} ${response.status}`);
    for (const wake of waiting) wake();
    return response;
  };
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(listening));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stores,
    engine: createEvalEngine({ calls: stores.calls, rows: stores.tables }),
    refused,
    until: async (check) => {
      while (!(await check())) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The roots of all traces of a project, by start. */
export async function rootsOf(server: TestServer, project: string): Promise<readonly TraceCall[]> {
  const roots: TraceCall[] = [];
  for await (const calls of server.stores.calls.scan(project, { rootsOnly: true })) roots.push(...calls);
  return roots;
}
