// The server is killed while it trains, and so are its workers, at moments that differ each round. Whatever was
// acknowledged is there afterwards, and every job ends.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder } from "../world.ts";
import { type JobView, jobEnd, type Served, serve, startSft } from "./served.ts";

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 5);
/** The longest that a server lives once it has jobs, in milliseconds. */
const LONGEST_LIFE = 2500;

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

const ROWS = Array.from({ length: 12 }, (_, i) => ({
  messages: [
    { role: "user", content: `${i}?` },
    { role: "assistant", content: "x".repeat(20) },
  ],
}));

async function eventsOf({ ask }: Served, job: string): Promise<readonly Event[]> {
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

/** What a client has seen, which has to stay true. */
class Seen {
  readonly events = new Map<string, readonly Event[]>();

  async look(server: Served, job: string): Promise<void> {
    const now = await eventsOf(server, job);
    const before = this.events.get(job) ?? [];
    expect(now.slice(0, before.length)).toEqual(before);
    this.events.set(job, now);
  }
}

/** Looks at jobs and submits more of them, for all models at once, until the server dies. */
async function live(server: Served, models: readonly string[], jobs: string[], seen: Seen): Promise<void> {
  for (;;) {
    await Promise.all(
      models.map(async (model) => {
        const job = await startSft(server, model, ROWS, { epochs: 3, learning_rate: 0.01 });
        jobs.push(job.id);
      }),
    );
    for (const id of jobs.slice(-4)) await seen.look(server, id);
    await setTimeout(300);
  }
}

function killWorkers(workers: string): void {
  for (const pid of readdirSync(workers)) {
    rmSync(join(workers, pid));
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

const count = (events: readonly Event[], type: string) =>
  events.filter((event) => event.type === type).length;

async function jobsOf({ ask }: Served, model: string): Promise<readonly JobView[]> {
  return (await ask<{ data: readonly JobView[] }>("GET", `/training-jobs?model_id=${model}&limit=100`)).data;
}

/** What has to hold for a job that has ended. */
function checkJob(job: JobView, events: readonly Event[]): void {
  expect(["succeeded", "failed", "cancelled"]).toContain(job.status);
  expect(count(events, "training_started")).toBeLessThanOrEqual(1);
  expect(count(events, "training_ended") + count(events, "training_failed")).toBe(1);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  if (job.status === "succeeded") {
    expect(events.at(-1)?.type).toBe("training_ended");
    const started = events.find(({ type }) => type === "training_started");
    expect(count(events, "gradient_step")).toBe(started?.data["num_sequences"]);
  } else {
    expect(job.error?.code).toMatch(/^(worker_\w+|trainer_\w+)$/);
    expect(job.checkpoint_step).toBeNull();
  }
}

/** The checkpoints of a model are those of its jobs that succeeded, numbered without gap, and whole. */
async function checkModel(server: Served, model: string, jobs: readonly JobView[]): Promise<void> {
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

test(
  "after kill -9 of server and workers, nothing acknowledged is lost, and every job ends",
  async () => {
    const home = folder();
    const workers = join(home, "workers");
    mkdirSync(workers);
    const config = join(home, "training.json");
    const command = [process.execPath, fileURLToPath(new URL("./dying-worker.mjs", import.meta.url))];
    const process_ = { type: "process", base_models: ["test/process"], command, env: { WORKERS: workers } };
    writeFileSync(config, JSON.stringify({ trainers: [{ type: "tiny" }, process_] }));
    const seen = new Seen();
    const totals = new Map<string, number>();

    const directory = join(home, "data");
    let server = await serve(directory, "--training", config);
    for (let round = 0; round < ROUNDS; round++) {
      const models = await Promise.all(
        ["assay/tiny", "test/process", "assay/tiny-2"].map(async (base_model, i) => {
          const wish = { project: "p", name: `round-${round}-${i}`, base_model };
          return (await server.ask<{ id: string }>("POST", "/models", wish)).id;
        }),
      );
      const jobs: string[] = [];
      const { kill } = server;
      const dying = setTimeout(20 + ((round * 613) % LONGEST_LIFE)).then(kill);
      // Ends with the server, in the middle of whatever it is asked then.
      const error = await live(server, models, jobs, seen).catch((thrown: unknown) => thrown);
      if (!(error instanceof TypeError)) throw error;
      await dying;
      expect(server.errors()).toBe("");
      if (round % 2 === 0) killWorkers(workers);

      server = await serve(directory, "--training", config);
      const killing = setTimeout((round * 331) % 700).then(() => killWorkers(workers));
      // Also those that were submitted when the server died, before it could say so.
      const submitted = await Promise.all(models.map((model) => jobsOf(server, model)));
      const known = submitted.flat().map(({ id }) => id);
      for (const id of jobs) expect(known).toContain(id);
      for (const id of known) {
        const job = await jobEnd(server, id);
        await seen.look(server, id);
        checkJob(job, seen.events.get(id)!);
        const end = job.error?.code ?? job.status;
        totals.set(end, (totals.get(end) ?? 0) + 1);
      }
      for (const model of models) await checkModel(server, model, await jobsOf(server, model));
      await killing;
    }
    expect(await server.stop()).toBe(0);
    expect(server.errors()).toBe("");
    if (process.env["CRASH_ROUNDS"] !== undefined) console.log(Object.fromEntries(totals));
  },
  60_000 + ROUNDS * 60_000,
);
