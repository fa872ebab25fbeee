// ChatProvider: generates answers, as an engine on another machine or a model in this process.

import type { Refusal } from "../refusal.ts";
import type { ChatRequest } from "../requests/chat-request.ts";
import type { EmbeddingRequest } from "../requests/embedding-request.ts";
import type { TextRequest } from "../requests/text-request.ts";
import type { TrainedModel } from "./trained-models.ts";

/** A call to a provider. */
export interface EngineCall<Request> {
  /** The catalogue ID of the base model. */
  readonly model: string;
  /** The trained model to answer with; absent for the base model itself. Its checkpoint is always present. */
  readonly trained?: TrainedModel;
  /** The client's request, with the changes described for each kind of call. */
  readonly request: Request;
}

/**
 * A chat. Log-probabilities are requested if the answer needs them, with tokens as `token_id:<n>`
 * (`return_tokens_as_token_ids`) for a trained model unless the client chose otherwise.
 */
export type ChatCall = EngineCall<ChatRequest>;

/** Texts to continue. */
export type TextCall = EngineCall<TextRequest>;

/** Texts to embed. */
export type EmbeddingCall = EngineCall<EmbeddingRequest>;

/**
 * A chunk in the chat-completion-chunk format as the engine sent it: any field may be missing or wrong. `usage` counts
 * from the start of the answer; the last one counts.
 */
export interface EngineChunk {
  /** A list of choices, each with a `delta`; with a `message`, if the engine does not stream; or with a `text`. */
  readonly choices?: unknown;
  /** `prompt_tokens` and `completion_tokens`. */
  readonly usage?: unknown;
  /** Anything but null means that the engine failed. */
  readonly error?: unknown;
  /** Passed on. */
  readonly [field: string]: unknown;
}

/**
 * An event of a provider: pieces of the answer, at least one, where pieces that are ready together come in one event;
 * or a refusal, which is the last event.
 */
export type EngineEvent =
  | { readonly type: "chunks"; readonly chunks: readonly EngineChunk[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/**
 * Generates answers. It decides nothing about form, accounting or names: that is done once, for every provider. Laws:
 * `chatProviderLaws`.
 */
export interface ChatProvider {
  /**
   * The answer in pieces, always streamed; returning before each choice has a finish reason means that it broke off.
   * Throws a `Fault` if the engine fails, `cancelled` soon after `signal` aborts. It works only as fast as it is read.
   * Stopping early (`return`) ends the engine's work too.
   */
  chat(call: ChatCall, signal: AbortSignal): AsyncIterable<EngineEvent>;

  /**
   * The continuations of texts, like `chat`, in chunks of the text-completion format: choices with a `text`. Absent:
   * its models continue no texts.
   */
  continueText?(call: TextCall, signal: AbortSignal): AsyncIterable<EngineEvent>;

  /**
   * The embeddings of texts, like `chat`, all in one chunk: `data` and `usage`. Absent: its models make no embeddings.
   */
  embed?(call: EmbeddingCall, signal: AbortSignal): AsyncIterable<EngineEvent>;
}
