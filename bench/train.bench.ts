// What does training cost in the store: how many events per second can a worker report and a client read, how long does
// it take to submit a job, and what does a poll cost with ten thousand jobs? Calls the training routes over a data
// directory in this process, without a socket.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@assay/adapters-duckdb";
import { createHandler, loopbackAuthentication, trainingRoutes } from "@assay/adapters-http";
import { cachingStore, type Job, type JobEvent, trainingService, uploadedData } from "@assay/training-core";
import type { JobFact } from "@assay/training-core/internal";
import { applyEvent } from "@assay/training-core/testing";
import { timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const JOBS = 10_000;
/** Steps of each job that exists before the measurements. */
const STEPS = 20;
const MODELS = 100;
/** The number of jobs that are written concurrently, to save time. */
const TOGETHER = 100;
const DATA = "10k jobs";
const METRICS = { loss: 0.25, grad_norm: 1.5, entropy: 2.75, learning_rate: 1e-5 };

await program(async ({ effort }) => {
  const runs = effort.rounds >= 10 ? 1000 : 200;
  const directory = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const open = await openStore({ directory });
  try {
    const store = cachingStore(open.training);
    const { artifacts } = open;
    const clock = { now: Date.now, after: () => () => {} };
    const service = trainingService({
      store,
      artifacts,
      data: uploadedData(artifacts),
      clock,
      ids: { next: randomUUID },
    });
    const group = trainingRoutes({ training: service, authenticate: loopbackAuthentication() });
    const handler = createHandler({ routes: [group] });
    const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await handler(
        new Request(`http://localhost/v1/preview${path}`, {
          method,
          ...(body !== undefined && {
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        }),
      );
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    };
    const timed = async (act: (run: number) => Promise<unknown>): Promise<number[]> => {
      const taken: number[] = [];
      for (let run = 0; run < runs; run++) {
        const start = performance.now();
        await act(run);
        taken.push(performance.now() - start);
      }
      return taken;
    };
    const inTime = (workload: string, taken: readonly number[]): Measurement => ({
      data: DATA,
      workload,
      contender: ASSAY,
      unit: "ms",
      ...timingOf(taken),
    });

    const models: string[] = [];
    for (let i = 0; i < MODELS; i++) {
      const wish = { project: "bench", name: `model-${i}`, base_model: "any" };
      models.push((await ask<{ id: string }>("POST", "/models", wish)).id);
    }
    progress(`writing ${JOBS} jobs of ${STEPS} steps that have ended`);
    const start = performance.now();
    for (let i = 0; i < JOBS; i += TOGETHER) {
      await Promise.all(
        Array.from({ length: TOGETHER }, (_, k) =>
          store.commit({ at: 0, jobs: [endedJob(models[k % MODELS]!, i + k)] }),
        ),
      );
    }
    const written = (JOBS * (STEPS + 4)) / ((performance.now() - start) / 1000);

    progress("submitting jobs");
    const ids: string[] = [];
    const submitted = await timed(async (run) => {
      const groups = [{ trajectories: [attempt(0), attempt(1)] }];
      const wish = { model_id: models[run % MODELS], trajectory_groups: groups };
      ids.push((await ask<{ id: string }>("POST", "/training-jobs", wish)).id);
    });

    progress("reporting steps");
    const claimed = await ask<{ task: { job_id: string; attempt: number } }>("POST", "/worker/claim", {
      worker: "bench",
    });
    const { job_id, attempt: epoch } = claimed.task;
    const tell = (message: unknown) =>
      ask("POST", `/training-jobs/${job_id}/messages`, { attempt: epoch, messages: [message] });
    await tell({ type: "started", num_sequences: 1e6 });
    const reported = await timed((run) => tell({ type: "step", step: run + 1, metrics: METRICS }));

    progress("polling");
    const first = await ask<{ last_id: string }>("GET", `/training-jobs/${job_id}/events?limit=100`);
    const news = await timed(() => ask("GET", `/training-jobs/${job_id}/events?after=${first.last_id}`));
    const nothing = await ask<{ last_id: string }>("GET", `/training-jobs/${ids.at(-1)}/events`);
    if (nothing.last_id !== "") throw new Error("a queued job has events");
    const idle = await timed(() => ask("GET", `/training-jobs/${ids.at(-1)}/events`));
    const state = await timed((run) => ask("GET", `/training-jobs/${ids[run % ids.length]}`));
    const listed = await timed(() => ask("GET", "/training-jobs?limit=20"));
    const pages = await timed(() => ask("GET", `/training-jobs/${job_id}/events?limit=100`));

    return [
      single(DATA, "events appended, many jobs at once", ASSAY, "events/s", written),
      single(
        DATA,
        "events reported, one job, one at a time",
        ASSAY,
        "events/s",
        1000 / timingOf(reported).median,
      ),
      single(DATA, "events read, pages of 100", ASSAY, "events/s", 100_000 / timingOf(pages).median),
      inTime("submit a job", submitted),
      inTime("report a step", reported),
      inTime("poll for events, some are new", news),
      inTime("poll for events, none are there", idle),
      inTime("show a job", state),
      inTime("list the newest 20 jobs", listed),
    ];
  } finally {
    await open.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

/** A trajectory that can be trained on. */
function attempt(reward: number) {
  const content = Array.from({ length: 50 }, (_, i) => ({ token: `token_id:${i}`, logprob: -0.5 }));
  const message = { role: "assistant", content: "an answer of a few words" };
  const choice = { index: 0, finish_reason: "stop", message, logprobs: { content } };
  return { messages_and_choices: [{ role: "user", content: "a question" }, choice], reward };
}

/** A job that has ended, in the state after its last write. */
function endedJob(
  modelId: string,
  number: number,
): { readonly job: Job; readonly events: readonly JobEvent[] } {
  const jobId = randomUUID();
  const events: JobEvent[] = [];
  let job: Job | undefined;
  const add = (fact: JobFact) => {
    const event: JobEvent = { ...fact, id: randomUUID(), jobId, seq: events.length + 1, at: number };
    events.push(event);
    job = applyEvent(job, event);
  };
  add({
    type: "submitted",
    data: { modelId, number, kind: "rl", size: 2, trainable: 2, skipped: [], maxAttempts: 3 },
  });
  add({ type: "claimed", data: { worker: "bench", attempt: 1, parent: { step: 0, files: [] } } });
  add({ type: "training_started", data: { num_sequences: STEPS, resumable: true } });
  for (let step = 0; step < STEPS; step++) add({ type: "gradient_step", data: METRICS });
  add({ type: "training_failed", data: { code: "trainer_failed", error_message: "for the bench" } });
  return { job: job!, events };
}
