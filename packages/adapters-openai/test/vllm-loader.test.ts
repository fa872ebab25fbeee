// The adapter loader, against an engine that loads and refuses adapters like vLLM.

import { adapterLoaderLaws } from "@assay/inference-core/laws";
import { engineDouble, json } from "@assay/testing/engine-double";
import { expect, onTestFinished, test } from "vitest";
import { httpEngine } from "../src/engine.ts";
import { vllmLoader } from "../src/vllm-loader.ts";

async function open() {
  const loaded = new Set<string>();
  const double = await engineDouble({}, (response, { path, body }) => {
    const { lora_name: name, lora_path: from } = body;
    if (path === "/v1/unload_lora_adapter") {
      if (loaded.delete(name)) return json(response, 200, `Success: LoRA adapter '${name}' removed.`);
      return json(response, 404, { message: `The lora adapter '${name}' cannot be found.` });
    }
    if (from === "/none") return json(response, 404, { message: `No adapter found for ${from}` });
    if (loaded.has(name)) {
      return json(response, 400, { message: `The lora adapter '${name}' has already been loaded.` });
    }
    loaded.add(name);
    json(response, 200, `Success: LoRA adapter '${name}' added.`);
  });
  const timeouts = { connect: 5000, firstByte: 30_000, idle: 30_000, whole: 30_000 };
  const engine = httpEngine(
    { name: "vllm", url: double.url, concurrency: 1, timeouts, continuousUsage: false, models: [] },
    { now: Date.now },
  );
  onTestFinished(async () => {
    await engine.close();
    await double.close();
  });
  return {
    loader: vllmLoader(engine),
    path: "/adapters/1",
    badPath: "/none",
    loaded: () => [...loaded],
    double,
  };
}

for (const law of adapterLoaderLaws(open)) test(law.name, law.run);

test("loading and unloading throw a fault if the engine is gone", async () => {
  const { loader, double } = await open();
  await double.close();
  await expect(loader.load("a", "/adapters/1")).rejects.toMatchObject({ code: "unavailable" });
  await expect(loader.unload("a")).rejects.toMatchObject({ code: "unavailable" });
});
