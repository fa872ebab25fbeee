// Kills servers and workers, and checks afterwards, as a client, the invariants of jobs and checkpoints.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JobView, type Served, serve } from "@assay/testing/training-server";
import { expect } from "vitest";
import { folder } from "../run-in-process.ts";

// A worker that can be killed at any step, see dying-worker.mjs.
const DYING_WORKER = [process.execPath, fileURLToPath(new URL("./dying-worker.mjs", import.meta.url))];

/** A data directory. Killable workers train its jobs of `test/process`. */
export class Home {
  readonly directory: string;
  readonly #workers: string;
  readonly #config: string;

  /** `settings` are for the trainer that starts those workers, `others` are trainers of other base models. */
  constructor(settings: object, others: readonly object[]) {
    const home = folder();
    this.directory = join(home, "data");
    this.#workers = join(home, "workers");
    mkdirSync(this.#workers);
    const env = { WORKERS: this.#workers };
    const trainer = {
      type: "process",
      base_models: ["test/process"],
      command: DYING_WORKER,
      env,
      ...settings,
    };
    this.#config = join(home, "training.json");
    writeFileSync(this.#config, JSON.stringify({ trainers: [trainer, ...others] }));
  }

  /** Starts a server on it. */
  serve(): Promise<Served> {
    return serve(this.directory, "--training", this.#config);
  }

  /** Kills all workers. Each has left its process id in a folder. */
  killWorkers(): void {
    for (const pid of readdirSync(this.#workers)) {
      rmSync(join(this.#workers, pid), { force: true });
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended already.
      }
    }
  }
}

/** An event of a job. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

/** All events of a job so far, including those of the service. */
async function eventsOf({ ask }: Pick<Served, "ask">, job: string): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let more = true; more; ) {
    const after = events.at(-1)?.id;
    const page = await ask<{ data: readonly Event[]; has_more: boolean }>(
      "GET",
      `/training-jobs/${job}/events?include=all&limit=100${after === undefined ? "" : `&after=${after}`}`,
    );
    events.push(...page.data);
    more = page.has_more;
  }
  return events;
}

/** The events that a client has seen; later reads must not contradict them. */
export class Seen {
  readonly #events = new Map<string, readonly Event[]>();

  /** Reads the events of a job. They must start with the events seen before. */
  async look(server: Pick<Served, "ask">, job: string): Promise<readonly Event[]> {
    const now = await eventsOf(server, job);
    const before = this.#events.get(job) ?? [];
    expect(now.slice(0, before.length)).toEqual(before);
    this.#events.set(job, now);
    return now;
  }
}

const count = (events: readonly Event[], type: string) =>
  events.filter((event) => event.type === type).length;

/** The jobs of a model, newest first. */
export async function jobsOf({ ask }: Pick<Served, "ask">, model: string): Promise<readonly JobView[]> {
  return (await ask<{ data: readonly JobView[] }>("GET", `/training-jobs?model_id=${model}&limit=100`)).data;
}

/** Checks the invariants of a finished job. */
export function checkJob(job: JobView, events: readonly Event[]): void {
  expect(["succeeded", "failed", "cancelled"]).toContain(job.status);
  expect(count(events, "training_started")).toBeLessThanOrEqual(1);
  expect(count(events, "training_ended") + count(events, "training_failed")).toBe(1);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  if (job.status === "succeeded") {
    expect(events.at(-1)?.type).toBe("training_ended");
    const started = events.find(({ type }) => type === "training_started");
    expect(count(events, "gradient_step")).toBe(started?.data["num_sequences"]);
  } else {
    expect(job.error?.code).toMatch(job.status === "failed" ? /^(worker|trainer)_\w+$/ : /^cancelled$/);
    expect(job.checkpoint_step).toBeNull();
  }
}

/** Checks that a model's checkpoints are those of its successful jobs, complete and numbered without gaps. */
export async function checkModel(server: Served, model: string, jobs: readonly JobView[]): Promise<void> {
  const { data } = await server.ask<{ data: readonly { step: number }[] }>(
    "GET",
    `/models/${model}/checkpoints?limit=100`,
  );
  const made = jobs.flatMap(({ checkpoint_step }) => checkpoint_step ?? []);
  expect(data.map(({ step }) => step)).toEqual(made.map((_, i) => i + 1));
  expect(made.toSorted((a, b) => a - b)).toEqual(made.map((_, i) => i + 1));
  expect(await server.ask("GET", `/models/${model}`)).toMatchObject({
    step: made.length,
    active_job_id: null,
  });
  const last = data.at(-1)?.step;
  if (last === undefined) return;
  const path = `/models/${model}/checkpoints/${last}`;
  const { files } = await server.ask<{ files: readonly { name: string; sha256: string }[] }>("GET", path);
  for (const { name, sha256 } of files) {
    const bytes = await server.bytes(`${path}/files/${name}`);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  }
}
