// Failover: which of several engines answers a call, and what happens when it does not.

import { Fault } from "@assay/base";
import type { CatalogueModel } from "../catalogue.ts";
import type { ChatCall, ChatProvider, EngineEvent } from "../ports/chat-provider.ts";
import type { TrainedModel } from "../ports/trained-models.ts";
import type { UpstreamEngine } from "../ports/upstream-engine.ts";
import type { Refusal, RefusalCode } from "../refusal.ts";
import { type AdapterSlots, adapterName, adapterSlots } from "./adapter-slots.ts";
import { type Health, health } from "./health.ts";

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
  /** What people call it. */
  readonly name: string;
  /** Whether its last request did not fail. */
  readonly healthy: boolean;
  /** Requests under way. */
  readonly active: number;
}

/** Several engines as one. */
export interface EnginePool {
  /** What they serve, in the order in which they were given. */
  readonly models: readonly CatalogueModel[];
  /** How each of them is, in the order in which they were given. */
  report(): readonly UpstreamReport[];
}

interface Upstream {
  readonly engine: UpstreamEngine;
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

/** The engines as one. Nothing is called before a request comes. */
export function enginePool(engines: readonly UpstreamEngine[], options: UpstreamOptions): EnginePool {
  const { now, placeAdapter } = options;
  const upstreams = engines.map((engine): Upstream => {
    const { name, adapters } = engine;
    if (adapters !== undefined && placeAdapter === undefined) {
      throw new Error(`upstream ${name} has LoRA slots, and nothing places adapters`);
    }
    const slots = adapters === undefined ? undefined : adapterSlots(adapters.loader, adapters.slots);
    return { engine, health: health(now), adapters: slots, active: 0 };
  });

  const provider = (candidates: readonly Upstream[], ask: Ask): ChatProvider => ({
    chat: (call, signal) => firstThatAnswers(candidates, call, signal, ask),
  });
  const askAdapter: Ask = (upstream, call, signal) => withAdapter(upstream, call, signal, placeAdapter);

  const ids = [...new Set(engines.flatMap(({ models }) => models.map(({ id }) => id)))];
  return {
    models: ids.map((id) => {
      const serving = upstreams.filter(({ engine }) => engineName(engine, id) !== undefined);
      const training = serving.filter(({ adapters }) => adapters !== undefined);
      return {
        id,
        provider: provider(serving, askModel),
        ...(training.length > 0 && { trainedProvider: provider(training, askAdapter) }),
      };
    }),
    report: () =>
      upstreams.map(({ engine, health, active }) => ({
        name: engine.name,
        healthy: health.isGood(),
        active,
      })),
  };
}

function engineName({ models }: UpstreamEngine, id: string): string | undefined {
  return models.find((model) => model.id === id)?.engineName;
}

/** Asks one upstream. */
type Ask = (upstream: Upstream, call: ChatCall, signal: AbortSignal) => AsyncIterable<EngineEvent>;

const askModel: Ask = ({ engine }, { model, request }, signal) => {
  const name = engineName(engine, model);
  if (name === undefined) throw new Error(`upstream ${engine.name} does not serve ${model}`);
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

/** The upstream to ask: in good health, with the adapter at hand, with the most room. Undefined when all are full. */
function best(upstreams: Iterable<Upstream>, { trained }: ChatCall): Upstream | undefined {
  const rank = ({ engine, health, adapters, active }: Upstream) => [
    health.restsFor(),
    trained !== undefined && adapters?.has(adapterName(trained)) ? 0 : 1,
    active / engine.concurrency,
  ];
  const open = [...upstreams].filter(({ active, engine }) => active < engine.concurrency);
  const ranked = open.map((upstream) => ({ upstream, rank: rank(upstream) }));
  ranked.sort((a, b) => a.rank.map((value, at) => value - b.rank[at]!).find((order) => order !== 0) ?? 0);
  return ranked[0]?.upstream;
}
