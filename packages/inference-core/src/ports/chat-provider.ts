// ChatProvider: makes the answers. An engine on another machine, or a model in this process.

import type { ChatRequest } from "../chat-request.ts";
import type { EmbeddingRequest } from "../embeddings/embedding-request.ts";
import type { Refusal } from "../refusal.ts";
import type { TextRequest } from "../text-completions/text-request.ts";
import type { TrainedModel } from "./trained-models.ts";

/** What a provider is asked. */
export interface EngineCall<Request> {
  /** The catalogue id of the base model. */
  readonly model: string;
  /** The trained model to answer with; absent for the base model itself. Its checkpoint is always there. */
  readonly trained?: TrainedModel;
  /** As the client sent it, but for what a kind of call says. */
  readonly request: Request;
}

/**
 * A chat. Log-probabilities are asked for when the answer must have them, and their tokens as `token_id:<n>`
 * (`return_tokens_as_token_ids`) when they are a trained model's and the client did not say.
 */
export type ChatCall = EngineCall<ChatRequest>;

/** Texts to continue. */
export type TextCall = EngineCall<TextRequest>;

/** Texts to embed. */
export type EmbeddingCall = EngineCall<EmbeddingRequest>;

/**
 * A chunk in the chat-completion-chunk format, as the engine said it: any field may be missing or wrong. `usage`
 * counts from the beginning of the answer; the last one seen is believed.
 */
export interface EngineChunk {
  /** A list of choices, each with a `delta`; with a `message`, when the engine does not stream; or with a `text`. */
  readonly choices?: unknown;
  /** `prompt_tokens` and `completion_tokens`. */
  readonly usage?: unknown;
  /** Anything but null means that the engine failed. */
  readonly error?: unknown;
  /** Passed on. */
  readonly [field: string]: unknown;
}

/**
 * An event of a provider: pieces of the answer, at least one, with pieces that are ready together in one event; or a
 * refusal, after which nothing comes.
 */
export type EngineEvent =
  | { readonly type: "chunks"; readonly chunks: readonly EngineChunk[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/**
 * Makes answers. Decides nothing about form, accounting or names: that is done once, for every provider.
 * Laws: `chatProviderLaws`.
 */
export interface ChatProvider {
  /**
   * The answer, in pieces, always streamed; returning without a finish reason for each choice means that it broke
   * off. Throws a `Fault` when the engine fails, `cancelled` soon after `signal` aborts. Works only as fast as it
   * is read. Stopping to read early (`return`) ends the engine's work too.
   */
  chat(call: ChatCall, signal: AbortSignal): AsyncIterable<EngineEvent>;

  /**
   * The continuations of texts, as `chat`, in chunks of the text-completion format: choices with a `text`. Absent: its
   * models continue none.
   */
  continueText?(call: TextCall, signal: AbortSignal): AsyncIterable<EngineEvent>;

  /** The embeddings of texts, as `chat`, all in one chunk: `data` and `usage`. Absent: its models make none. */
  embed?(call: EmbeddingCall, signal: AbortSignal): AsyncIterable<EngineEvent>;
}
