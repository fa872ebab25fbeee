// The configured upstreams: engines over HTTP behind one `ChatProvider`.

import type { EnginePool, UpstreamOptions } from "@assay/inference-core";
import { enginePool, type UpstreamEngine } from "@assay/inference-core/internal";
import { type Engine, httpEngine } from "./engine.ts";
import type { UpstreamConfig } from "./upstream-config.ts";
import { vllmLoader } from "./vllm-loader.ts";

/** All upstreams. */
export interface Upstreams extends EnginePool {
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The upstreams that `configs` describe. Nothing is sent before the first request. */
export function openUpstreams(configs: readonly UpstreamConfig[], options: UpstreamOptions): Upstreams {
  const engines = configs.map((config) => httpEngine(config, options));
  const pool = enginePool(engines.map(upstreamEngine), options);
  return {
    models: pool.models,
    report: pool.report,
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}

/** An engine over HTTP as an upstream. */
export function upstreamEngine(engine: Engine): UpstreamEngine {
  const { name, concurrency, models, loraSlots } = engine.config;
  return {
    name,
    concurrency,
    models,
    adapters: loraSlots === undefined ? undefined : { slots: loraSlots, loader: vllmLoader(engine) },
    chat: engine.chat,
    continueText: engine.continueText,
    embed: engine.embed,
  };
}
