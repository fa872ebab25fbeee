// Loads and unloads LoRA adapters in vLLM, which must be started with VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.

import { Fault } from "@assay/base";
import type { AdapterLoader } from "@assay/inference-core/internal";
import type { Engine } from "./engine.ts";

/** Loads adapters in `engine`. An adapter that it has already loaded counts as loaded, as when only we restarted. */
export function vllmLoader(engine: Pick<Engine, "post">): AdapterLoader {
  return {
    async load(name, path) {
      const { status, text } = await engine.post("/load_lora_adapter", { lora_name: name, lora_path: path });
      // Names are unique to checkpoints, so an adapter with this name is this adapter.
      if (status === 200 || /already (been )?loaded/i.test(text)) return;
      throw new Fault("unavailable", "the engine did not load the adapter", { cause: `${status} ${text}` });
    },
    async unload(name) {
      const { status, text } = await engine.post("/unload_lora_adapter", { lora_name: name });
      if (status === 200 || status === 404) return;
      throw new Fault("unavailable", "the engine did not unload the adapter", { cause: `${status} ${text}` });
    },
  };
}
