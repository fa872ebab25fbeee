import type { AddressInfo } from "node:net";
import { workerGateway } from "@assay/adapters-worker";
import type { TrainingTask, WorkerMessage } from "@assay/training-core";
import { trainerLaws } from "@assay/training-core/laws";
import { memoryArtifactStore, simulatedClock } from "@assay/training-core/testing";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, test } from "vitest";
import { type RayTrainerOptions, rayTrainer } from "../src/index.ts";
import { type DoubleWorker, openRay, type RayDoubleOptions } from "./ray-double.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function trains(worker: DoubleWorker): Promise<number> {
  await worker.say({ type: "started", num_sequences: 2 });
  await worker.say({ type: "step", step: 1, metrics: {} }, { type: "step", step: 2, metrics: {} });
  await worker.say({ type: "done", files: [await worker.leave("weights.bin", "weights")] });
  return 0;
}

/** Sends one message, then waits until it is stopped. */
async function waits(worker: DoubleWorker): Promise<number> {
  await worker.say({ type: "heartbeat" });
  await worker.stopped;
  return 0;
}

/** A cluster, a gateway and a trainer. The simulated clock advances constantly. */
async function open(double: Partial<RayDoubleOptions> = {}, options: Partial<RayTrainerOptions> = {}) {
  const ray = await openRay({ worker: trains, ...double });
  closing.push(ray.close);
  const artifacts = memoryArtifactStore();
  const gateway = workerGateway(artifacts);
  const server = serve({ fetch: gateway.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => new Promise((resolve) => void server.close(resolve)));
  const clock = simulatedClock();
  const passing = setInterval(() => clock.advance(1000), 1);
  closing.push(async () => clearInterval(passing));
  const logs: string[] = [];
  const errors: string[] = [];
  const trainer = rayTrainer({
    address: ray.address,
    entrypoint: "python worker.py",
    runtimeEnv: { working_dir: "/somewhere", env_vars: { HOME: "/home" } },
    resources: { entrypoint_num_gpus: 1 },
    gateway,
    gatewayUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    silenceMs: 3_600_000,
    onLog: (_, log) => void logs.push(Buffer.from(log).toString()),
    onError: (error) => void errors.push(error.message),
    ...options,
  });
  const task: TrainingTask = {
    job_id: "j",
    attempt: 1,
    steps_reported: 0,
    model: { id: "m", entity: "e", project: "p", name: "n", base_model: "b" },
    parent: { step: 0, files: [] },
    spec: { kind: "rl", trajectory_groups: [], config: {} },
  };
  const train = async (
    hear: (said: WorkerMessage) => void = () => {},
    signal = new AbortController().signal,
  ) => {
    const said: WorkerMessage[] = [];
    for await (const message of trainer.train(task, signal)) {
      said.push(message);
      hear(message);
    }
    return said;
  };
  return { ray, artifacts, gateway, trainer, task, train, logs, errors };
}

describe("rayTrainer", () => {
  for (const law of trainerLaws(() => open())) test(law.name, law.run);

  test("checks whether the cluster answers", async () => {
    const { ray, trainer } = await open();
    await trainer.check?.();
    ray.refuse(401);
    await expect(trainer.check?.()).rejects.toMatchObject({ code: "denied" });
    ray.refuse(200, "<html>");
    await expect(trainer.check?.()).rejects.toMatchObject({ code: "corrupt" });
    await ray.close();
    await expect(trainer.check?.()).rejects.toMatchObject({
      code: "unavailable",
      message: "Ray cannot be reached",
    });
  });

  test("submits the command with the address of its run, and keeps its log", async () => {
    const { ray, train, logs, errors } = await open();
    expect((await train()).map(({ type }) => type)).toEqual(["started", "step", "step", "done"]);
    const job = ray.jobs.get("assay-j-1")!;
    expect(job.body).toMatchObject({
      entrypoint: "python worker.py",
      entrypoint_num_gpus: 1,
      runtime_env: { working_dir: "/somewhere", env_vars: { HOME: "/home" } },
    });
    expect(job.body.runtime_env.env_vars["ASSAY_RUN_URL"]).toMatch(
      /^http:\/\/127.0.0.1:\d+\/runs\/[\w-]{32}$/,
    );
    expect([job.status, job.stops]).toEqual(["SUCCEEDED", 0]);
    expect(logs).toEqual(["log of assay-j-1\n"]);
    expect(errors).toEqual([]);
  });
});

describe("however a job of Ray ends, the job ends with a reason", () => {
  const last = async (...of: Parameters<typeof open>) => (await (await open(...of)).train()).at(-1);

  test("its worker fails", async () => {
    const failure = { type: "failed", code: "out_of_memory", message: "no room", retryable: false };
    const worker = async ({ say }: DoubleWorker) => (await say(failure)).status - 200;
    expect(await last({ worker })).toEqual(failure);
  });

  test.each([
    [3, { code: "ray_failed", message: "the job failed on Ray: exit code 3", retryable: false }],
    [0, { code: "worker_ended", message: "the worker ended without a result", retryable: true }],
  ])("its command exits with %s", async (code, failure) => {
    expect(await last({ worker: async () => code })).toEqual({ type: "failed", ...failure });
  });

  test("its worker reports that it stops", async () => {
    const worker = async ({ say }: DoubleWorker) => (await say({ type: "stopped" })).status - 200;
    expect(await last({ worker })).toMatchObject({ code: "worker_stopped", retryable: true });
  });

  test("Ray forgets it", async () => {
    const { ray, train } = await open({ worker: waits });
    const said = await train(() => ray.jobs.clear());
    const message = "Ray no longer knows the job: its head was restarted";
    expect(said.at(-1)).toEqual({ type: "failed", code: "ray_forgot", message, retryable: true });
  });

  test("it is stopped on the cluster", async () => {
    const { ray, train } = await open({ worker: waits });
    const said = await train(() => {
      for (const job of ray.jobs.values()) job.status = "STOPPED";
    });
    expect(said.at(-1)).toMatchObject({ code: "ray_stopped", retryable: false });
  });

  test("its supervisor dies, which is Ray's fault and can be retried", async () => {
    const { ray, train } = await open({ worker: waits });
    const said = await train(() => {
      for (const job of ray.jobs.values())
        Object.assign(job, { status: "FAILED", error_type: "JOB_SUPERVISOR_ACTOR_DIED" });
    });
    const message = "the job failed on Ray: JOB_SUPERVISOR_ACTOR_DIED";
    expect(said.at(-1)).toEqual({ type: "failed", code: "ray_failed", message, retryable: true });
  });

  test("Ray is unreachable for too long, and its error texts are not passed on", async () => {
    const { ray, train } = await open({ worker: waits });
    const said = await train(() => ray.refuse(500));
    expect(said.at(-1)).toEqual({
      type: "failed",
      code: "ray_unreachable",
      message: "Ray answered with status 500",
      retryable: true,
    });
  });

  test("its worker hangs", async () => {
    const { ray, train } = await open({ worker: waits }, { silenceMs: 30_000 });
    expect((await train()).at(-1)).toMatchObject({ code: "worker_hung", retryable: true });
    expect(ray.jobs.get("assay-j-1")?.status).toBe("STOPPED");
  });

  test.each([
    [400, "ray_refused"],
    [401, "ray_denied"],
    [500, "ray_unreachable"],
  ])("Ray answers the submission with %s", async (status, code) => {
    const { ray, train } = await open();
    ray.refuse(status);
    expect(await train()).toMatchObject([{ code }]);
  });

  test.each([
    ["is refused repeatedly", ["refused", "refused", "refused", "refused"]],
    ["is accepted, but its answer is lost", ["lost"]],
    ["is refused, then accepted with its answer lost", ["refused", "lost"]],
  ] as const)("a submission that %s finally runs once", async (_, submissions) => {
    const { ray, train } = await open({ submissions });
    expect((await train()).map(({ type }) => type)).toEqual(["started", "step", "step", "done"]);
    expect([...ray.jobs.keys()]).toEqual(["assay-j-1"]);
  });

  test("a submission is not retried forever, nor after the job was stopped", async () => {
    const refused = Array.from({ length: 20 }, () => "refused" as const);
    const { ray, train } = await open({ submissions: refused });
    expect(await train()).toMatchObject([{ code: "ray_unreachable", retryable: true }]);
    expect(ray.jobs.size).toBe(0);
    const stopped = await open({ submissions: refused });
    const before = performance.now();
    await stopped.train(undefined, AbortSignal.abort());
    expect(performance.now() - before).toBeLessThan(2000);
  });

  test("Ray already has a job with its id", async () => {
    const { ray, train } = await open();
    await train();
    expect(await train()).toMatchObject([{ code: "ray_conflict", retryable: true }]);
    expect(ray.jobs.get("assay-j-1")?.stops).toBe(0);
  });
});

describe("a job of Ray that must stop", () => {
  test("is stopped, and ends before the trainer does", async () => {
    const { ray, train, errors } = await open({ worker: waits });
    const stop = new AbortController();
    expect(await train(() => stop.abort(), stop.signal)).toEqual([{ type: "heartbeat" }]);
    expect(ray.jobs.get("assay-j-1")).toMatchObject({ status: "STOPPED", stops: 1 });
    expect(errors).toEqual([]);
  });

  test("is stopped again while pending, because Ray accepts that and does nothing", async () => {
    const { ray, train, errors } = await open({ pending: true, deafStops: 2 });
    await train(undefined, AbortSignal.timeout(20));
    expect(ray.jobs.get("assay-j-1")).toMatchObject({ status: "STOPPED", stops: 3 });
    expect(errors).toEqual([]);
  });

  test("and never does is reported, and finds no task when it starts", async () => {
    const { ray, train, errors } = await open({ pending: true, deafStops: 1000 });
    await train(undefined, AbortSignal.timeout(20));
    expect(errors).toEqual(["the job assay-j-1 of Ray does not stop: it is PENDING"]);
    const url = ray.jobs.get("assay-j-1")!.body.runtime_env.env_vars["ASSAY_RUN_URL"]!;
    expect((await fetch(`${url}/task`)).status).toBe(404);
  });
});
