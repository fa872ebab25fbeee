import { describe, test } from "vitest";
import { cachingStore } from "../src/index.ts";
import { artifactStoreLaws, trainerLaws, trainingStoreLaws } from "../src/laws/index.ts";
import { memoryArtifactStore, memoryTrainingStore, scriptedTrainer } from "../src/testing/index.ts";

describe("memoryTrainingStore", () => {
  for (const law of trainingStoreLaws(memoryTrainingStore)) test(law.name, law.run);
});

// Once with space for everything, and once with so little that it evicts all the time.
describe.each([{}, { things: 2, numbers: 25 }])("cachingStore with %o", (limits) => {
  const open = () => cachingStore(memoryTrainingStore(), limits);
  for (const law of trainingStoreLaws(open)) test(law.name, law.run);
});

describe("memoryArtifactStore", () => {
  for (const law of artifactStoreLaws(memoryArtifactStore)) test(law.name, law.run);
});

describe("scriptedTrainer", () => {
  const open = async () => {
    const artifacts = memoryArtifactStore();
    const trainer = scriptedTrainer(async function* () {
      yield { type: "started", num_sequences: 2, resumable: true };
      yield { type: "step", step: 1, metrics: { loss: 2 } };
      yield { type: "heartbeat" };
      yield { type: "step", step: 2, metrics: { loss: 1 } };
      yield { type: "done", files: [{ name: "weights", ...(await artifacts.write([new Uint8Array(3)])) }] };
    });
    const model = { id: "m", entity: "e", project: "p", name: "n", base_model: "b" };
    const spec = { kind: "rl", trajectory_groups: [], config: {} } as const;
    const task = { job_id: "j", attempt: 1, steps_reported: 0, model, parent: { step: 0, files: [] }, spec };
    return { trainer, artifacts, task };
  };
  for (const law of trainerLaws(open)) test(law.name, law.run);
});
