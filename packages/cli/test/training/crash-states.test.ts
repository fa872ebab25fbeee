// Kills the server while jobs are in every possible state (JOBS.md 2.2). Each job is brought into its state and
// observed there, then one SIGKILL hits them all. Afterwards the event log of each job shows where it was interrupted
// and that it resumed there.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { rounds } from "@assay/testing/cases";
import { type JobView, jobEnd, type Served } from "@assay/testing/training-server";
import { expect, test } from "vitest";
import { checkJob, checkModel, Home, jobsOf, Seen } from "./crash-checks.ts";

const SUBMITTED = ["submitted"];
const CLAIMED = [...SUBMITTED, "claimed"];
const STARTED = [...CLAIMED, "training_started"];
const steps = (count: number) => Array<string>(count).fill("gradient_step");
const END = ["trained", "training_ended"];
/** The events of a job that loses its worker and resumes. */
const RESUMED = ["requeued", "claimed", "resumed"];

/** A state: how to reach it, and all events of the job at its end. */
interface State {
  /** Where the worker halts, see dying-worker.mjs. */
  readonly hold?: string;
  /** The state as clients see it. */
  readonly is: Partial<JobView>;
  readonly events: readonly string[];
}

/** The states in which a job can be held. Of the kills at transient states, the first hits all of them. */
const HELD = {
  "queued, behind another job": { is: { status: "queued" }, events: [...STARTED, ...steps(6), ...END] },
  "starting, leased to a worker": {
    hold: "loading",
    is: { status: "starting", attempt: 1 },
    events: [...CLAIMED, "requeued", "claimed", "training_started", ...steps(6), ...END],
  },
  "running, before its first step": {
    hold: "started",
    is: { status: "running", progress: { step: 0, total: 6 } },
    events: [...STARTED, ...RESUMED, ...steps(6), ...END],
  },
  "running, between its steps": {
    hold: "stepping",
    is: { status: "running", progress: { step: 3, total: 6 } },
    events: [...STARTED, ...steps(3), ...RESUMED, ...steps(3), ...END],
  },
  cancelling: {
    hold: "deaf",
    is: { status: "cancelling", progress: { step: 3, total: 6 } },
    events: [...STARTED, ...steps(3), "cancel_requested", "training_failed"],
  },
  failed: {
    hold: "broken",
    is: { status: "failed" },
    events: [...STARTED, ...steps(6), "training_failed"],
  },
  cancelled: { is: { status: "cancelled" }, events: [...SUBMITTED, "training_failed"] },
  "running on a remote worker": {
    is: { status: "running", attempt: 1, progress: { step: 1, total: 2 } },
    events: [...STARTED, ...steps(2), ...END],
  },
} satisfies Record<string, State>;
type Held = keyof typeof HELD;

/** Transient states. Each kill aims at one of them, and is repeated if it misses. */
const PASSING = {
  "its files written, its result not recorded": [...STARTED, ...steps(6), ...RESUMED, ...END],
  finalizing: [...STARTED, ...steps(6), ...END],
  "just succeeded": [...STARTED, ...steps(6), ...END],
};
type Passing = keyof typeof PASSING;
const PASSES = Object.keys(PASSING) as readonly Passing[];

const ROUNDS = rounds(PASSES.length, PASSES.length);
/** Large enough that copying and checking it takes long enough to hit. */
const LARGE = 48 * 2 ** 20;
const ROW = { messages: ["user", "assistant"].map((role) => ({ role, content: "x" })) };

/** A server with one job in every state. */
class Scene {
  readonly jobs = new Map<Held | Passing, { readonly id: string; readonly model: string }>();
  readonly server: Served;
  readonly data: string;

  constructor(server: Served, data: string) {
    this.server = server;
    this.data = data;
  }

  async model(base_model: string): Promise<string> {
    const wish = { project: "p", name: crypto.randomUUID(), base_model };
    return (await this.server.ask<{ id: string }>("POST", "/models", wish)).id;
  }

  async submit(model: string, experimental_config: object): Promise<string> {
    const wish = { model_id: model, training_data_url: this.data, experimental_config };
    return (await this.server.ask<JobView>("POST", "/sft-training-jobs", wish)).id;
  }

  /** Starts a job that will reach the state by itself. */
  async begin(name: Held): Promise<void> {
    const { ask } = this.server;
    const { hold }: State = HELD[name];
    const elsewhere = name === "running on a remote worker";
    const model = await this.model(elsewhere ? "test/elsewhere" : "test/process");
    const behind = name === "queued, behind another job" || name === "cancelled";
    if (behind) await this.submit(model, { hold: "stepping", step_ms: 5 });
    const id = await this.submit(model, { hold, step_ms: 5 });
    this.jobs.set(name, { id, model });
    if (name === "cancelled") await ask("POST", `/training-jobs/${id}/cancel`);
    if (name === "cancelling") {
      while ((await this.view(id)).progress.step < 3) await setTimeout(10);
      await ask("POST", `/training-jobs/${id}/cancel`);
    }
    if (elsewhere) {
      const claim = { worker: "w", base_models: ["test/elsewhere"] };
      expect(await ask("POST", "/worker/claim", claim)).toMatchObject({ task: { job_id: id, attempt: 1 } });
      await this.tell(id, { type: "started", num_sequences: 2 }, { type: "step", step: 1 });
    }
  }

  view(id: string): Promise<JobView> {
    return this.server.ask("GET", `/training-jobs/${id}`);
  }

  tell(id: string, ...messages: readonly object[]): Promise<unknown> {
    return this.server.ask("POST", `/training-jobs/${id}/messages`, { attempt: 1, messages });
  }

  /** Resolves once the job is in its state. */
  async arrive(name: Held): Promise<void> {
    const { is }: State = HELD[name];
    const { id } = this.jobs.get(name)!;
    for (;;) {
      const job = await this.view(id);
      const there = Object.entries(is).every(
        ([field, value]) => JSON.stringify(job[field as keyof JobView]) === JSON.stringify(value),
      );
      if (there) return;
      await setTimeout(10);
    }
  }

  /** Starts a job, and resolves the moment it is seen in the state. */
  async approach(name: Passing, directory: string): Promise<void> {
    const model = await this.model("test/process");
    // Partial files of killed servers are still present.
    const writing = join(directory, "artifacts", "unfinished");
    const left = readdirSync(writing).length;
    const id = await this.submit(model, { step_ms: 5, weights_bytes: LARGE });
    this.jobs.set(name, { id, model });
    if (name === "its files written, its result not recorded") {
      while (readdirSync(writing).length === left) await setTimeout(1);
      return;
    }
    const last = name === "finalizing" ? "trained" : "training_ended";
    const stream = await fetch(
      `${this.server.url}/v1/preview/training-jobs/${id}/events?include=all&limit=100`,
      { headers: { accept: "text/event-stream" } },
    );
    let said = "";
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (said.includes(`event: ${last}\n`)) return;
    }
    throw new Error(`the stream ended without ${last}`);
  }
}

/** Continues as the remote worker, which only noticed that a request failed. */
async function finishElsewhere(scene: Scene, id: string): Promise<void> {
  const weights = new TextEncoder().encode(`weights of ${id}`);
  const blob = await scene.server.ask<{ sha256: string; size: number }>(
    "POST",
    `/training-jobs/${id}/files`,
    new TextDecoder().decode(weights),
  );
  expect(blob.sha256).toBe(createHash("sha256").update(weights).digest("hex"));
  // Repeats the step that the server may not have received.
  await scene.tell(id, { type: "step", step: 1 }, { type: "step", step: 2 });
  await scene.tell(id, { type: "done", files: [{ name: "weights.bin", ...blob }] });
}

/** Whether the kill hit the intended state. */
function wasHit(name: Passing, { finished_at }: JobView, types: readonly string[], killed: number): boolean {
  const endedBefore = Date.parse(finished_at!) <= killed;
  // The next server ends a job that was finalizing.
  if (name === "finalizing" && endedBefore) return false;
  if (name === "just succeeded" && !endedBefore) return false;
  return types.join() === PASSING[name].join();
}

test(
  "after kill -9 of the server in every state of a job, the job continues or ends, and nothing is lost or duplicated",
  async () => {
    const home = new Home({ at_once: 12 }, [{ type: "worker", base_models: ["test/elsewhere"] }]);
    const hits = new Map<string, number>();
    const seen = new Seen();

    let server = await home.serve();
    // Each miss costs another round.
    for (let round = 0, done = 0; done < ROUNDS; round++) {
      expect(round).toBeLessThan(ROUNDS * 4);
      const { training_data_url: data } = await server.ask<{ training_data_url: string }>(
        "POST",
        "/training-data",
        JSON.stringify(ROW),
      );
      const before = new Scene(server, data);
      const holds = round % PASSES.length === 0;
      const names = holds ? (Object.keys(HELD) as Held[]) : [];
      await Promise.all(names.map((name) => before.begin(name).then(() => before.arrive(name))));
      for (const { id } of before.jobs.values()) await seen.look(server, id);
      const passing = PASSES[done % PASSES.length]!;
      await before.approach(passing, home.directory);
      await server.stop("SIGKILL");
      const killed = Date.now();
      expect(server.stderr()).toBe("");
      home.killWorkers();

      server = await home.serve();
      const after = new Scene(server, data);
      if (holds) await finishElsewhere(after, before.jobs.get("running on a remote worker")!.id);
      await Promise.all(
        [...before.jobs].map(async ([name, { id, model }]) => {
          const job = await jobEnd(server, id);
          const types = (await seen.look(server, id)).map(({ type }) => type);
          if (name in HELD) expect(types, name).toEqual(HELD[name as Held].events);
          if (name in HELD || wasHit(name as Passing, job, types, killed)) {
            hits.set(name, (hits.get(name) ?? 0) + 1);
            if (name === passing) done++;
          } else expect(job, name).toMatchObject({ status: "succeeded" });
          // The jobs before and behind it are not delayed, and all successful jobs have their checkpoints.
          for (const { id } of await jobsOf(server, model))
            checkJob(await jobEnd(server, id), await seen.look(server, id));
          await checkModel(server, model, await jobsOf(server, model));
          await server.ask("DELETE", `/models/${model}`);
        }),
      );
      home.killWorkers();
    }
    await server.stop();
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toBe("");
    for (const name of [...Object.keys(HELD), ...PASSES.slice(0, ROUNDS)])
      expect(hits.get(name), name).toBeGreaterThan(0);
    if (process.env["ASSAY_CRASH_ROUNDS"] !== undefined) console.log(Object.fromEntries(hits));
  },
  600_000 + ROUNDS * 60_000,
);
