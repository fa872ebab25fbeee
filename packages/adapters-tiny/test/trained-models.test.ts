// Trained models from a training store satisfy the laws; also cases that only this store has.

import { trainedModelsLaws } from "@assay/inference-core/laws";
import type { Checkpoint, Model, TrainingStore } from "@assay/training-core";
import { memoryTrainingStore } from "@assay/training-core/testing";
import { describe, expect, test } from "vitest";
import { storedTrainedModels } from "../src/index.ts";

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const model = (n: number, name: string, headStep: number): Model => ({
  id: uuid(n),
  version: 1,
  entity: "team",
  project: "demo",
  name,
  baseModel: "org/base",
  createdAt: n,
  headStep,
  jobCount: headStep,
  baseMetrics: {},
});

const checkpoint = (n: number, modelId: string, step: number): Checkpoint => ({
  id: uuid(n),
  modelId,
  step,
  parentStep: step - 1,
  jobId: uuid(1000 + n),
  files: [{ name: "weights.bin", sha256: String(n).padStart(64, "0"), size: n }],
  metrics: {},
  createdAt: n,
});

async function filled(): Promise<TrainingStore> {
  const store = memoryTrainingStore();
  const trained = model(1, "trained", 2);
  const checkpoints = [checkpoint(11, trained.id, 1), checkpoint(12, trained.id, 2)];
  await store.commit({ at: 0, model: trained, checkpoints });
  await store.commit({ at: 0, model: model(2, "fresh", 0) });
  return store;
}

describe("laws", () => {
  for (const { name, run } of trainedModelsLaws(async () => storedTrainedModels(await filled())))
    test(name, run);
});

const find = (store: TrainingStore, alias: string) =>
  storedTrainedModels(store).find({
    entity: "team",
    project: "demo",
    name: "trained",
    version: { kind: "alias", alias },
  });

test("a version number is the step", async () => {
  const store = await filled();
  expect(await find(store, "v1")).toMatchObject({ step: 1, checkpoint: { id: uuid(11) } });
  expect(await find(store, "v01")).toBeUndefined();
});

test("a checkpoint without files is the base model, at its step", async () => {
  const store = await filled();
  const changed = { ...model(1, "trained", 3), version: 2 };
  const empty = { ...checkpoint(13, changed.id, 3), files: [] };
  await store.commit({ at: 0, model: changed, checkpoints: [empty] });
  const found = await find(store, "v3");
  expect(found).toMatchObject({ step: 3, baseModel: "org/base" });
  expect(found?.checkpoint).toBeUndefined();
});

test("a model whose checkpoints are all deleted is not listed, and has no newest checkpoint", async () => {
  const store = await filled();
  const deleted = [11, 12].map((n) => ({ ...checkpoint(n, uuid(1), n - 10), deletedAt: 5 }));
  await store.commit({ at: 0, model: { ...model(1, "trained", 2), version: 2 }, checkpoints: deleted });
  const names: string[] = [];
  for await (const { name } of storedTrainedModels(store).list()) names.push(name);
  expect(names).toEqual(["fresh"]);
});
