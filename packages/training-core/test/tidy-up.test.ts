// Removing what an ended job leaves behind: a result that it did not use, and a parent that was deleted meanwhile.

import { Fault } from "@assay/base";
import { expect, test } from "vitest";
import type { Job, TrainingStore } from "../src/index.ts";
import { trainingContext } from "../src/state/context.ts";
import { tidyUp } from "../src/state/remove-unused.ts";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  simulatedClock,
} from "../src/testing/index.ts";

/** The names of the files that remain, out of three, after a job has ended. */
async function leftBy(
  job: Partial<Job>,
  { deleted = false, used = [], broken }: { deleted?: boolean; used?: readonly string[]; broken?: unknown },
): Promise<readonly string[]> {
  const artifacts = memoryArtifactStore();
  const file = async (byte: number) => ({
    name: "weights",
    ...(await artifacts.write([new Uint8Array([byte])])),
  });
  const files = { trained: await file(1), parent: await file(2), other: await file(3) };
  const checkpoint = { files: [files.parent], ...(deleted && { deletedAt: 5 }) };
  const store = {
    ...memoryTrainingStore(),
    async usesBlob(name: string) {
      if (broken !== undefined) throw broken;
      return Object.entries(files).some(([one, { sha256 }]) => used.includes(one) && sha256 === name);
    },
    checkpoint: async (_model: string, step: number) => (step === 4 ? checkpoint : undefined),
  } as unknown as TrainingStore;
  const [data, clock, ids] = [memoryTrainingData(new Map()), simulatedClock(), countingIds()];
  const trained = { files: [files.trained], metrics: {} };
  const parent = { step: 4, files: [files.parent] };
  const ended = { modelId: "m", trained, parent, ...job } as unknown as Job;
  await tidyUp(trainingContext({ store, artifacts, data, clock, ids }), ended);
  const kept = await Promise.all(
    Object.entries(files).map(async ([name, { sha256 }]) => ((await artifacts.find(sha256)) ? [name] : [])),
  );
  return kept.flat();
}

test.each([
  ["keeps everything of a successful job", { state: "succeeded" }, {}, ["trained", "parent", "other"]],
  ["removes the result of a failed job", { state: "failed" }, {}, ["parent", "other"]],
  [
    "keeps a result that a checkpoint uses",
    { state: "failed" },
    { used: ["trained"] },
    ["trained", "parent", "other"],
  ],
  ["removes a deleted parent", { state: "succeeded" }, { deleted: true }, ["trained", "other"]],
  [
    "keeps a parent that another job uses",
    { state: "succeeded" },
    { deleted: true, used: ["parent"] },
    ["trained", "parent", "other"],
  ],
  [
    "keeps everything for a job without a result or a parent",
    { state: "cancelled", trained: undefined, parent: undefined },
    { deleted: true },
    ["trained", "parent", "other"],
  ],
  [
    "keeps the files if the store fails",
    { state: "failed" },
    { broken: new Fault("unavailable", "the disk is away") },
    ["trained", "parent", "other"],
  ],
] as const)("%s", async (_, job, given, left) => {
  expect(await leftBy(job as Partial<Job>, given)).toEqual(left);
});

test("an error other than a fault is rethrown", async () => {
  await expect(leftBy({ state: "failed" }, { broken: new TypeError("a mistake") })).rejects.toThrow(
    "a mistake",
  );
});
