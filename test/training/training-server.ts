// A server for real workers: training routes over an in-memory store, a gateway, and a runner with the trainer to test.

import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createHandler, keyAuthentication, trainingRoutes } from "@assay/adapters-http";
import { type WorkerGateway, workerGateway } from "@assay/adapters-worker";
import {
  type ArtifactStore,
  type Clock,
  type Trainer,
  trainingService,
  uploadedData,
} from "@assay/training-core";
import { memoryArtifactStore, memoryTrainingStore } from "@assay/training-core/testing";
import { serve } from "@hono/node-server";

/** The system clock. */
const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** What a trainer is constructed from. */
export interface TrainerParts {
  readonly artifacts: ArtifactStore;
  readonly gateway: WorkerGateway;
  /** The address of this server, which includes the gateway. */
  readonly url: string;
  readonly clock: Clock;
}

/** A server that trains. */
export interface TrainingServer {
  /** Sends a request; resolves to the response body, and rejects if the server refuses it. */
  ask<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T>;
  /** The bytes of a checkpoint file. */
  file(path: string): Promise<Uint8Array>;
  /** Internal errors. */
  readonly errors: readonly unknown[];
  /** Stops training and listening. */
  close(): Promise<void>;
}

/** Listens on a free local port, and trains with the trainer that `trainerOf` returns. */
export async function startTrainingServer(
  trainerOf: (parts: TrainerParts) => Trainer,
): Promise<TrainingServer> {
  const key = randomUUID();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const artifacts = memoryArtifactStore();
  const service = trainingService({
    store: memoryTrainingStore(),
    artifacts,
    data: uploadedData(artifacts),
    clock: systemClock,
    ids: { next: randomUUID },
  });
  const group = trainingRoutes({ training: service, authenticate: keyAuthentication(key), onError });
  const handler = createHandler({ routes: [group] });
  const gateway = workerGateway(artifacts, onError);
  const fetch_ = (request: Request) =>
    new URL(request.url).pathname.startsWith("/runs/") ? gateway.fetch(request) : handler(request);
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: fetch_, port: 0, hostname: "127.0.0.1" }, () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = new AbortController();
  const trainer = trainerOf({ artifacts, gateway, url, clock: systemClock });
  const running = service.runJobs({ trainer, onError }, stop.signal);

  const request = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${url}/v1/preview${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    errors,
    ask: async (...of) => (await request(...of)).json(),
    file: async (path) => new Uint8Array(await (await request("GET", path)).arrayBuffer()),
    async close() {
      stop.abort();
      await running;
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
