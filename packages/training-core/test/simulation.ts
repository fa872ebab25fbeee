// A world in which everything happens that may happen to training jobs, and the invariants that must still hold.

import assert from "node:assert/strict";
import { Fault } from "@assay/base";
import {
  type ArtifactStore,
  cachingStore,
  type Job,
  type JobEvent,
  type Model,
  type TrainingService,
  type TrainingStore,
  trainingService,
  type WorkerMessage,
} from "../src/index.ts";
import { ACTIVE, hasEnded, isActive } from "../src/job/job.ts";
import { PUBLIC_EVENT_TYPES, publicEvent } from "../src/job/job-event.ts";
import type { TrajectoryGroup } from "../src/job/trajectory.ts";
import { resolveModel } from "../src/state/resolve-model.ts";
import {
  countingIds,
  foldEvents,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  type SimulatedClock,
  simulatedClock,
} from "../src/testing/index.ts";
import { artClient } from "./art-client.ts";

/** One thing that happens. Numbers pick from what exists at that moment. */
export type Happening =
  | { readonly do: "create"; readonly name: number; readonly twice: boolean }
  | {
      readonly do: "submit";
      readonly model: number;
      readonly empty: boolean;
      readonly key: number | undefined;
    }
  | { readonly do: "claim"; readonly racing: number; readonly script: Script }
  | { readonly do: "say next"; readonly worker: number }
  | { readonly do: "say any"; readonly worker: number; readonly message: number }
  | { readonly do: "stop"; readonly worker: number }
  | { readonly do: "cancel"; readonly job: number }
  | { readonly do: "delete model"; readonly model: number }
  | { readonly do: "delete steps"; readonly model: number; readonly steps: readonly number[] }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "set clock"; readonly by: number }
  | { readonly do: "reap" }
  | { readonly do: "read"; readonly job: number; readonly limit: number }
  | { readonly do: "crash"; readonly recover: boolean }
  | { readonly do: "fault"; readonly when: "before" | "after"; readonly write: number }
  | { readonly do: "together"; readonly what: readonly Happening[] };

/** What a worker will report. */
export interface Script {
  readonly sequences: number;
  readonly resumable: boolean;
  readonly end: "done" | "failed" | "retry" | "no files" | "files missing" | "silence";
}

interface Worker {
  readonly jobId: string;
  readonly attempt: number;
  readonly outbox: readonly WorkerMessage[];
  next: number;
}

const NAMES = ["one", "two"];
const choice = (reward: number) => ({
  reward,
  messages_and_choices: [
    { role: "user", content: "?" },
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
const GROUPS: readonly TrajectoryGroup[] = [{ trajectories: [choice(0), choice(1)], exceptions: [] }];
const LEVEL_GROUPS: readonly TrajectoryGroup[] = [{ trajectories: [choice(1), choice(1)], exceptions: [] }];

/** Performs `happenings`, and throws if an invariant breaks. */
export async function simulate(happenings: readonly Happening[]): Promise<void> {
  const world = new World();
  await world.begin();
  for (const happening of happenings) {
    world.earliest = world.clock.now();
    await world.happen(happening);
    await world.check();
  }
  await world.settleDown();
}

class World {
  readonly clock: SimulatedClock = simulatedClock(1_000_000);
  /** The total milliseconds by which the clock was set back. A deadline may come that much later. */
  private setBack = 0;
  /** The earliest time on the clock during the current happening, which concurrent requests may have read. */
  earliest = 0;
  readonly ids = countingIds();
  readonly store = memoryTrainingStore();
  readonly artifacts: ArtifactStore = memoryArtifactStore();
  readonly workers: Worker[] = [];
  readonly jobIds: string[] = [];
  readonly modelIds: string[] = [];
  /** The state at the last check; it must never change. */
  readonly seenEvents = new Map<string, readonly JobEvent[]>();
  readonly seenModels = new Map<string, Model>();
  /** The answers to requests with idempotency keys. */
  readonly answers = new Map<string, { readonly id: string; readonly until: number }>();
  fault: { when: "before" | "after"; write: number } | undefined;
  file = { name: "weights", sha256: "", size: 0 };
  service: TrainingService;
  /** The number of process starts. Only the newest process is alive; earlier ones cannot write. */
  private starts = 0;

  constructor() {
    this.service = this.start();
  }

  async begin() {
    this.file = { name: "weights", ...(await this.artifacts.write([new Uint8Array([1, 2, 3])])) };
  }

  /** A service after a start: it knows only the store. */
  start(): TrainingService {
    const { clock, ids, artifacts } = this;
    const data = memoryTrainingData(new Map());
    // Small enough that the cache keeps filling and evicting.
    const store = cachingStore(this.unreliable(), { objects: 3, numbers: 100 });
    return trainingService({ store, artifacts, data, clock, ids, policy: { maxAttempts: 2 } });
  }

  /** The store with faults: when one is due, a write fails before or after everything is written. */
  unreliable(): TrainingStore {
    const start = ++this.starts;
    return {
      ...this.store,
      commit: async (change) => {
        if (start !== this.starts) throw new Fault("unavailable", "the process has ended");
        const { fault } = this;
        if (fault === undefined || fault.write-- > 0) return this.store.commit(change);
        this.fault = undefined;
        if (fault.when === "after") await this.store.commit(change);
        throw new Fault("unavailable", "the store broke off");
      },
    };
  }

  async happen(happening: Happening): Promise<void> {
    try {
      await this.perform(happening);
    } catch (error) {
      // The process ends and loses its memory. The request may or may not have taken effect.
      if (!(error instanceof Fault) || error.code !== "unavailable") throw error;
      this.service = this.start();
    }
  }

  async perform(happening: Happening): Promise<void> {
    const { service } = this;
    switch (happening.do) {
      case "create": {
        const wish = {
          entity: "e",
          project: "p",
          name: NAMES[happening.name]!,
          baseModel: "b",
          returnExisting: true,
        };
        const made = await together(
          [wish, ...(happening.twice ? [wish] : [])].map((one) => service.createModel(one)),
        );
        const ids = new Set(made.map((one) => (one.ok ? one.value.id : assert.fail())));
        assert.equal(ids.size, 1, "M1: one model of a name");
        return;
      }
      case "submit": {
        const modelId = pick(this.modelIds, happening.model);
        if (modelId === undefined) return;
        const spec = {
          kind: "rl" as const,
          trajectory_groups: happening.empty ? LEVEL_GROUPS : GROUPS,
          config: {},
        };
        const key = happening.key === undefined ? undefined : `${modelId} ${happening.key}`;
        const once = key === undefined ? undefined : { key, digest: "d" };
        const asked = this.clock.now();
        const answer = await service.submitRl({ modelId, spec }, once);
        if (!answer.ok || key === undefined) return;
        const { id } = answer.value;
        const earlier = this.answers.get(key);
        if (earlier !== undefined && Math.max(asked, this.clock.now()) < earlier.until)
          assert.equal(id, earlier.id, "A1: the same key, the same job");
        if (id !== earlier?.id) this.answers.set(key, { id, until: this.earliest + service.policy.replyMs });
        return;
      }
      case "claim": {
        const claimant = { worker: "w", accepts: () => true };
        const racing = Array.from({ length: happening.racing }, () => service.claim(claimant));
        for (const task of await together(racing)) {
          if (task === undefined) continue;
          const outbox = this.speech(happening.script);
          this.workers.push({ jobId: task.job_id, attempt: task.attempt, outbox, next: 0 });
        }
        return;
      }
      case "say next": {
        const worker = pick(this.workers, happening.worker);
        const message = worker?.outbox[worker.next];
        if (worker === undefined || message === undefined) return;
        await this.say(worker, message);
        worker.next++;
        return;
      }
      case "say any": {
        const worker = pick(this.workers, happening.worker);
        const message = worker && pick(worker.outbox, happening.message);
        if (worker && message) await this.say(worker, message);
        return;
      }
      case "stop": {
        const worker = pick(this.workers, happening.worker);
        if (worker) await this.say(worker, { type: "stopped" });
        return;
      }
      case "cancel": {
        const jobId = pick(this.jobIds, happening.job);
        if (jobId !== undefined) await service.cancelJob(jobId);
        return;
      }
      case "delete model": {
        const modelId = pick(this.modelIds, happening.model);
        if (modelId === undefined) return;
        const [first, again] = [await service.deleteModel(modelId), await service.deleteModel(modelId)];
        assert.deepEqual(first, again, "deleting again answers the same");
        return;
      }
      case "delete steps": {
        const modelId = pick(this.modelIds, happening.model);
        if (modelId === undefined) return;
        const { steps } = happening;
        const answer = await service.deleteCheckpoints(modelId, steps);
        if (answer === undefined) return;
        assert.equal(
          answer.deleted + answer.notFound.length,
          new Set(steps).size,
          "C5: every step is accounted for",
        );
        const again = await service.deleteCheckpoints(modelId, steps);
        if (again === undefined) return;
        assert.deepEqual(again, { deleted: 0, notFound: [...new Set(steps)] }, "C5: deleted once");
        return;
      }
      case "advance":
        this.clock.advance(happening.ms);
        return this.forgetAnswers();
      case "set clock":
        this.clock.set(this.clock.now() + happening.by);
        this.earliest = Math.min(this.earliest, this.clock.now());
        this.setBack += Math.max(0, -happening.by);
        return this.forgetAnswers();
      case "reap":
        return service.expireLostJobs();
      case "read": {
        const jobId = pick(this.jobIds, happening.job);
        if (jobId !== undefined) await this.readAll(jobId, happening.limit);
        return;
      }
      case "crash":
        this.service = this.start();
        if (happening.recover) await this.service.recoverJobs("w");
        return;
      case "fault":
        this.fault = { when: happening.when, write: happening.write };
        return;
      case "together":
        await together(happening.what.map((one) => this.perform(one)));
        return;
    }
  }

  /** The service may forget expired answers, whatever the clock shows later. */
  forgetAnswers(): void {
    for (const [key, { until }] of this.answers) if (until <= this.clock.now()) this.answers.delete(key);
  }

  speech({ sequences, resumable, end }: Script): readonly WorkerMessage[] {
    const steps = Array.from({ length: sequences }, (_, i) => ({
      type: "step" as const,
      step: i + 1,
      metrics: { loss: 1 / (i + 1), odd: i === 1 ? Number.NaN : i },
    }));
    const last: readonly WorkerMessage[] =
      end === "silence"
        ? []
        : end === "failed"
          ? [{ type: "failed", message: "no" }]
          : end === "retry"
            ? [{ type: "failed", message: "not now", code: "cancelled", retryable: true }]
            : end === "no files" || sequences === 0
              ? [{ type: "done" }]
              : end === "files missing"
                ? [{ type: "done", files: [{ name: "gone", sha256: "0".repeat(64), size: 1 }] }]
                : [{ type: "done", files: [this.file] }];
    return [
      { type: "started", num_sequences: sequences, resumable },
      ...steps,
      { type: "heartbeat" },
      ...last,
    ];
  }

  async say(
    { jobId, attempt }: Worker,
    message: WorkerMessage | { readonly type: "stopped" },
  ): Promise<void> {
    const before = await this.store.job(jobId);
    // Messages from outside are validated first, which drops metrics that are not numbers.
    const said =
      message.type === "step" ? { ...message, metrics: { loss: message.metrics["loss"]! } } : message;
    const answer = await this.service.report(jobId, attempt, said);
    if (before?.attempt !== attempt)
      assert.equal(answer?.verdict, "owner_lost", "S4: a run that is over has no say");
  }

  /** E6: pages of any size, read in sequence, make up the whole list, and nothing follows the last. */
  async readAll(jobId: string, limit: number): Promise<void> {
    const pages: JobEvent[] = [];
    for (let more = true; more; ) {
      const after = pages.at(-1)?.id;
      const page = await this.service.readEvents(jobId, { limit, ...(after !== undefined && { after }) });
      if (!page.ok) assert.fail("the cursor is one that was given out");
      assert.ok(
        !more || page.value.items.length > 0 || pages.length === 0,
        "E6: what is said to follow follows",
      );
      pages.push(...page.value.items);
      more = page.value.hasMore;
    }
    // Concurrent happenings may have added events meanwhile.
    const all = await this.publicEvents(jobId);
    assert.deepEqual(pages, all.slice(0, pages.length), "E6: pages add up to the list");
    const after = pages.at(-1)?.id;
    if (after === undefined) return;
    const page = await this.service.readEvents(jobId, { limit, after });
    const rest = (await this.publicEvents(jobId)).slice(pages.length);
    if (rest.length > 0) return;
    assert.deepEqual(page, { ok: true, value: { items: [], hasMore: false } }, "E6: nothing after the last");
  }

  publicEvents(jobId: string): Promise<readonly JobEvent[]> {
    return this.store.events(jobId, { afterSeq: 0, types: PUBLIC_EVENT_TYPES, limit: 10_000 });
  }

  async check(): Promise<void> {
    const models = await this.allModels();
    const active = new Map<string, Job>();
    for (const job of await this.store.jobs({ order: "asc", limit: 10_000 })) {
      if (!this.seenEvents.has(job.id)) this.jobIds.push(job.id);
      if (isActive(job.state)) {
        assert.ok(!active.has(job.modelId), "S3: one job at a time has a model");
        active.set(job.modelId, job);
      }
      const seen = this.seenEvents.get(job.id) ?? [];
      if (seen.length !== job.version) await this.checkJob(job, seen);
    }
    for (const model of models) {
      assert.equal(model.activeJob, active.get(model.id)?.id, "the model knows the job that has it");
      const before = this.seenModels.get(model.id);
      if (before?.version !== model.version) await this.checkModel(model, before);
    }
  }

  async allModels(): Promise<readonly Model[]> {
    for (const { id } of await this.store.models({ limit: 100 }))
      if (!this.modelIds.includes(id)) this.modelIds.push(id);
    return Promise.all(this.modelIds.map(async (id) => (await this.store.model(id))!));
  }

  async checkJob(job: Job, seen: readonly JobEvent[]): Promise<void> {
    const events = await this.store.events(job.id, { afterSeq: 0, limit: 10_000 });
    this.seenEvents.set(job.id, events);
    assert.deepEqual(events.slice(0, seen.length), seen, "E1, E7: events are only added");
    assert.deepEqual(foldEvents(events), job, "a job is the fold of its events");
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length, "E1: ids are unique");
    for (const [i, { seq, at }] of events.entries()) {
      assert.equal(seq, i + 1, "E1: seq is dense");
      assert.ok(i === 0 || at >= events[i - 1]!.at, "S5: time does not run backwards");
    }
    const of = (type: JobEvent["type"]) => events.filter((event) => event.type === type);
    const attempts = of("claimed").map((event) => (event.type === "claimed" ? event.data.attempt : 0));
    assert.deepEqual(
      attempts,
      attempts.map((_, i) => i + 1),
      "S4: epochs increase",
    );
    assert.ok(job.attempt <= job.maxAttempts);
    const requeued = of("requeued").map(({ data }) => "planned" in data);
    const { maxAttempts } = this.service.policy;
    assert.equal(job.maxAttempts - maxAttempts, requeued.filter((planned) => planned).length);
    assert.ok(requeued.filter((planned) => !planned).length < maxAttempts, "only losses use up attempts");

    const [start, ...restarts] = of("training_started");
    assert.equal(restarts.length, 0, "E2: started once");
    const steps = of("gradient_step");
    for (const step of steps) {
      assert.ok(start !== undefined && start.seq < step.seq, "E2: started before any step");
      for (const value of Object.values(step.data))
        assert.ok(Number.isFinite(value), "E5: steps are numbers");
    }
    const planned = start?.type === "training_started" ? start.data.num_sequences : 0;
    assert.ok(steps.length <= planned, "E3: no more steps than announced");
    if (job.state === "succeeded") assert.equal(steps.length, planned, "E3: all steps when ended");

    const ends = [...of("training_ended"), ...of("training_failed")];
    assert.equal(ends.length, hasEnded(job.state) ? 1 : 0, "E4: one end");
    if (ends[0] !== undefined) assert.equal(ends[0].seq, events.length, "E4: nothing after the end");
    if (job.startedAt !== undefined) assert.ok(job.createdAt <= job.startedAt, "S5");
    if (job.finishedAt !== undefined) assert.ok((job.startedAt ?? job.createdAt) <= job.finishedAt, "S5");

    if (job.state === "succeeded") {
      const { step } = job.checkpoint!;
      const checkpoint = await this.store.checkpoint(job.modelId, step);
      assert.equal(checkpoint?.jobId, job.id, "C1, C3: the checkpoint is there with the end");
      assert.equal(checkpoint?.id, job.checkpoint!.id);
    } else assert.equal(job.checkpoint, undefined, "C1");
    this.checkClient(job, events);
  }

  /** R1, R2: whenever the client polls, it raises no false error, and sees each step once, in order. */
  checkClient(job: Job, events: readonly JobEvent[]): void {
    const history = events.filter(({ type }) => PUBLIC_EVENT_TYPES.includes(type)).map(publicEvent);
    const steps = history.filter(({ type }) => type === "gradient_step").map(({ data }) => data);
    const growing = history.map((_, i) => history.slice(0, i + 1));
    for (const [polls, size] of [
      [[history, history], 20],
      [[[], ...growing, history], 1],
      [[...growing.filter((_, i) => i % 2 === 0), history], 2],
    ] as const) {
      const { end, error, yielded } = artClient(polls, size);
      assert.deepEqual(yielded, steps, "R2: the client sees every step once");
      if (job.state === "succeeded") assert.equal(end, "returned", "R1");
      else if (hasEnded(job.state))
        assert.match(error!, /^Training job failed: \S/, "R1: it raises what happened");
      else assert.equal(end, "polling", "R1: it raises nothing before the end");
    }
  }

  async checkModel(model: Model, before: Model | undefined): Promise<void> {
    this.seenModels.set(model.id, model);
    assert.ok(model.headStep >= (before?.headStep ?? 0), "C4: the head never goes back");
    const name = { entity: model.entity, project: model.project, name: model.name };
    const visible = await this.service.listCheckpoints(model.id, { order: "desc", limit: 100 });
    assert.equal(visible.ok, model.deleted === undefined);
    let live = 0;
    for (let step = 1; step <= model.headStep; step++) {
      const checkpoint = await this.store.checkpoint(model.id, step);
      assert.equal(checkpoint?.step, step, "C2: steps are dense and never used twice");
      assert.ok(checkpoint.parentStep < step, "C2");
      const listed = visible.ok && visible.value.items.some((one) => one.step === step);
      assert.equal(listed, checkpoint.deletedAt === undefined && model.deleted === undefined, "C5");
      const served = await resolveModel(this.store, { ...name, step });
      if (model.deleted === undefined)
        assert.equal(served.ok, listed, "C3, C5: what is listed is served, and nothing else");
      if (!listed) continue;
      live++;
      for (const { sha256 } of checkpoint.files)
        assert.ok(await this.artifacts.find(sha256), "the files of a checkpoint are kept");
    }
    if (visible.ok) {
      assert.equal(visible.value.items.length, live);
      assert.equal(
        visible.value.items[0]?.step ?? 0,
        Math.max(0, ...visible.value.items.map(({ step }) => step)),
      );
    } else {
      const jobs = await this.store.jobs({ modelId: model.id, order: "asc", limit: 1000 });
      assert.ok(
        jobs.every((job) => hasEnded(job.state)),
        "M2: a deleted model has no jobs left",
      );
      assert.equal(
        await this.store.waiting(1000).then((all) => all.some((one) => one.modelId === model.id)),
        false,
      );
    }
  }

  /** S2: every job ends with only time and a reaper, and waiting callers learn of it. */
  async settleDown(): Promise<void> {
    this.fault = undefined;
    this.service = this.start();
    for (let i = 0; i < 7; i++) {
      await this.service.expireLostJobs();
      this.clock.advance(this.service.policy.leaseMs);
    }
    const active = await this.store.jobs({
      statuses: ACTIVE,
      order: "asc",
      limit: 100,
    });
    assert.deepEqual(active, [], "S2: no worker is waited for longer than its leases");
    this.clock.advance(this.service.policy.maxQueueMs + this.setBack + LONGEST_JUMP);
    await this.service.expireLostJobs();
    await this.check();
    for (const jobId of this.jobIds) {
      assert.ok(hasEnded((await this.store.job(jobId))!.state), "S2: every job ends");
      const last = (await this.publicEvents(jobId)).at(-1)!;
      const waited = await this.service.awaitEvents(
        jobId,
        { after: last.id, limit: 1 },
        60_000,
        new AbortController().signal,
      );
      assert.deepEqual(
        waited,
        { ok: true, value: { items: [], hasMore: false } },
        "nobody waits after the end",
      );
    }
  }
}

/** The largest change of a clock, in milliseconds. */
export const LONGEST_JUMP = 48 * 3_600_000;

/** Waits for all, even if one fails, so that concurrent work finishes before the crash. */
async function together<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(all);
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const worst = errors.find((error) => !(error instanceof Fault)) ?? errors[0];
  if (worst !== undefined) throw worst;
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % Math.max(1, all.length)];
}
