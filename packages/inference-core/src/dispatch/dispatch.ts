// Dispatches requests: each becomes a strict stream, is limited, and is counted exactly once, however it ends.

import { Fault } from "@assay/base";
import type { ChatChunk } from "../chat/chat-chunk.ts";
import { interruptedStream } from "../chat/stream-faults.ts";
import type { Catalogue } from "../models/catalogue.ts";
import { printTrainedModelName } from "../models/model-name.ts";
import { type Allows, resolveModel, type Target } from "../models/resolve.ts";
import { type EmbeddingList, embeddingNormaliser } from "../normalise/embedding-list.ts";
import { normaliser } from "../normalise/normalise.ts";
import type { Normaliser } from "../normalise/normalise-chunks.ts";
import { type TextCompletion, textNormaliser } from "../normalise/text-chunk.ts";
import type { EngineCall, EngineChunk, EngineEvent } from "../ports/chat-provider.ts";
import type { TrainedModels, Version } from "../ports/trained-models.ts";
import { type Refusal, unknownModel, unsupported } from "../refusal.ts";
import type { ChatRequest } from "../requests/chat-request.ts";
import type { EmbeddingRequest } from "../requests/embedding-request.ts";
import { measureTexts, type TextRequest } from "../requests/text-request.ts";
import type { Limits, Rates, UsageSubject } from "../usage/limits.ts";
import { estimatePromptTokens } from "../usage/prompt-estimate.ts";
import type { UsageOutcome } from "../usage/usage.ts";
import type { UsageSink } from "../usage/usage-ledger.ts";

/** The dependencies of dispatch. */
export interface Inference {
  /** The models by ID. */
  readonly catalogue: Catalogue;
  /** Finds trained models. */
  readonly trainedModels: TrainedModels;
  /** Limits concurrent requests and rates. */
  readonly limits: Limits;
  /** Records the usage of each answer. */
  readonly usage: UsageSink;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Creates a unique ID. */
  readonly newId: () => string;
}

/** The caller. */
export interface Caller {
  /** The id of the API key. */
  readonly key: string;
  /** Whose usage it is. Absent: the project of the trained model, or else `UNATTRIBUTED`. */
  readonly attribution?: Project;
  /** Which projects it may see. */
  readonly allows: Allows;
}

/** A project of an entity. */
export interface Project {
  /** A team or user. */
  readonly entity: string;
  /** The name of one of its projects. */
  readonly project: string;
}

/** The default user for usage. */
const UNATTRIBUTED: Project = { entity: "default", project: "default" };

/** An answer that has started, or why there is none. */
export type Reply<Chunk> =
  | { readonly ok: true; readonly chunks: ReplyStream<Chunk>; readonly rates: Rates }
  | { readonly ok: false; readonly refusal: Refusal; readonly rates?: Rates };

/**
 * The chunks of an answer as they arrive; chunks that are ready together come in one list, which is never empty. Read
 * it once and to the end, or stop it with `return`. A thrown `Fault` means that the answer is incomplete.
 */
export type ReplyStream<Chunk> = AsyncIterableIterator<readonly Chunk[]>;

/** The answer of a chat, or why there is none. */
export type ChatReply = Reply<ChatChunk>;

/** The chunks of a chat. */
export type ChatStream = ReplyStream<ChatChunk>;

/**
 * Starts an answer: it resolves when the first chunks are ready, so that earlier failures are a refusal or a thrown
 * `Fault` and not half an answer. Aborting `signal` ends the engine's work.
 */
export function answerChat(
  inference: Inference,
  caller: Caller,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatReply> {
  return begin(inference, caller, request, signal, (target, common) => {
    const { provider, trained } = target;
    // The answers of a trained model become training data, which needs the log-probabilities of its tokens.
    const logprobs = request.logprobs ?? (trained !== undefined || (request.top_logprobs ?? 0) > 0);
    const asked = logprobs
      ? { ...(trained !== undefined && TOKENS_BY_NUMBER), ...request, logprobs }
      : request;
    const choices = request.n ?? 1;
    const estimatePrompt = () => estimatePromptTokens(request);
    return {
      prefix: "chatcmpl",
      answer: (id) =>
        normaliser({ ...common, id, choices, logprobs, estimatePrompt, usage: usageMode(request) }),
      events: () => provider.chat(callOf(target, asked), signal),
    };
  });
}

/** Starts continuations of texts, in the same way as `answerChat`. `completeText` collects them. */
export function continueText(
  inference: Inference,
  caller: Caller,
  request: TextRequest,
  signal: AbortSignal,
): Promise<Reply<TextCompletion>> {
  return begin(inference, caller, request, signal, (target, common) => {
    const { provider } = target;
    if (provider.continueText === undefined)
      return lacks(inference, request.model, "continueText", "continue bare texts");
    const { texts, tokens } = measureTexts(request.prompt);
    const choices = texts * (request.n ?? 1);
    const estimatePrompt = () => tokens;
    return {
      prefix: "cmpl",
      answer: (id) => textNormaliser({ ...common, id, choices, estimatePrompt, usage: usageMode(request) }),
      events: () => provider.continueText!(callOf(target, request), signal),
    };
  });
}

/** Starts the embeddings of texts, in the same way as `answerChat`; they arrive in one chunk. */
export function embed(
  inference: Inference,
  caller: Caller,
  request: EmbeddingRequest,
  signal: AbortSignal,
): Promise<Reply<EmbeddingList>> {
  return begin(inference, caller, request, signal, (target, { model }) => {
    const { provider } = target;
    if (provider.embed === undefined) return lacks(inference, model, "embed", "make embeddings");
    const { texts, tokens } = measureTexts(request.input);
    return {
      prefix: "embd",
      answer: () => embeddingNormaliser({ model, texts, estimatePrompt: () => tokens }),
      events: () => provider.embed!(callOf(target, request), signal),
    };
  });
}

/**
 * The refusal of a capability that the model's provider does not offer, with the models of the catalogue that have it.
 */
function lacks(
  { catalogue }: Inference,
  model: string,
  method: "continueText" | "embed",
  what: string,
): Refusal {
  const able = [...catalogue.keys()].filter((id) => catalogue.get(id)?.provider[method] !== undefined);
  return unsupported(model, what, able);
}

function callOf<Request>({ model, trained }: Target, request: Request): EngineCall<Request> {
  return { model, request, ...(trained?.checkpoint !== undefined && { trained }) };
}

/** The common options of all normalisers. */
interface Common {
  readonly created: number;
  readonly model: string;
  readonly newId: () => string;
}

/** How to request and read one kind of answer. */
interface Kind<Chunk> {
  /** The prefix of the answer's ID. */
  readonly prefix: string;
  readonly answer: (id: string) => Normaliser<Chunk>;
  readonly events: () => AsyncIterable<EngineEvent>;
}

/** Fields of every request. */
interface AnyRequest {
  readonly model: string;
  readonly stream?: boolean | null;
  readonly user?: string | null;
}

async function begin<Chunk>(
  inference: Inference,
  caller: Caller,
  request: AnyRequest,
  signal: AbortSignal,
  kindOf: (target: Target, common: Common) => Kind<Chunk> | Refusal,
): Promise<Reply<Chunk>> {
  const { catalogue, trainedModels, limits, now, newId } = inference;
  const { model } = request;
  const target = await resolveModel(catalogue, trainedModels, model, caller.allows);
  if (target === undefined) return refused(unknownModel(catalogue.keys()));
  const kind = kindOf(target, { created: Math.floor(now() / 1000), model, newId });
  if ("code" in kind) return refused(kind);
  const { entity, project } = caller.attribution ?? target.trained ?? UNATTRIBUTED;
  const asker: UsageSubject = { key: caller.key, entity, project };
  const admission = limits.begin(asker);
  const { rates } = admission;
  if (!admission.ok) return { ...refused(admission.refusal), rates };
  const answer = metered(inference, asker, { target, request, kind, signal, end: admission.end });
  const first = await answer.next();
  if (!first.done) return { ok: true, chunks: resumed(first.value, answer), rates };
  if (first.value === undefined) throw new Error("an answer ended before it began");
  return { ...refused(first.value), rates };
}

function refused(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/** A stream whose first chunks were already read. */
function resumed<Chunk>(
  first: readonly Chunk[],
  rest: AsyncGenerator<readonly Chunk[], unknown>,
): ReplyStream<Chunk> {
  let held: readonly Chunk[] | undefined = first;
  return {
    async next() {
      if (held === undefined) {
        const result = await rest.next();
        return result.done ? { done: true, value: undefined } : result;
      }
      const value = held;
      held = undefined;
      return { done: false, value };
    },
    async return() {
      held = undefined;
      await rest.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** An answer to count. */
interface Metered<Chunk> {
  readonly target: Target;
  readonly request: AnyRequest;
  readonly kind: Kind<Chunk>;
  readonly signal: AbortSignal;
  /** Ends the request for its limits, with the tokens that it took. */
  readonly end: (tokens: number) => void;
}

/**
 * Counts an answer. Returns a refusal if the engine refused before the first chunk. Code after a `yield` runs when the
 * next chunks are requested, so chunks after which the reader stopped do not count as delivered.
 */
async function* metered<Chunk>(
  inference: Inference,
  asker: UsageSubject,
  { target, request, kind, signal, end }: Metered<Chunk>,
): AsyncGenerator<readonly Chunk[], Refusal | undefined> {
  const { newId, now } = inference;
  const id = `${kind.prefix}-${newId()}`;
  const streamed = request.stream === true;
  const answer = kind.answer(id);
  const { model, trained } = target;

  let outcome: UsageOutcome = "aborted";
  let began = false;
  let delivered = 0;
  try {
    for await (const event of unlessWhole(kind.events(), answer)) {
      if (event.type === "refused") {
        outcome = "failed";
        if (!began) return event.refusal;
        throw interruptedStream();
      }
      const { chunks, completion, error } = pushAll(answer, event.chunks);
      if (chunks.length > 0) {
        began = true;
        yield chunks;
      }
      delivered = completion;
      if (error !== undefined) throw error;
    }
    const last = answer.end();
    outcome = "complete";
    if (last.length > 0) yield last;
    return undefined;
  } catch (error) {
    outcome = signal.aborted ? "aborted" : "failed";
    throw Fault.from(error, "unavailable", "the engine failed");
  } finally {
    const { prompt, cached, completion, byEngine } = answer.count();
    const reached = began || outcome === "aborted";
    end((reached ? prompt : 0) + completion);
    await inference.usage.record({
      id,
      at: now(),
      ...asker,
      user: request.user ?? null,
      model: trained === undefined ? model : printTrainedModelName({ ...trained, version: LATEST }),
      step: trained?.step ?? null,
      streamed,
      outcome,
      promptTokens: reached ? prompt : 0,
      ...(reached && cached > 0 && { cachedTokens: cached }),
      generatedTokens: completion,
      deliveredTokens: outcome === "complete" ? completion : streamed ? delivered : 0,
      counted: byEngine || !reached ? "engine" : "estimate",
    });
  }
}

/** Processes chunks that came together: all of them, or those before the one with an `error`. */
function pushAll<Chunk>(answer: Normaliser<Chunk>, from: readonly EngineChunk[]) {
  const chunks: Chunk[] = [];
  let completion = answer.completion();
  try {
    for (const chunk of from) {
      chunks.push(...answer.push(chunk));
      completion = answer.completion();
    }
  } catch (error) {
    return { chunks, completion, error };
  }
  return { chunks, completion };
}

/** Training needs to know the token IDs, because several tokens can have the same text. The name comes from vLLM. */
const TOKENS_BY_NUMBER = { return_tokens_as_token_ids: true };

const LATEST: Version = { kind: "latest" };

/** The events of an engine. An interruption after the last finish reason is ignored: the answer is complete. */
async function* unlessWhole(
  events: AsyncIterable<EngineEvent>,
  answer: Normaliser<unknown>,
): AsyncGenerator<EngineEvent, void> {
  try {
    yield* events;
  } catch (error) {
    if (!answer.isWhole()) throw error;
  }
}

function usageMode({
  stream,
  stream_options: options,
}: ChatRequest | TextRequest): "none" | "last" | "every" {
  // A whole answer always includes its usage.
  if (stream !== true) return "last";
  if (options === undefined || options === null || options.include_usage === false) return "none";
  return options.continuous_usage_stats === true ? "every" : "last";
}
