import { describe, test } from "vitest";
import { memoryKeyStore, memoryTrainedModels, memoryUsage, type TrainedModel } from "../src/index.ts";
import { chatProviderLaws, keyStoreLaws, trainedModelsLaws, usageLaws } from "../src/laws/index.ts";
import { sayTokens, scriptedProvider } from "../src/testing/index.ts";

const model = (name: string, step: number): TrainedModel => ({
  entity: "team",
  project: "demo",
  name,
  baseModel: "org/base",
  step,
  createdAt: 100 * step,
  ...(step > 0 && { checkpoint: { id: `${name}:${step}`, files: [] } }),
});

describe("scriptedProvider", () => {
  const open = () => ({
    provider: scriptedProvider((call) => sayTokens(call, ["a", "b"])),
    call: { model: "org/base", request: { model: "org/base", messages: [{ role: "user", content: "hi" }] } },
  });
  for (const law of chatProviderLaws(open)) test(law.name, law.run);
});

describe("memoryUsage", () => {
  for (const law of usageLaws(memoryUsage)) test(law.name, law.run);
});

describe("memoryKeyStore", () => {
  for (const law of keyStoreLaws(memoryKeyStore)) test(law.name, law.run);
});

describe("memoryTrainedModels", () => {
  const known = [model("trained", 0), model("trained", 1), model("trained", 2), model("fresh", 0)];
  for (const law of trainedModelsLaws(() => memoryTrainedModels(known))) test(law.name, law.run);
});
