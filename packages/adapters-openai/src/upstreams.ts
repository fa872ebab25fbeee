// The upstreams as one: which of them answers a call, and what happens when it does not.

import { Fault } from "@assay/base";
import type {
  CatalogueModel,
  ChatCall,
  ChatProvider,
  EngineEvent,
  Refusal,
  RefusalCode,
  TrainedModel,
} from "@assay/inference-core";
import { type AdapterSlots, adapterName, adapterSlots } from "./adapter-slots.ts";
import { type Engine, httpEngine } from "./engine.ts";
import { type Health, health } from "./health.ts";
import type { UpstreamConfig } from "./upstream-config.ts";
import { vllmLoader } from "./vllm-loader.ts";

/** What upstreams work with. */
export interface UpstreamOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Puts the files of a checkpoint where engines can read them, and resolves to that directory as an engine calls it.
   * Needed when an upstream has LoRA slots.
   */
  readonly placeAdapter?: (model: TrainedModel) => Promise<string>;
}

/** How an upstream is. */
export interface UpstreamReport {
  /** As in the configuration. */
  readonly name: string;
  /** Whether its last request did not fail. */
  readonly healthy: boolean;
  /** Requests under way. */
  readonly active: number;
}

/** All upstreams. */
export interface Upstreams {
  /** What they serve, in the order of the configuration. */
  readonly models: readonly CatalogueModel[];
  /** How each of them is, in the order of the configuration. */
  report(): readonly UpstreamReport[];
  /** Ends all connections. */
  close(): Promise<void>;
}

interface Upstream {
  readonly config: UpstreamConfig;
  readonly engine: Engine;
  readonly health: Health;
  readonly adapters: AdapterSlots | undefined;
  active: number;
}

/** Refusals that another upstream may not share. */
const ELSEWHERE: ReadonlySet<RefusalCode> = new Set([
  "overloaded",
  "limited",
  "quota",
  "unknown_model",
  "failed",
]);

/** The upstreams that `configs` describe. Nothing is called before a request comes. */
export function openUpstreams(configs: readonly UpstreamConfig[], options: UpstreamOptions): Upstreams {
  const { now, placeAdapter } = options;
  const upstreams = configs.map((config): Upstream => {
    if (config.loraSlots !== undefined && placeAdapter === undefined) {
      throw new Error(`upstream ${config.name} has LoRA slots, and nothing places adapters`);
    }
    const engine = httpEngine(config, now);
    const adapters =
      config.loraSlots === undefined ? undefined : adapterSlots(vllmLoader(engine), config.loraSlots);
    return { config, engine, health: health(now), adapters, active: 0 };
  });

  const provider = (candidates: readonly Upstream[], ask: Ask): ChatProvider => ({
    chat: (call, signal) => firstThatAnswers(candidates, call, signal, ask),
  });
  const askAdapter: Ask = (upstream, call, signal) => withAdapter(upstream, call, signal, placeAdapter);

  const ids = [...new Set(configs.flatMap(({ models }) => models.map(({ id }) => id)))];
  return {
    models: ids.map((id) => {
      const serving = upstreams.filter(({ config }) => engineName(config, id) !== undefined);
      const training = serving.filter(({ adapters }) => adapters !== undefined);
      return {
        id,
        provider: provider(serving, askModel),
        ...(training.length > 0 && { trainedProvider: provider(training, askAdapter) }),
      };
    }),
    report: () =>
      upstreams.map(({ config, health, active }) => ({
        name: config.name,
        healthy: health.isGood(),
        active,
      })),
    async close() {
      await Promise.all(upstreams.map(({ engine }) => engine.close()));
    },
  };
}

function engineName({ models }: UpstreamConfig, id: string): string | undefined {
  return models.find((model) => model.id === id)?.engineName;
}

/** Asks one upstream. */
type Ask = (upstream: Upstream, call: ChatCall, signal: AbortSignal) => AsyncIterable<EngineEvent>;

const askModel: Ask = ({ config, engine }, { model, request }, signal) => {
  const name = engineName(config, model);
  if (name === undefined) throw new Error(`upstream ${config.name} does not serve ${model}`);
  return engine.chat(name, request, signal);
};

/** Asks an upstream for a trained model: its adapter is there from before the request until after the answer. */
async function* withAdapter(
  { engine, adapters }: Upstream,
  { trained, request }: ChatCall,
  signal: AbortSignal,
  place: UpstreamOptions["placeAdapter"],
): AsyncGenerator<EngineEvent, void> {
  if (adapters === undefined || trained === undefined || place === undefined)
    throw new Error("there is no adapter");
  const name = adapterName(trained);
  for (let again = true; ; again = false) {
    const use = await adapters.use(name, () => place(trained));
    let lost = false;
    try {
      for await (const event of engine.chat(name, request, signal)) {
        // An engine that was restarted has no adapters, and says that there is no such model.
        lost = event.type === "refused" && event.refusal.code === "unknown_model";
        if (lost) use.lost();
        if (lost && again) break;
        yield event;
      }
    } finally {
      use.release();
    }
    if (!(lost && again)) return;
  }
}

/**
 * The answer of the first upstream that has one. Another is asked only while nothing was answered, and each at most
 * once: those in good health first, then those with the most room.
 */
async function* firstThatAnswers(
  candidates: readonly Upstream[],
  call: ChatCall,
  signal: AbortSignal,
  ask: Ask,
): AsyncGenerator<EngineEvent, void> {
  const left = new Set(candidates);
  let worst: Refusal | Fault = FULL;
  for (;;) {
    const upstream = best(left, call);
    if (upstream === undefined) break;
    left.delete(upstream);
    let answered = false;
    let refused = false;
    upstream.active++;
    try {
      for await (const event of ask(upstream, call, signal)) {
        if (event.type === "refused" && !answered && ELSEWHERE.has(event.refusal.code)) {
          upstream.health.failed(event.refusal.retryAfter);
          worst = event.refusal;
          refused = true;
          break;
        }
        answered = true;
        yield event;
      }
      if (answered) {
        upstream.health.answered();
        return;
      }
      if (!refused) throw new Fault("unavailable", "the engine ended before it began to answer");
    } catch (error) {
      const fault = Fault.from(error, "unavailable", "the engine failed");
      if (fault.code === "cancelled") throw fault;
      upstream.health.failed();
      if (answered) throw fault;
      worst = fault;
    } finally {
      upstream.active--;
    }
  }
  if (worst instanceof Fault) throw worst;
  yield { type: "refused", refusal: worst };
}

const FULL: Refusal = {
  code: "overloaded",
  message: "The engine is currently overloaded, please try again later",
  retryAfter: 1,
};

/** The upstream to ask: in good health, with the adapter at hand, with the most room. None when all are full. */
function best(upstreams: Iterable<Upstream>, { trained }: ChatCall): Upstream | undefined {
  const rank = ({ config, health, adapters, active }: Upstream) => [
    health.restsFor(),
    trained !== undefined && adapters?.has(adapterName(trained)) ? 0 : 1,
    active / config.concurrency,
  ];
  const open = [...upstreams].filter(({ active, config }) => active < config.concurrency);
  const ranked = open.map((upstream) => ({ upstream, rank: rank(upstream) }));
  ranked.sort((a, b) => a.rank.map((value, at) => value - b.rank[at]!).find((order) => order !== 0) ?? 0);
  return ranked[0]?.upstream;
}
