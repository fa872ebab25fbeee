// The reads that a caching store saves: a client that polls a job is answered from memory. The laws check that its
// answers equal those of the store below.

import { expect, test } from "vitest";
import type { Job, JobEvent, TrainingStore } from "../src/index.ts";
import type { JobFact } from "../src/job/job-event.ts";
import { cachingStore } from "../src/state/caching-store.ts";
import { applyEvent, memoryTrainingStore } from "../src/testing/index.ts";

const MODEL = "model";
const JOB = "job";
const SUBMITTED: JobFact = {
  type: "submitted",
  data: { modelId: MODEL, number: 1, kind: "rl", size: 1, trainable: 1, skipped: [], maxAttempts: 3 },
};
const CLAIMED: JobFact = {
  type: "claimed",
  data: { worker: "w", attempt: 1, parent: { step: 0, files: [] } },
};
const STARTED: JobFact = { type: "training_started", data: { num_sequences: 1, resumable: true } };
const STEP: JobFact = { type: "gradient_step", data: { "train/loss": 0.5 } };

/** A store with a model that records its reads. */
async function countedStore() {
  const store = memoryTrainingStore();
  const model = { id: MODEL, version: 1, entity: "e", project: "p", name: "m", baseModel: "b", createdAt: 0 };
  await store.commit({ at: 0, model: { ...model, headStep: 0, jobCount: 0, baseMetrics: {} } });
  const reads: string[] = [];
  const counted = <Name extends "job" | "event" | "events">(name: Name) =>
    ((...given: never[]) => {
      reads.push(name);
      return (store[name] as (...given: never[]) => unknown)(...given);
    }) as unknown as TrainingStore[Name];
  const counting: TrainingStore = {
    ...store,
    job: counted("job"),
    event: counted("event"),
    events: counted("events"),
  };
  return { store: counting, readsOf: () => reads.splice(0) };
}

/** Adds events to the job, and returns the job and the events. */
async function add(store: TrainingStore, before: Job | undefined, ...facts: readonly JobFact[]) {
  const events: JobEvent[] = [];
  let job = before;
  for (const fact of facts) {
    const seq = (job?.version ?? 0) + 1;
    const event: JobEvent = { ...fact, id: `event ${seq}`, jobId: JOB, seq, at: 0 };
    events.push(event);
    job = applyEvent(job, event);
  }
  const spec = { kind: "rl", groups: [], config: {} } as never;
  const isNew = before === undefined;
  expect(
    await store.commit({
      at: 0,
      jobs: [{ job: job!, events }],
      ...(isNew && { spec: { jobId: JOB, spec } }),
    }),
  ).toBe(true);
  return { job: job!, events };
}

const PAGE = { afterSeq: 0, limit: 10 };

test("polling a job written by this process is answered from memory", async () => {
  const { store, readsOf } = await countedStore();
  const caching = cachingStore(store);
  const { job, events } = await add(caching, undefined, SUBMITTED, CLAIMED, STARTED);
  expect(await caching.job(JOB)).toEqual(job);
  expect(await caching.events(JOB, PAGE)).toEqual(events);
  expect(await caching.events(JOB, { ...PAGE, limit: 1 })).toEqual(events.slice(0, 1));
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 1, types: ["training_started"] })).toEqual([
    events[2],
  ]);
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 3 })).toEqual([]);
  expect(await caching.event(JOB, "event 2")).toEqual(events[1]);
  expect(readsOf()).toEqual([]);
});

test("after a restart earlier events are read once, and not for the poller's next request", async () => {
  const { store, readsOf } = await countedStore();
  const { job, events } = await add(store, undefined, SUBMITTED, CLAIMED);
  const caching = cachingStore(store);
  expect(await caching.job(JOB)).toEqual(job);
  expect(readsOf()).toEqual(["job"]);
  // The newest event is the poller's cursor, so nothing follows it.
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 2 })).toEqual([]);
  expect(readsOf()).toEqual([]);
  expect(await caching.event(JOB, "event 2")).toEqual(events[1]);
  expect(readsOf()).toEqual(["event"]);
  expect(await caching.event(JOB, "event 2")).toEqual(events[1]);
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 1 })).toEqual([events[1]]);
  expect(readsOf()).toEqual([]);
  // The earlier events are not in memory. Caching one of them would leave a gap.
  expect(await caching.events(JOB, PAGE)).toEqual(events);
  expect(readsOf()).toEqual(["events"]);

  const later = await add(caching, job, STARTED, STEP);
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 1 })).toEqual([events[1], ...later.events]);
  expect(await caching.event(JOB, "event 4")).toEqual(later.events[1]);
  expect(readsOf()).toEqual([]);
});

test("an event that does not follow those in memory is answered but not cached", async () => {
  const { store, readsOf } = await countedStore();
  const { events } = await add(store, undefined, SUBMITTED, CLAIMED, STARTED);
  const caching = cachingStore(store);
  // Events of a job that is not in memory are not cached.
  expect(await caching.event(JOB, "event 3")).toEqual(events[2]);
  expect(await caching.event(JOB, "event 3")).toEqual(events[2]);
  expect(readsOf()).toEqual(["event", "event"]);
  await caching.job(JOB);
  expect(await caching.event(JOB, "event 1")).toEqual(events[0]);
  expect(readsOf()).toEqual(["job", "event"]);
  expect(await caching.events(JOB, { ...PAGE, afterSeq: 1 })).toEqual(events.slice(1));
  expect(await caching.event(JOB, "none")).toBeUndefined();
  expect(readsOf()).toEqual(["events", "event"]);
});
