// Inference routes over a scripted engine, in this process or behind a real socket.

import type { AddressInfo } from "node:net";
import {
  type ChatCall,
  catalogueOf,
  type Inference,
  type LimitOptions,
  memoryTrainedModels,
  memoryUsage,
  requestLimits,
} from "@assay/inference-core";
import { type ScriptStep, scriptedProvider } from "@assay/inference-core/testing";
import { serve } from "@hono/node-server";
import { createHandler, inferenceRoutes, type Principal } from "../../src/index.ts";

/** The keys of the tests, with the projects they may use. */
const KEYS: Readonly<Record<string, Principal>> = {
  "key-a": { id: "a", allows: (entity) => entity === "team" },
  "key-home": {
    id: "h",
    home: { entity: "team", project: "own" },
    allows: (entity, project) => entity === "team" && project === "own",
  },
  "key-b": { id: "b", allows: (entity) => entity === "other" },
};

export interface WorldOptions {
  readonly limits?: LimitOptions;
  readonly maxBytes?: number;
  readonly keyName?: (id: string) => Promise<string | undefined>;
}

export type Script = (
  call: ChatCall,
  signal: AbortSignal,
) => Iterable<ScriptStep> | AsyncIterable<ScriptStep>;

/** Routes whose models answer with `script`, with the recorded usage and the reported errors. */
export function world(script: Script, { limits = {}, maxBytes, keyName }: WorldOptions = {}) {
  const provider = scriptedProvider(script);
  const usage = memoryUsage();
  const errors: unknown[] = [];
  const deleted: string[] = [];
  let ids = 0;
  const inference: Inference = {
    catalogue: catalogueOf([
      { id: "org/model", provider, trainedProvider: provider },
      { id: "org/other", provider },
    ]),
    trainedModels: memoryTrainedModels([
      {
        entity: "team",
        project: "demo",
        name: "m",
        baseModel: "org/model",
        step: 2,
        createdAt: 1_600_000_000_500,
        checkpoint: { id: "c", files: [] },
      },
    ]),
    limits: requestLimits(limits),
    usage,
    now: () => 1_700_000_000_000,
    newId: () => `id${++ids}`,
  };
  const group = inferenceRoutes({
    inference,
    usage,
    maxBytes,
    keyName,
    async deleteModel({ entity, project, name }) {
      if (name === "m") deleted.push(`${entity}/${project}/${name}`);
      return name === "m";
    },
    authenticate: async (request) => KEYS[request.headers.get("authorization")?.replace("Bearer ", "") ?? ""],
    onError: (error) => errors.push(error),
  });
  const app = { fetch: createHandler({ routes: [group] }) };
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => app.fetch(new Request(input, init));
  return { app, group, usage, errors, deleted, fetch };
}

/** Serves an app on a socket of its own; `close` waits until every connection is closed. */
export async function listen(app: { fetch: (request: Request) => Response | Promise<Response> }) {
  const { server, port } = await new Promise<{ server: ReturnType<typeof serve>; port: number }>(
    (resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info: AddressInfo) =>
        resolve({ server, port: info.port }),
      );
    },
  );
  return {
    url: `http://127.0.0.1:${port}/v1`,
    connections: () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
