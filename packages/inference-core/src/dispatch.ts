// Dispatch: a request becomes a strict stream, is limited, and is counted once however it ends.

import { Fault } from "@assay/base";
import type { Catalogue } from "./catalogue.ts";
import type { ChatChunk } from "./chat-chunk.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Asker, Limits } from "./limits.ts";
import { printTrainedModelName } from "./model-name.ts";
import { brokenOff } from "./nonsense.ts";
import { type Normaliser, normaliser } from "./normalise.ts";
import type { ChatCall, EngineChunk, EngineEvent } from "./ports/chat-provider.ts";
import type { TrainedModels, Version } from "./ports/trained-models.ts";
import type { UsageSink } from "./ports/usage-ledger.ts";
import { estimatePromptTokens } from "./prompt-estimate.ts";
import { type Refusal, unknownModel } from "./refusal.ts";
import { type Allows, resolveModel, type Target } from "./resolve.ts";
import type { UsageOutcome } from "./usage.ts";

/** What dispatch works with. */
export interface Inference {
  /** The models that can be asked by id. */
  readonly catalogue: Catalogue;
  /** Finds trained models. */
  readonly trainedModels: TrainedModels;
  /** Says when there are too many requests at once. */
  readonly limits: Limits;
  /** Where each answer is counted. */
  readonly usage: UsageSink;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Makes an id that was never given out before. */
  readonly newId: () => string;
}

/** Who asks. */
export interface Caller {
  /** The id of the API key. */
  readonly key: string;
  /** Whom usage counts for. Absent: the project of the trained model, or else `UNATTRIBUTED`. */
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

/** Whom usage counts for when nobody says. */
export const UNATTRIBUTED: Project = { entity: "default", project: "default" };

/** An answer that has begun, or why there is none. */
export type ChatReply =
  | { readonly ok: true; readonly chunks: ChatStream }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * The chunks of an answer as they come, those that are there together in one list, which is not empty. To be read once
 * and to the end, or given up with `return`. A thrown `Fault` means that the answer is not whole.
 */
export type ChatStream = AsyncIterableIterator<readonly ChatChunk[]>;

/**
 * Begins an answer: it resolves with the first chunks at hand, so that whatever is wrong until then is a refusal or a
 * thrown `Fault` and not half an answer. Aborting `signal` ends the engine's work.
 */
export async function chat(
  inference: Inference,
  caller: Caller,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatReply> {
  const target = await resolveModel(
    inference.catalogue,
    inference.trainedModels,
    request.model,
    caller.allows,
  );
  if (target === undefined) return refused(unknownModel(inference.catalogue.keys()));
  const { entity, project } = caller.attribution ?? target.trained ?? UNATTRIBUTED;
  const asker: Asker = { key: caller.key, entity, project };
  const release = inference.limits.begin(asker);
  if (release === undefined) {
    return refused({ code: "limited", message: "Concurrency limit reached for requests", retryAfter: 1 });
  }
  const answer = metered(inference, asker, target, request, signal, release);
  const first = await answer.next();
  if (!first.done) return { ok: true, chunks: resumed(first.value, answer) };
  if (first.value === undefined) throw new Error("an answer ended before it began");
  return refused(first.value);
}

function refused(refusal: Refusal): ChatReply {
  return { ok: false, refusal };
}

/** A stream whose first chunks were read already. */
function resumed(
  first: readonly ChatChunk[],
  rest: AsyncGenerator<readonly ChatChunk[], unknown>,
): ChatStream {
  let held: readonly ChatChunk[] | undefined = first;
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

/**
 * The answer, counted. Returns a refusal when the engine refused before the first chunk. What stands after a `yield`
 * runs when the next chunks are asked for: chunks that nobody came back from do not count as delivered.
 */
async function* metered(
  inference: Inference,
  asker: Asker,
  target: Target,
  request: ChatRequest,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<readonly ChatChunk[], Refusal | undefined> {
  const { newId, now } = inference;
  const id = `chatcmpl-${newId()}`;
  const streamed = request.stream === true;
  // Answers of a trained model are what it is trained on next: training needs the log-probabilities of its tokens.
  const logprobs = request.logprobs ?? target.trained !== undefined;
  const answer = normaliser({
    id,
    created: Math.floor(now() / 1000),
    model: request.model,
    choices: request.n ?? 1,
    logprobs,
    usage: usageWanted(request),
    newId,
    estimatePrompt: () => estimatePromptTokens(request),
  });
  const { provider, model, trained } = target;
  const call: ChatCall = {
    model,
    request: logprobs ? { ...(trained !== undefined && TOKENS_BY_NUMBER), ...request, logprobs } : request,
    ...(trained?.checkpoint !== undefined && { trained }),
  };

  let outcome: UsageOutcome = "aborted";
  let began = false;
  let delivered = 0;
  try {
    for await (const event of unlessWhole(provider.chat(call, signal), answer)) {
      if (event.type === "refused") {
        outcome = "failed";
        if (!began) return event.refusal;
        throw brokenOff();
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
    release();
    const { prompt, completion, byEngine } = answer.count();
    const reached = began || outcome === "aborted";
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
      generatedTokens: completion,
      deliveredTokens: outcome === "complete" ? completion : streamed ? delivered : 0,
      counted: byEngine || !reached ? "engine" : "estimate",
    });
  }
}

/** What becomes of chunks that came together: of all, or of those before the one with an `error`. */
function pushAll(answer: Normaliser, from: readonly EngineChunk[]) {
  const chunks: ChatChunk[] = [];
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

/** Training needs to know which tokens they were, and several can have the same text. vLLM's name for it. */
const TOKENS_BY_NUMBER = { return_tokens_as_token_ids: true };

const LATEST: Version = { kind: "latest" };

/** The events of an engine. That it breaks off after the last finish reason changes nothing: the answer is whole. */
async function* unlessWhole(
  events: AsyncIterable<EngineEvent>,
  answer: Normaliser,
): AsyncGenerator<EngineEvent, void> {
  try {
    yield* events;
  } catch (error) {
    if (!answer.isWhole()) throw error;
  }
}

function usageWanted({ stream, stream_options: options }: ChatRequest): "none" | "last" | "every" {
  // A whole answer always says its usage.
  if (stream !== true) return "last";
  if (options === undefined || options === null || options.include_usage === false) return "none";
  return options.continuous_usage_stats === true ? "every" : "last";
}
