// Failover: chooses which of several engines answers a call, and tries another one if it fails.

import { Fault } from "@assay/base";
import type { CatalogueModel } from "../models/catalogue.ts";
import type { ChatProvider, EngineCall, EngineEvent } from "../ports/chat-provider.ts";
import type { TrainedModel } from "../ports/trained-models.ts";
import type { Endpoint, UpstreamEngine, UpstreamModel } from "../ports/upstream-engine.ts";
import { type Refusal, type RefusalCode, unsupported } from "../refusal.ts";
import type { ChatRequest } from "../requests/chat-request.ts";
import type { EmbeddingRequest } from "../requests/embedding-request.ts";
import type { TextRequest } from "../requests/text-request.ts";
import { type AdapterSlots, adapterName, adapterSlots } from "./adapter-slots.ts";
import { type Health, health } from "./health.ts";

/** Options for upstreams. */
export interface UpstreamOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Puts the files of a checkpoint where engines can read them, and resolves to that directory as engines see it.
   * Required if an upstream has LoRA slots.
   */
  readonly placeAdapter?: (model: TrainedModel) => Promise<string>;
  /**
   * Further headers of a request to an engine, computed when it is sent, such as those that continue a trace. Default:
   * none.
   */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** The state of an upstream. */
interface UpstreamReport {
  /** Its name for people. */
  readonly name: string;
  /** Whether its last request succeeded. */
  readonly healthy: boolean;
  /** The number of running requests. */
  readonly active: number;
}

/** Several engines combined. */
export interface EnginePool {
  /** The models they serve, in the given order. */
  readonly models: readonly CatalogueModel[];
  /** The state of each of them, in the given order. */
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

/** Combines engines. Nothing is called before the first request. */
export function enginePool(engines: readonly UpstreamEngine[], options: UpstreamOptions): EnginePool {
  const { now, placeAdapter } = options;
  const upstreams = engines.map((engine): Upstream => {
    const { name, adapters } = engine;
    if (adapters !== undefined && placeAdapter === undefined) {
      throw new Error(`upstream ${name} has LoRA slots, but no adapter loader is set`);
    }
    const slots = adapters === undefined ? undefined : adapterSlots(adapters.loader, adapters.slots);
    return { engine, health: health(now), adapters: slots, active: 0 };
  });

  const askAdapter: Ask = (upstream, say, call, signal) =>
    withAdapter(upstream, say, call, signal, placeAdapter);

  const ids = [...new Set(engines.flatMap(({ models }) => models.map(({ id }) => id)))];
  return {
    models: ids.map((id) => {
      const training = upstreams.filter(({ adapters }) => adapters !== undefined);
      const trains = training.some(({ engine }) => serves(engine, id, "chat"));
      return {
        id,
        provider: providerOf(upstreams, id, askModel),
        ...(trains && { trainedProvider: providerOf(training, id, askAdapter) }),
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

/** Calls an upstream among `upstreams` that serves this for the model `id`. */
function providerOf(upstreams: readonly Upstream[], id: string, ask: Ask): ChatProvider {
  const serving = (endpoint: Endpoint) => upstreams.filter(({ engine }) => serves(engine, id, endpoint));
  const [chatting, continuing, embedding] = [serving("chat"), serving("completions"), serving("embeddings")];
  return {
    async *chat(call, signal) {
      if (chatting.length === 0)
        yield { type: "refused", refusal: unsupported(id, "answer chats", chatters(upstreams)) };
      else yield* firstThatAnswers(chatting, call, (upstream) => ask(upstream, sayChat, call, signal));
    },
    ...(continuing.length > 0 && {
      continueText: (call, signal) =>
        firstThatAnswers(continuing, call, (upstream) => ask(upstream, sayText, call, signal)),
    }),
    ...(embedding.length > 0 && {
      embed: (call, signal) =>
        firstThatAnswers(embedding, call, (upstream) => ask(upstream, sayEmbeddings, call, signal)),
    }),
  };
}

/** The models that answer chats. */
function chatters(upstreams: readonly Upstream[]): readonly string[] {
  const ids = upstreams.flatMap(({ engine }) =>
    engine.models.filter(({ id }) => serves(engine, id, "chat")).map(({ id }) => id),
  );
  return [...new Set(ids)];
}

const SERVES: readonly Endpoint[] = ["chat", "completions"];

/** The engine's name for the model `id`, and the endpoints that it serves for it. */
function modelOf({ models }: UpstreamEngine, id: string): UpstreamModel | undefined {
  return models.find((model) => model.id === id);
}

function serves(engine: UpstreamEngine, id: string, endpoint: Endpoint): boolean {
  const able = { chat: true, completions: engine.continueText, embeddings: engine.embed }[endpoint];
  const model = modelOf(engine, id);
  return model !== undefined && able !== undefined && (model.serves ?? SERVES).includes(endpoint);
}

/** Requests one kind of answer from an engine's model `name`. */
type Say<Request> = (
  engine: UpstreamEngine,
  name: string,
  request: Request,
  signal: AbortSignal,
) => AsyncIterable<EngineEvent>;

const sayChat: Say<ChatRequest> = (engine, name, request, signal) => engine.chat(name, request, signal);
// Only called for engines that have these methods.
const sayText: Say<TextRequest> = (engine, name, request, signal) =>
  engine.continueText!(name, request, signal);
const sayEmbeddings: Say<EmbeddingRequest> = (engine, name, request, signal) =>
  engine.embed!(name, request, signal);

/** Calls one upstream, with its engine's name for the model. */
type Ask = <Request>(
  upstream: Upstream,
  say: Say<Request>,
  call: EngineCall<Request>,
  signal: AbortSignal,
) => AsyncIterable<EngineEvent>;

const askModel: Ask = ({ engine }, say, { model, request }, signal) => {
  const name = modelOf(engine, model)?.engineName;
  if (name === undefined) throw new Error(`upstream ${engine.name} does not serve ${model}`);
  return say(engine, name, request, signal);
};

/** Calls an upstream for a trained model: its adapter stays loaded from before the request until after the answer. */
async function* withAdapter<Request>(
  { engine, adapters }: Upstream,
  say: Say<Request>,
  { trained, request }: EngineCall<Request>,
  signal: AbortSignal,
  place: UpstreamOptions["placeAdapter"],
): AsyncGenerator<EngineEvent, void> {
  if (adapters === undefined || trained === undefined || place === undefined)
    throw new Error("the model has no adapter");
  const name = adapterName(trained);
  for (let again = true; ; again = false) {
    const use = await adapters.use(name, () => place(trained));
    let lost = false;
    try {
      for await (const event of say(engine, name, request, signal)) {
        // A restarted engine has no adapters, and reports that the model does not exist.
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
 * The answer of the first upstream that has one. Another is tried only before anything was answered, and each at most
 * once: healthy ones first, then those with the most free capacity.
 */
async function* firstThatAnswers(
  candidates: readonly Upstream[],
  call: EngineCall<unknown>,
  ask: (upstream: Upstream) => AsyncIterable<EngineEvent>,
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
      for await (const event of ask(upstream)) {
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
      if (!refused) throw new Fault("unavailable", "the engine closed the connection before it answered");
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

/**
 * The upstream to call: a healthy one, with the adapter loaded, with the most free capacity. Undefined if all are
 * full.
 */
function best(upstreams: Iterable<Upstream>, { trained }: EngineCall<unknown>): Upstream | undefined {
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
