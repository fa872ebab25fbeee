import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import { type Job, type TrainingStore, trainingService, type WorkerMessage } from "../src/index.ts";
import { publicEvent } from "../src/job/job-event.ts";
import type { RunJobsOptions } from "../src/service/run-jobs.ts";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  scriptedTrainer,
  simulatedClock,
  type TrainerScript,
} from "../src/testing/index.ts";

const answer = (reward: number) => ({
  reward,
  messages_and_choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "!" },
      logprobs: { content: [{ token: "!", logprob: -1 }] },
    },
  ],
  additional_histories: [],
  metrics: {},
});

/** A service with one model, a function that submits jobs, and runners that can be started and stopped. */
async function open(store: TrainingStore = memoryTrainingStore()) {
  const clock = simulatedClock();
  const artifacts = memoryArtifactStore();
  const data = memoryTrainingData(new Map());
  const start = () => trainingService({ store, artifacts, data, clock, ids });
  const ids = countingIds();
  const service = start();
  const made = await service.createModel({
    entity: "e",
    project: "p",
    name: "n",
    baseModel: "b",
    returnExisting: false,
  });
  if (!made.ok) throw new Error("no model");
  const submit = async () => {
    const spec = {
      kind: "rl",
      trajectory_groups: [{ trajectories: [answer(0), answer(1)], exceptions: [] }],
      config: {},
    } as const;
    const job = await service.submitRl({ modelId: made.value.id, spec });
    if (!job.ok) throw new Error("no job");
    return job.value.id;
  };
  const errors: unknown[] = [];
  const begin = (script: TrainerScript, options: Partial<RunJobsOptions> = {}, running = service) => {
    const stop = new AbortController();
    const onError = (error: unknown) => errors.push(error);
    const over = running.runJobs({ trainer: scriptedTrainer(script), onError, ...options }, stop.signal);
    return {
      async stop() {
        stop.abort();
        await over;
      },
    };
  };
  /** Resolves with the job once `suits`. Lets pending work run, and advances the clock by `ms` each time. */
  const until = async (id: string, suits: (job: Job) => boolean, ms = 0): Promise<Job> => {
    for (let i = 0; i < 10_000; i++) {
      const job = await store.job(id);
      if (job !== undefined && suits(job)) return job;
      await new Promise((resolve) => setImmediate(resolve));
      if (ms > 0) clock.advance(ms);
    }
    throw new Error(`the job is still ${(await store.job(id))?.state}`);
  };
  const events = async (id: string) => (await store.events(id, { afterSeq: 0, limit: 100 })).map(publicEvent);
  const file = async () => ({ name: "weights", ...(await artifacts.write([new Uint8Array([1])])) });
  return { clock, service, start, store, submit, begin, until, events, file, errors };
}

const ended = (job: Job) => ["succeeded", "failed", "cancelled"].includes(job.state);
const started = (num_sequences: number, resumable = false): WorkerMessage => ({
  type: "started",
  num_sequences,
  resumable,
});
const step = (n: number): WorkerMessage => ({ type: "step", step: n, metrics: { loss: n } });
const never = (signal: AbortSignal, heed = true) =>
  new Promise<void>((resolve) => {
    if (heed) signal.addEventListener("abort", () => resolve(), { once: true });
  });

describe("a runner", () => {
  test("trains the jobs of a model one after the other", async () => {
    const { submit, begin, until, file, store } = await open();
    const [one, two] = [await submit(), await submit()];
    let running = 0;
    let most = 0;
    const runner = begin(
      async function* (task) {
        running++;
        most = Math.max(most, running);
        yield started(1);
        yield step(1);
        running--;
        yield { type: "done", files: [await file()], metrics: { "val/parent": task.parent.step } };
      },
      { slots: 3 },
    );
    await until(two, ended);
    await runner.stop();
    expect(most).toBe(1);
    expect(await store.job(one)).toMatchObject({ state: "succeeded", checkpoint: { step: 1 } });
    expect(await store.job(two)).toMatchObject({
      state: "succeeded",
      parent: { step: 1 },
      checkpoint: { step: 2 },
    });
    expect((await store.checkpoint((await store.job(two))!.modelId, 2))?.metrics).toEqual({
      "train/loss": 1,
      "train/reward": 0.5,
      "train/reward_std_dev": 0.5,
      "train/exception_rate": 0,
      "val/parent": 1,
    });
  });

  test("that is stopped returns its job, more often than a job may fail, and the next one resumes it", async () => {
    const { submit, begin, until, events, file } = await open();
    const id = await submit();
    const script: TrainerScript = async function* (task, signal) {
      yield started(3, true);
      yield step(1);
      if (task.attempt <= 5) await never(signal);
      expect(task.steps_reported).toBe(1);
      yield step(2);
      yield step(3);
      yield { type: "done", files: [await file()] };
    };
    for (let attempt = 1; attempt <= 5; attempt++) {
      const stopped = begin(script);
      await until(id, (job) => job.attempt === attempt && job.state === "running" && job.steps === 1);
      await stopped.stop();
      await until(id, (job) => job.state === "queued");
    }
    const last = begin(script);
    expect(await until(id, ended)).toMatchObject({ state: "succeeded", attempt: 6, maxAttempts: 8 });
    await last.stop();
    expect((await events(id)).map(({ type, data }) => data["loss"] ?? type)).toEqual([
      "submitted",
      "claimed",
      "training_started",
      1,
      ...Array.from({ length: 5 }, () => ["requeued", "claimed", "resumed"]).flat(),
      2,
      3,
      "trained",
      "training_ended",
    ]);
  });

  test("resumes the work of a killed service: its own jobs are run again, trained ones are finished", async () => {
    const { submit, begin, until, service, file, store, start } = await open();
    const id = await submit();
    await service.claim({ worker: "local", accepts: () => true });
    expect((await store.job(id))?.state).toBe("starting");
    const runner = begin(
      async function* () {
        yield started(1);
        yield step(1);
        yield { type: "done", files: [await file()] };
      },
      {},
      start(),
    );
    expect(await until(id, ended)).toMatchObject({ state: "succeeded", attempt: 2 });
    await runner.stop();
  });

  test("fails a job that cannot be resumed once clients have seen it start", async () => {
    const { submit, begin, until } = await open();
    const id = await submit();
    const runner = begin(async function* () {
      yield started(2);
      throw new Fault("unavailable", "the engine broke off");
    });
    expect((await until(id, ended)).error).toEqual({
      code: "trainer_failed",
      message: "the engine broke off, and the trainer cannot resume",
    });
    await runner.stop();
  });

  test("that is stopped fails a job that cannot be resumed, once clients have seen it start", async () => {
    const { submit, begin, until, store } = await open();
    const id = await submit();
    const runner = begin(async function* (_, signal) {
      yield started(2);
      await never(signal);
    });
    await until(id, (job) => job.state === "running");
    await runner.stop();
    expect((await store.job(id))?.error).toEqual({
      code: "worker_stopped",
      message: "the worker stopped, and the trainer cannot resume",
    });
  });

  test("retries a job that failed before it started, and finally gives up", async () => {
    const { submit, begin, until } = await open();
    const id = await submit();
    let runs = 0;
    // biome-ignore lint/correctness/useYield: it fails before its first word.
    const runner = begin(async function* () {
      runs++;
      throw new Fault("overloaded", "no machine is free");
    });
    expect(await until(id, ended)).toMatchObject({ state: "failed", attempt: 3 });
    expect(runs).toBe(3);
    await runner.stop();
  });

  test.each<[string, readonly WorkerMessage[], string]>([
    ["ends early", [started(1), step(1)], "trainer_ended"],
    ["skips a step", [started(2), step(2)], "protocol"],
    ["steps before it starts", [step(1)], "protocol"],
    ["steps too often", [started(1), step(1), step(2)], "protocol"],
    ["reports done too soon", [started(1), { type: "done", files: [] }], "protocol"],
    ["leaves no files", [started(1), step(1), { type: "done" }], "no_files"],
    [
      "names missing files",
      [started(1), step(1), { type: "done", files: [{ name: "a", sha256: "0".repeat(64), size: 1 }] }],
      "files_missing",
    ],
    [
      "names a file outside its folder",
      [started(1), step(1), { type: "done", files: [{ name: "../a", sha256: "0".repeat(64), size: 1 }] }],
      "protocol",
    ],
    ["talks nonsense", [{ type: "dance" } as unknown as WorkerMessage], "protocol"],
    ["counts wrongly", [started(-1)], "protocol"],
    [
      "reports its failure as a cancellation",
      [{ type: "failed", message: "no", code: "cancelled" }],
      "trainer_failed",
    ],
  ])("fails the job of a trainer that %s", async (_, messages, code) => {
    const { submit, begin, until } = await open();
    const id = await submit();
    const runner = begin(() => messages);
    expect(await until(id, ended)).toMatchObject({ state: "failed", error: { code } });
    await runner.stop();
  });

  test("abandons a trainer that does not stop when told to", async () => {
    const { submit, begin, until, service, store } = await open();
    const id = await submit();
    const runner = begin(async function* (_, signal) {
      yield started(1);
      await never(signal, false);
    });
    await until(id, (job) => job.state === "running");
    await service.cancelJob(id);
    expect((await store.job(id))?.state).toBe("running");
    expect((await until(id, ended, 500)).state).toBe("cancelled");
    await runner.stop();
  });

  test("fails a job whose trainer is silent for too long, even if its process is alive", async () => {
    const { submit, begin, until, store } = await open();
    const id = await submit();
    const runner = begin(
      async function* (_, signal) {
        yield started(1, true);
        await never(signal);
      },
      { stallMs: 60_000 },
    );
    await until(id, (job) => job.state === "running");
    const job = await until(id, ended, 1_000);
    expect(job.error?.code).toBe("trainer_stalled");
    expect(job.finishedAt! - job.startedAt!).toBeGreaterThan(60_000);
    expect((await store.job(id))?.attempt).toBe(1);
    await runner.stop();
  });

  test("keeps a slow job alive as long as the runner is alive", async () => {
    const { submit, begin, until, file, clock, store } = await open();
    const id = await submit();
    let go = () => {};
    const slow = new Promise<void>((resolve) => {
      go = resolve;
    });
    const runner = begin(async function* () {
      yield started(1);
      await slow;
      yield step(1);
      yield { type: "done", files: [await file()] };
    });
    await until(id, (job) => job.state === "running");
    for (let i = 0; i < 100; i++) {
      clock.advance(9_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await store.job(id))?.state).toBe("running");
    go();
    expect((await until(id, ended)).state).toBe("succeeded");
    await runner.stop();
  });

  test("continues after its store was unavailable for a while", async () => {
    const inner = memoryTrainingStore();
    let away = false;
    const store: TrainingStore = {
      ...inner,
      commit: (change) => {
        if (away) throw new Fault("unavailable", "the store is away");
        return inner.commit(change);
      },
    };
    const { submit, begin, until, file, errors } = await open(store);
    const id = await submit();
    let runs = 0;
    const runner = begin(async function* () {
      runs++;
      yield started(2, true);
      away = runs === 1;
      yield step(1);
      yield step(2);
      yield { type: "done", files: [await file()] };
    });
    await until(id, () => errors.length > 0);
    away = false;
    expect((await until(id, ended, 1_000)).state).toBe("succeeded");
    expect(runs).toBe(2);
    await runner.stop();
  });

  test("learns of a cancellation at once, however often its trainer reports", async () => {
    const inner = memoryTrainingStore();
    // Other code runs while a change is written, as with a disk.
    const commit: TrainingStore["commit"] = async (change) => {
      await new Promise((resolve) => setImmediate(resolve));
      return inner.commit(change);
    };
    const { submit, begin, until, service, store } = await open({ ...inner, commit });
    const id = await submit();
    const runner = begin(async function* () {
      yield started(100_000);
      for (let n = 1; n <= 100_000; n++) yield step(n);
    });
    await until(id, ({ steps }) => steps > 10);
    const before = (await store.job(id))!.steps;
    expect(await service.cancelJob(id)).toMatchObject({ ok: true });
    expect((await store.job(id))!.steps - before).toBeLessThan(10);
    expect((await until(id, ended)).state).toBe("cancelled");
    await runner.stop();
  });
});
