import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHandler, trainingRoutes } from "@assay/adapters-http";
import { Fault } from "@assay/base";
import { type Job, type Trainer, trainingService, uploadedData } from "@assay/training-core";
import { uploadUrl } from "@assay/training-core/internal";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingStore,
  simulatedClock,
} from "@assay/training-core/testing";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, test } from "vitest";
import { processTrainer, runWorker, type WorkOptions, workerClient } from "../src/index.ts";
import type { JobFiles } from "../src/work-folder.ts";

const WORKER = fileURLToPath(new URL("./two-step-worker.mjs", import.meta.url));
const ROW = '{"messages":[{"role":"user","content":"?"},{"role":"assistant","content":"!"}]}\n';
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with a queued fine-tuning job, and the options of its worker. `refuse` intercepts requests. */
async function open(how: string, refuse: (request: Request) => Response | undefined = () => undefined) {
  const clock = simulatedClock();
  const artifacts = memoryArtifactStore();
  const service = trainingService({
    store: memoryTrainingStore(),
    artifacts,
    data: uploadedData(artifacts),
    clock,
    ids: countingIds(),
  });
  const group = trainingRoutes({
    training: service,
    authenticate: async (request) =>
      request.headers.get("authorization") === "Bearer key" ? { id: "p", allows: () => true } : undefined,
  });
  const handler = createHandler({ routes: [group] });
  const fetch = async (request: Request) => refuse(request) ?? handler(request);
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const name = { entity: "e", project: "p", name: "n", baseModel: "b", returnExisting: true };
  const model = await service.createModel(name);
  const data = await service.storeRows(oneOf(ROW));
  if (!model.ok || !data.ok) throw new Error("no model or data");
  const spec = { modelId: model.value.id, url: uploadUrl(data.value.data.sha256), config: {} };
  const submitted = await service.submitSft(spec, undefined, never());
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.issues));
  const job = async () => (await service.store.job(submitted.value.id)) as Job;

  const folder = mkdtempSync(join(tmpdir(), "assay-work-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const command = [process.execPath, WORKER, how] as const;
  const errors: unknown[] = [];
  const options = (more: Partial<WorkOptions> & { key?: string } = {}): WorkOptions => ({
    client: workerClient({ server: address, key: more.key ?? "key" }),
    worker: "w",
    trainer: (artifacts: JobFiles): Trainer => processTrainer({ command, artifacts, folder, clock }),
    clock,
    jobs: 1,
    onError: (error) => {
      errors.push(error);
      // Ends each pause before a retry at once.
      setImmediate(() => clock.advance(1000));
    },
    ...more,
  });
  return { service, clock, job, options, errors, modelId: model.value.id };
}

async function* oneOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const never = () => new AbortController().signal;

describe("a remote worker", () => {
  test("takes a job, trains it, and uploads its checkpoint", async () => {
    const { service, job, options, errors, modelId } = await open("trains");
    await runWorker(options(), never());
    expect(errors).toEqual([]);
    const ended = await job();
    expect(ended).toMatchObject({ state: "succeeded", steps: 2, worker: "remote:w" });
    const events = await service.readEvents(ended.id, { limit: 100 });
    expect(events.ok && events.value.items.map(({ type }) => type)).toEqual([
      "training_started",
      "gradient_step",
      "gradient_step",
      "training_ended",
    ]);
    const checkpoints = await service.listCheckpoints(modelId, { order: "asc", limit: 10 });
    expect(checkpoints.ok && checkpoints.value.items).toMatchObject([{ files: [{ name: "weights.bin" }] }]);
  });

  test("repeats a report whose answer was lost", async () => {
    const times = new Map<string, number>();
    const { job, options, errors } = await open("trains", (request) => {
      const path = new URL(request.url).pathname.replace(/^.*\//, "");
      const count = (times.get(path) ?? 0) + 1;
      times.set(path, count);
      const broken = request.method === "POST" && path !== "claim" && count % 2 === 1;
      return broken ? new Response("down", { status: 503 }) : undefined;
    });
    await runWorker(options(), never());
    expect(errors.length).toBeGreaterThan(2);
    expect(await job()).toMatchObject({ state: "succeeded", steps: 2 });
  });

  test("stops when its job is cancelled, and reports it", async () => {
    const { service, clock, job, options } = await open("waits");
    const working = runWorker(options({ onTask: (task) => void service.cancelJob(task.job_id) }), never());
    // The worker learns of it with its next heartbeat.
    const beat = setInterval(() => clock.advance(1000), 5);
    await working;
    clearInterval(beat);
    expect(await job()).toMatchObject({ state: "cancelled" });
  });

  test("returns its job when asked to end", async () => {
    const { job, options } = await open("waits");
    const stop = new AbortController();
    const trainer: WorkOptions["trainer"] = (files) => {
      const inner = options().trainer(files);
      return {
        ...inner,
        async *train(task, signal) {
          for await (const message of inner.train(task, signal)) {
            yield message;
            stop.abort();
          }
        },
      };
    };
    await runWorker(options({ trainer }), stop.signal);
    expect(await job()).toMatchObject({ state: "queued", attempt: 1 });
  });

  test("stops when its job was given to another worker, and does not affect that one", async () => {
    const { service, clock, job, options } = await open("trains");
    const trainer: WorkOptions["trainer"] = (files) => {
      const inner = options().trainer(files);
      return {
        ...inner,
        async *train(task, signal) {
          // Stays silent until it counts as lost, then another worker claims the job.
          for (let i = 0; i < 4; i++) {
            clock.set(clock.now() + 60_000);
            await service.expireLostJobs();
          }
          await service.claim({ worker: "other", accepts: () => true });
          yield* inner.train(task, signal);
        },
      };
    };
    await runWorker(options({ trainer }), never());
    expect(await job()).toMatchObject({ state: "starting", attempt: 2, worker: "other", steps: 0 });
  });

  test("returns a job that it cannot train", async () => {
    const { job, options } = await open("trains");
    const trainer = (): Trainer => ({ accepts: () => false, train: () => (async function* () {})() });
    await runWorker(options({ trainer }), never());
    expect(await job()).toMatchObject({ state: "queued", attempt: 1 });
  });

  test("ends when its key is refused, and retries when the server is unreachable", async () => {
    const { options } = await open("trains");
    await expect(runWorker(options({ key: "wrong" }), never())).rejects.toMatchObject({ code: "denied" });
    const stop = new AbortController();
    const gone = workerClient({ server: "http://127.0.0.1:9" });
    const faults: unknown[] = [];
    const onError = (error: unknown) => {
      faults.push(error);
      stop.abort();
    };
    await runWorker({ ...options(), client: gone, onError }, stop.signal);
    expect(faults[0]).toBeInstanceOf(Fault);
    expect((faults[0] as Fault).code).toBe("unavailable");
  });
});
