// What only this store can get wrong: the disk, unusual texts, and changes that share a transaction.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundled } from "@assay/testing/bundled";
import { rounds } from "@assay/testing/cases";
import type { JobEvent, Model, TrainingSpec, TrainingStore } from "@assay/training-core";
import { foldEvents } from "@assay/training-core/testing";
import { expect, test } from "vitest";
import { fileArtifacts } from "../../src/training/artifacts.ts";
import { trainingStore } from "../../src/training/store.ts";
import { freshDirectory, openFresh, openHere } from "../support.ts";

const model = (id: string, name = id): Model => ({
  id,
  version: 1,
  entity: "e",
  project: "p",
  name,
  baseModel: "org/base",
  createdAt: 0,
  headStep: 0,
  jobCount: 0,
  baseMetrics: {},
});

test("committed data survives reopening the directory", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  expect(await trainingStore(store.database).commit({ at: 0, model: model("m") })).toBe(true);
  await store.close();
  const again = trainingStore((await openHere(directory)).database);
  expect(await again.model("m")).toEqual(model("m"));
  expect(await again.modelNamed(model("m"))).toEqual(model("m"));
});

test("the data of a job may be long, and reads completely", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  const trajectory_groups = Array.from({ length: 4000 }, (_, i) => ({
    trajectories: [
      { reward: i, messages_and_choices: [], additional_histories: [], metrics: {}, note: "é".repeat(400) },
    ],
    exceptions: [],
  }));
  const specs = new Map<string, TrainingSpec>([
    ["long", { kind: "rl", trajectory_groups, config: {} }],
    ["other", { kind: "rl", trajectory_groups: trajectory_groups.slice(0, 3000), config: {} }],
  ]);
  for (const [jobId, spec] of specs) {
    const data = {
      modelId: "m",
      number: 1,
      kind: "rl",
      size: 1,
      trainable: 1,
      skipped: [],
      maxAttempts: 1,
    } as const;
    const events: JobEvent[] = [{ type: "submitted", data, id: jobId, jobId, seq: 1, at: 0 }];
    const job = foldEvents(events)!;
    const change = { at: 0, jobs: [{ job, events }], spec: { jobId, spec } };
    expect(await trainingStore(store.database).commit(change)).toBe(true);
  }
  const [rows] = await store.database.columns("SELECT count(*) FROM training_specs");
  expect(rows![0]).toBeGreaterThan(2);
  await store.close();
  // Even if the database has less memory than all of them need.
  const again = trainingStore((await openHere(directory, { databaseMemory: 12 })).database);
  for (const [jobId, spec] of specs) expect(await again.spec(jobId)).toEqual(spec);
  expect(await again.spec("none")).toBeUndefined();
});

test("any text is stored, and never run as SQL", async () => {
  const store = trainingStore((await openFresh()).database);
  const names = [
    "'; DROP TABLE training_models; --",
    "a\0b",
    "\ud800",
    "\udc00",
    "%",
    "_",
    "é",
    "e\u0301",
    "",
  ];
  for (const [i, name] of names.entries())
    expect(await store.commit({ at: 0, model: model(`${i}`, name) })).toBe(true);
  for (const [i, name] of names.entries()) {
    expect(await store.modelNamed(model("", name))).toEqual(model(`${i}`, name));
    const reply = { key: name, digest: "d", body: name, expiresAt: 1 };
    expect(await store.commit({ at: 0, reply })).toBe(true);
    expect(await store.reply(name)).toEqual(reply);
    expect(await store.model(name)).toBeUndefined();
  }
});

test("of many concurrent changes, those that fit are written and the others are not", async () => {
  const store = trainingStore((await openFresh()).database);
  const changes = Array.from({ length: 300 }, (_, i) => model(`${i % 250}`));
  const written = await Promise.all(changes.map((one) => store.commit({ at: 0, model: one })));
  expect(written).toEqual(changes.map((_, i) => i < 250));
  expect(await store.models({ limit: 1000 })).toHaveLength(250);
});

test("a closed directory is a fault for every waiting change", async () => {
  const open = await openFresh();
  const store = trainingStore(open.database);
  await open.close();
  const fault = expect.objectContaining({ code: "unavailable" });
  const all = await Promise.allSettled([1, 2].map((n) => store.commit({ at: 0, model: model(`${n}`) })));
  expect(all).toEqual(all.map(() => ({ status: "rejected", reason: fault })));
});

test("after kill -9 while writing, every acknowledged step is present once, and writing continues", async () => {
  const directory = freshDirectory();
  const kills = rounds(5, 2);
  const acknowledged = new Map<string, number>();
  const artifacts = new Set<string>();
  for (let round = 0; round < kills; round++) {
    for (const [job, version, artifact] of await writtenBeforeDeath(directory, 3 + ((round * 37) % 100))) {
      acknowledged.set(job, version);
      artifacts.add(artifact);
    }
    const open = await openHere(directory);
    const store = trainingStore(open.database);
    for (const [job, version] of acknowledged) await checkJob(store, job, version);
    const kept = fileArtifacts(join(directory, "artifacts"));
    for (const artifact of artifacts) expect(await kept.find(artifact)).toBeDefined();
    await open.close();
  }
  expect(acknowledged.size).toBe(3);
});

async function checkJob(store: TrainingStore, id: string, acknowledged: number): Promise<void> {
  const events = await store.events(id, { afterSeq: 0, limit: 1e6 });
  expect(events.length).toBeGreaterThanOrEqual(acknowledged);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(await store.job(id)).toEqual(foldEvents(events));
}

/** The steps that a writer acknowledged, as job, version and artifact, until it was killed after `lines` lines. */
async function writtenBeforeDeath(directory: string, lines: number): Promise<[string, number, string][]> {
  const script = await bundled(fileURLToPath(new URL("./crash-writer.ts", import.meta.url)));
  const writer = spawn(process.execPath, [script, directory], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(writer, "exit");
  const said: [string, number, string][] = [];
  let seen = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    if (++seen === lines) writer.kill("SIGKILL");
    const [job, version, artifact] = line.split(" ");
    if (artifact !== undefined) said.push([job!, Number(version), artifact]);
  }
  await exit;
  return said;
}
