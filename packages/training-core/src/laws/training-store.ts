// The laws of a training store.

import type { Law, Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import { applyEvent } from "../job/fold.ts";
import type { Job } from "../job/job.ts";
import type { JobEvent, JobFact } from "../job/job-event.ts";
import type { TrainingSpec } from "../job/training-spec.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { FilePage } from "../ports/file-store.ts";
import type { TrainingStore } from "../ports/training-store.ts";

/** The laws of a `TrainingStore`. `open` creates an empty store each time. */
export function trainingStoreLaws(open: Open<TrainingStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("an empty store contains nothing", async (store) => {
      expectSame(await store.model(uuid(1)), undefined, "model");
      expectSame(await store.modelNamed(model(1)), undefined, "model by name");
      expectSame(await store.models({ limit: 10 }), [], "models");
      expectSame(await store.checkpoint(uuid(1), 1), undefined, "checkpoint");
      expectSame(await store.checkpointWithId(uuid(1), uuid(2)), undefined, "checkpoint by id");
      expectSame(await store.checkpoints(uuid(1), { order: "asc", limit: 10 }), [], "checkpoints");
      expectSame(await store.usesBlob(BLOB), false, "blob");
      expectSame(await store.job(uuid(1)), undefined, "job");
      expectSame(await store.spec(uuid(1)), undefined, "spec");
      expectSame(await store.jobs({ order: "asc", limit: 10 }), [], "jobs");
      expectSame(await store.waiting(10), [], "waiting");
      expectSame(await store.events(uuid(1), { afterSeq: 0, limit: 10 }), [], "events");
      expectSame(await store.event(uuid(1), uuid(2)), undefined, "event");
      expectSame(await store.reply("k"), undefined, "reply");
      expectSame(await store.file(uuid(1)), undefined, "file");
      expectSame(await store.files({ order: "asc", limit: 10 }), [], "files");
    }),

    law(
      "files are found by id, listed by age within their project, and keep their place when deleted",
      async (store) => {
        const [one, two, three] = [file(1, 5), { ...file(2, 5), name: "ü ' \" \\ %" }, file(3, 1)];
        const other = { ...file(4, 9), project: "q", purpose: "evals" };
        for (const each of [one, two, three, other])
          expectThat(await store.commit({ at: 0, files: [each] }), "a file is written");
        expectSame(await store.file(two.id), two, "by id");
        const ids = async (page: Omit<FilePage, "limit">, limit = 10) =>
          (await store.files({ ...page, limit })).map(({ id }) => id);
        const all = [3, 1, 2, 4].map(uuid);
        expectSame(await ids({ order: "asc" }), all, "ascending");
        expectSame(await ids({ order: "desc" }, 3), all.toReversed().slice(0, 3), "descending");
        expectSame(await ids({ order: "asc", project: one }), all.slice(0, 3), "of a project");
        expectSame(await ids({ order: "asc", purpose: "evals" }), all.slice(3), "for a purpose");
        expectThat(await store.usesBlob(BLOB), "their bytes are in use");
        for (const each of [one, two, three, other])
          await store.commit({ at: 0, files: [{ ...each, deletedAt: 7 }] });
        expectSame((await store.file(one.id))?.deletedAt, 7, "a deleted file is still there");
        expectSame(await ids({ order: "asc" }), [], "and not listed");
        expectSame(await store.usesBlob(BLOB), false, "nor are its bytes in use");
        await store.commit({ at: 0, files: [file(5, 6)] });
        expectSame(await ids({ order: "asc", after: one }), [uuid(5)], "but is a place to go on from");
      },
    ),

    law("a model is found by id and by name, as it was written", async (store) => {
      const one = { ...model(1), baseMetrics: { "val/reward": 0.1, "a b": -1e300 }, name: "ü ' \" \\ %" };
      expectThat(await store.commit({ at: 0, model: one }), "a new model is written");
      expectSame(await store.model(one.id), one, "by id");
      expectSame(await store.modelNamed(one), one, "by name");
      expectSame(await store.modelNamed({ ...one, name: "ü" }), undefined, "by another name");
    }),

    law("of two changes of the same version, only the first is written", async (store) => {
      await store.commit({ at: 0, model: model(1) });
      const next = { ...model(1), version: 2, headStep: 1 };
      const written = await Promise.all([
        store.commit({ at: 0, model: next }),
        store.commit({ at: 0, model: { ...next, headStep: 7 } }),
      ]);
      expectSame(written.filter(Boolean).length, 1, "how many were written");
      expectSame((await store.model(uuid(1)))?.headStep, written[0] ? 1 : 7, "which one");
      expectSame(await store.commit({ at: 0, model: { ...next, version: 4 } }), false, "a version too far");
      expectSame(await store.commit({ at: 0, model: { ...next, version: 2 } }), false, "a version again");
    }),

    law("a name belongs to one model at a time", async (store) => {
      const [one, other] = [model(1), { ...model(2), name: model(1).name }];
      const made = await Promise.all([
        store.commit({ at: 0, model: one }),
        store.commit({ at: 0, model: other }),
      ]);
      expectSame(made.filter(Boolean).length, 1, "how many were made");
      const [first, second] = made[0] ? [one, other] : [other, one];
      await store.commit({ at: 0, model: { ...first, version: 2, deleted: { at: 5, checkpoints: 0 } } });
      expectSame(await store.modelNamed(one), undefined, "a deleted model cannot be found by name");
      expectSame((await store.model(first.id))?.deleted, { at: 5, checkpoints: 0 }, "but is still there");
      expectSame(await store.models({ limit: 10 }), [], "and is not listed");
      expectThat(await store.commit({ at: 0, model: second }), "its name is free");
      expectSame((await store.modelNamed(one))?.id, second.id, "for another");
      expectSame(
        await store.commit({ at: 0, model: { ...first, version: 3, deleted: { at: 5, checkpoints: 0 } } }),
        true,
        "and the deleted one can still be written",
      );
      expectSame((await store.modelNamed(one))?.id, second.id, "without taking it back");
    }),

    law("models are listed by age, then id, page by page", async (store) => {
      for (const [n, createdAt] of [
        [3, 5],
        [1, 9],
        [2, 5],
        [4, 1],
      ] as const)
        await store.commit({ at: 0, model: { ...model(n), createdAt } });
      expectSame(
        (await store.models({ limit: 3 })).map(({ id }) => id),
        [4, 2, 3].map(uuid),
        "first page",
      );
      expectSame(
        (await store.models({ limit: 3, after: uuid(3) })).map(({ id }) => id),
        [1].map(uuid),
        "second page",
      );
    }),

    law("a change is written whole or not at all", async (store) => {
      await store.commit({ at: 0, model: model(1) });
      const submitted = submit(2, { modelId: uuid(1), number: 1 });
      const change = {
        at: 0,
        model: { ...model(1), version: 2 },
        ...submitted,
        checkpoints: [checkpoint(3, { modelId: uuid(1), step: 1 })],
        reply: { key: "k", digest: "d", body: { id: uuid(2) }, expiresAt: 10 },
      };
      const [job] = submitted.jobs;
      for (const wrong of [
        { ...change, model: model(1) },
        { ...change, jobs: [{ ...job!, job: { ...job!.job, version: 2 } }] },
        { ...change, jobs: [{ ...job!, events: [{ ...job!.events[0]!, seq: 2 }] }] },
      ]) {
        expectSame(await store.commit(wrong), false, "a change that does not fit");
        expectSame((await store.model(uuid(1)))?.version, 1, "model");
        expectSame(await store.job(uuid(2)), undefined, "job");
        expectSame(await store.spec(uuid(2)), undefined, "spec");
        expectSame(await store.events(uuid(2), { afterSeq: 0, limit: 10 }), [], "events");
        expectSame(await store.checkpoint(uuid(1), 1), undefined, "checkpoint");
        expectSame(await store.reply("k"), undefined, "reply");
      }
      expectThat(await store.commit(change), "one that fits is written");
      expectSame((await store.model(uuid(1)))?.version, 2, "model");
      expectSame(await store.job(uuid(2)), job?.job, "job");
      expectSame(await store.spec(uuid(2)), SPEC, "spec");
      expectSame(await store.events(uuid(2), { afterSeq: 0, limit: 10 }), job?.events, "events");
      expectSame(await store.checkpoint(uuid(1), 1), change.checkpoints[0], "checkpoint");
      expectSame(await store.reply("k"), change.reply, "reply");
    }),

    law("events are appended in order, once, and read back page by page", async (store) => {
      const log = await withJob(store, 1, { modelId: uuid(9), number: 1 });
      await log.add(CLAIMED, STARTED);
      await log.add({ type: "gradient_step", data: { loss: 0.1, "a/b": 1e-7 } });
      await log.add({ type: "gradient_step", data: {} });
      const { events } = log;
      expectSame(await store.events(uuid(1), { afterSeq: 0, limit: 10 }), events, "all");
      expectSame(await store.events(uuid(1), { afterSeq: 0, limit: 2 }), events.slice(0, 2), "the first two");
      expectSame(
        await store.events(uuid(1), { afterSeq: 2, limit: 10 }),
        events.slice(2),
        "after the second",
      );
      expectSame(await store.events(uuid(1), { afterSeq: 5, limit: 10 }), [], "after the last");
      const types = ["gradient_step", "training_started"] as const;
      expectSame(
        await store.events(uuid(1), { afterSeq: 0, types, limit: 2 }),
        events.slice(2, 4),
        "of two kinds",
      );
      expectSame(
        await store.events(uuid(1), { afterSeq: 3, types, limit: 2 }),
        events.slice(3),
        "of two kinds, later",
      );
      expectSame(await store.event(uuid(1), events[2]!.id), events[2], "by id");
      expectSame(await store.event(uuid(2), events[2]!.id), undefined, "by the id of another job's");
      expectSame(await store.job(uuid(1)), log.job, "the job after them");
      const [last] = events.slice(-1);
      const again = { at: 0, jobs: [{ job: log.job, events: [last!] }] };
      expectSame(await store.commit(again), false, "an event that already exists");
    }),

    law("of two writers of one job, only the first succeeds", async (store) => {
      const log = await withJob(store, 1, { modelId: uuid(9), number: 1 });
      const asked = [log.next(CLAIMED), log.next({ type: "cancel_requested", data: {} })];
      const written = await Promise.all(asked.map((change) => store.commit({ at: 0, jobs: [change] })));
      expectSame(written.filter(Boolean).length, 1, "how many were written");
      expectSame(await store.job(uuid(1)), asked[written.indexOf(true)]?.job, "the job");
      expectSame((await store.events(uuid(1), { afterSeq: 0, limit: 10 })).length, 2, "the events");
    }),

    law("several jobs change together", async (store) => {
      const one = await withJob(store, 1, { modelId: uuid(9), number: 1 });
      const two = await withJob(store, 2, { modelId: uuid(9), number: 2 });
      const changes = [one.next(FAILED), two.next(FAILED)];
      const stale = [changes[0]!, { ...changes[1]!, job: { ...changes[1]!.job, version: 9 } }];
      expectSame(await store.commit({ at: 0, jobs: stale }), false, "when one does not fit");
      expectSame((await store.job(uuid(1)))?.state, "queued", "neither");
      expectThat(await store.commit({ at: 0, jobs: changes }), "when both fit");
      expectSame((await store.job(uuid(2)))?.state, "failed", "both");
    }),

    law("jobs are listed by age, then id, either way, page by page, by model and status", async (store) => {
      const a = await withJob(store, 3, { modelId: uuid(8), number: 1 }, 5);
      await withJob(store, 1, { modelId: uuid(9), number: 1 }, 9);
      await withJob(store, 2, { modelId: uuid(8), number: 2 }, 5);
      await a.add(FAILED);
      const ids = async (page: Parameters<TrainingStore["jobs"]>[0]) =>
        (await store.jobs(page)).map(({ id }) => id);
      expectSame(await ids({ order: "asc", limit: 10 }), [2, 3, 1].map(uuid), "oldest first");
      expectSame(await ids({ order: "desc", limit: 2 }), [1, 3].map(uuid), "newest first");
      const after = { createdAt: 5, id: uuid(3) };
      expectSame(await ids({ order: "desc", limit: 10, after }), [2].map(uuid), "newest first, second page");
      expectSame(await ids({ order: "asc", limit: 10, after }), [1].map(uuid), "oldest first, second page");
      expectSame(await ids({ order: "asc", limit: 10, modelId: uuid(8) }), [2, 3].map(uuid), "of a model");
      expectSame(
        await ids({ order: "asc", limit: 10, statuses: ["failed"] }),
        [3].map(uuid),
        "with a status",
      );
      expectSame(
        await ids({ order: "asc", limit: 10, statuses: ["queued", "running"] }),
        [2, 1].map(uuid),
        "with one of two",
      );
      const cancelled = await withJob(store, 4, { modelId: uuid(8), number: 3 }, 10);
      await cancelled.add(CLAIMED, { type: "cancel_requested", data: {} });
      expectSame(
        await ids({ order: "asc", limit: 10, statuses: ["cancelling"] }),
        [4].map(uuid),
        "cancelling",
      );
      expectSame(await ids({ order: "asc", limit: 10, statuses: ["starting"] }), [], "no longer starting");
      await cancelled.add(FAILED);
      expectSame(await ids({ order: "asc", limit: 10, statuses: ["cancelling"] }), [], "it has ended");
    }),

    law("the first queued jobs of models that are idle and not deleted are waiting", async (store) => {
      const idle = model(10);
      await store.commit({ at: 0, model: idle });
      await store.commit({ at: 0, model: { ...model(11), activeJob: uuid(6) } });
      await store.commit({ at: 0, model: model(12) });
      await store.commit({ at: 0, model: model(13) });
      const first = await withJob(store, 3, { modelId: uuid(10), number: 1 }, 7);
      // Submitted later, but with the clock set back: its number decides.
      await withJob(store, 2, { modelId: uuid(10), number: 2 }, 1);
      await withJob(store, 4, { modelId: uuid(11), number: 1 }, 1);
      await withJob(store, 5, { modelId: uuid(12), number: 1 }, 3);
      await withJob(store, 7, { modelId: uuid(13), number: 1 }, 2);
      await store.commit({ at: 0, model: { ...model(13), version: 2, deleted: { at: 1, checkpoints: 0 } } });
      const ids = async (limit: number) => (await store.waiting(limit)).map(({ id }) => id);
      expectSame(await ids(10), [5, 3].map(uuid), "all");
      expectSame(await ids(1), [5].map(uuid), "the oldest");
      await first.add(FAILED);
      expectSame(await ids(10), [2, 5].map(uuid), "when the first of a model is over, its second");
      await store.commit({ at: 0, model: { ...idle, version: 2, activeJob: uuid(2) } });
      expectSame(await ids(10), [5].map(uuid), "when a model is busy");
      await store.commit({ at: 0, model: { ...idle, version: 3 } });
      expectSame(await ids(10), [2, 5].map(uuid), "when it is idle again");
    }),

    law("checkpoints are listed by step, either way, page by page, without deleted ones", async (store) => {
      const modelId = uuid(1);
      await store.commit({ at: 0, model: model(1) });
      const all = [1, 2, 3, 4].map((step) => checkpoint(10 + step, { modelId, step }));
      await store.commit({ at: 0, model: { ...model(1), version: 2 }, checkpoints: all });
      await store.commit({
        at: 0,
        model: model(2),
        checkpoints: [checkpoint(20, { modelId: uuid(2), step: 1 })],
      });
      const gone = { ...all[1]!, deletedAt: 9 };
      await store.commit({ at: 0, model: { ...model(1), version: 3 }, checkpoints: [gone] });
      const steps = async (page: Parameters<TrainingStore["checkpoints"]>[1]) =>
        (await store.checkpoints(modelId, page)).map(({ step }) => step);
      expectSame(await steps({ order: "asc", limit: 10 }), [1, 3, 4], "ascending");
      expectSame(await steps({ order: "desc", limit: 1 }), [4], "the newest");
      expectSame(
        await steps({ order: "asc", limit: 10, afterStep: 2 }),
        [3, 4],
        "after a deleted one, ascending",
      );
      expectSame(
        await steps({ order: "desc", limit: 10, afterStep: 2 }),
        [1],
        "after a deleted one, descending",
      );
      expectSame(await store.checkpoint(modelId, 2), gone, "a deleted one by step");
      expectSame(await store.checkpointWithId(modelId, gone.id), gone, "a deleted one by id");
      expectSame(await store.checkpointWithId(uuid(2), gone.id), undefined, "by the id of another model's");
      expectSame(await store.checkpoint(modelId, 5), undefined, "one that never was");
      const logged = { ...all[3]!, metrics: { "val/reward": 0.5 } };
      await store.commit({ at: 0, model: { ...model(1), version: 4 }, checkpoints: [logged] });
      expectSame(await store.checkpoint(modelId, 4), logged, "one with new metrics");
    }),

    law(
      "a blob is used by checkpoints that are not deleted and by jobs that have not ended",
      async (store) => {
        await store.commit({ at: 0, model: model(1) });
        const files = [{ name: "weights", sha256: BLOB, size: 3 }];
        const one = checkpoint(5, { modelId: uuid(1), step: 1, files });
        await store.commit({ at: 0, model: { ...model(1), version: 2 }, checkpoints: [one] });
        expectSame(await store.usesBlob(BLOB), true, "by a checkpoint");
        const deleted = { ...one, deletedAt: 1 };
        await store.commit({ at: 0, model: { ...model(1), version: 3 }, checkpoints: [deleted] });
        expectSame(await store.usesBlob(BLOB), false, "by a deleted one");
        const log = await withJob(store, 2, { modelId: uuid(1), number: 1 });
        await log.add({ type: "claimed", data: { worker: "w", attempt: 1, parent: { step: 1, files } } });
        expectSame(await store.usesBlob(BLOB), true, "as a job's parent");
        await log.add(FAILED);
        expectSame(await store.usesBlob(BLOB), false, "as the parent of a job that has ended");
        const trained = await withJob(store, 3, { modelId: uuid(1), number: 2 });
        await trained.add(CLAIMED, STARTED, { type: "trained", data: { files, metrics: {} } });
        expectSame(await store.usesBlob(BLOB), true, "as a job's result");
        await trained.add(FAILED);
        const spec: TrainingSpec = {
          kind: "sft",
          training_data_url: "upload:",
          data: { sha256: BLOB, size: 3 },
          rows: 1,
          config: {},
        };
        await store.commit({
          at: 0,
          ...submit(4, { modelId: uuid(1), number: 3 }),
          spec: { jobId: uuid(4), spec },
        });
        expectSame(await store.usesBlob(BLOB), true, "as a job's data");
        expectSame(await store.spec(uuid(4)), spec, "the spec");
        const ended = await withJob(store, 5, { modelId: uuid(1), number: 4 });
        expectSame(await store.spec(uuid(5)), SPEC, "the spec of a job that has not ended");
        await ended.add(FAILED);
        expectSame(await store.spec(uuid(5)), undefined, "the spec of a job that has ended");
      },
    ),

    law("a reply is kept until it expires, and not replaced before", async (store) => {
      const reply = (digest: string, expiresAt: number) => ({
        key: "k",
        digest,
        body: ["x", null, 1.5],
        expiresAt,
      });
      expectThat(await store.commit({ at: 0, reply: reply("one", 10) }), "the first");
      const second = { at: 9, model: model(1), reply: reply("two", 20) };
      expectSame(await store.commit(second), false, "another under the same key");
      expectSame(await store.model(uuid(1)), undefined, "and what came with it");
      expectSame(await store.reply("k"), reply("one", 10), "the first is still there");
      expectThat(await store.commit({ ...second, at: 10 }), "another when it has expired");
      expectSame(await store.reply("k"), reply("two", 20), "the second");
      expectThat(
        await store.commit({ at: 10, reply: { ...reply("three", 30), key: "K" } }),
        "under another key",
      );
      expectSame(await store.reply("k"), reply("two", 20), "the second is still there");
    }),
  ];
}

const BLOB = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const SPEC: TrainingSpec = {
  kind: "rl",
  trajectory_groups: [],
  config: { learning_rate: 1e-5, loss_fn: null },
};

const CLAIMED: JobFact = {
  type: "claimed",
  data: { worker: "w", attempt: 1, parent: { step: 0, files: [] } },
};
const STARTED: JobFact = { type: "training_started", data: { num_sequences: 2, resumable: false } };
const FAILED: JobFact = { type: "training_failed", data: { code: "trainer_failed", error_message: "no" } };

function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

function model(n: number): Model {
  return {
    id: uuid(n),
    version: 1,
    entity: "e",
    project: "p",
    name: `m${n}`,
    baseModel: "org/base",
    createdAt: 0,
    headStep: 0,
    jobCount: 0,
    baseMetrics: {},
  };
}

function checkpoint(
  n: number,
  given: Pick<Checkpoint, "modelId" | "step"> & Partial<Checkpoint>,
): Checkpoint {
  return {
    id: uuid(n),
    parentStep: given.step - 1,
    jobId: uuid(1000 + n),
    files: [],
    metrics: { "train/loss": 0.25 },
    createdAt: 1,
    ...given,
  };
}

function submit(n: number, { modelId, number }: Pick<Job, "modelId" | "number">, at = 0) {
  const log = jobLog(n);
  const skipped = [{ group: 0, trajectory: 1, reason: "no_choice" }] as const;
  const data = { modelId, number, kind: "rl", size: 3, trainable: 2, skipped, maxAttempts: 3 } as const;
  const change = log.next({ type: "submitted", data }, at);
  return { jobs: [change], spec: { jobId: uuid(n), spec: SPEC } };
}

/** A job's log from the writer's view: its next events and the job after them. */
function jobLog(n: number, start?: Job) {
  return {
    next(fact: JobFact, at = 0, from: Job | undefined = start) {
      const seq = (from?.version ?? 0) + 1;
      // IDs of events, from the job's number and the event's, so that all differ.
      const event: JobEvent = { ...fact, id: uuid(n * 1_000_000 + seq), jobId: uuid(n), seq, at };
      return { job: applyEvent(from, event), events: [event] };
    },
  };
}

/** A stored job that facts can be added to. */
async function withJob(store: TrainingStore, n: number, given: Pick<Job, "modelId" | "number">, at = 0) {
  const submitted = submit(n, given, at);
  expectThat(await store.commit({ at: 0, ...submitted }), "a new job is written");
  const events: JobEvent[] = [...submitted.jobs[0]!.events];
  let job: Job = submitted.jobs[0]!.job;
  return {
    events,
    get job() {
      return job;
    },
    next: (fact: JobFact) => jobLog(n).next(fact, at, job),
    async add(...facts: readonly JobFact[]) {
      const before = events.length;
      for (const fact of facts) {
        const after = jobLog(n).next(fact, at, job);
        job = after.job;
        events.push(...after.events);
      }
      expectThat(
        await store.commit({ at: 0, jobs: [{ job, events: events.slice(before) }] }),
        "events are added",
      );
    },
  };
}

function file(n: number, createdAt: number): TrainingFile {
  const data = { sha256: BLOB, size: 3 };
  return { id: uuid(n), entity: "e", project: "p", name: `f${n}`, purpose: "fine-tune", data, createdAt };
}
