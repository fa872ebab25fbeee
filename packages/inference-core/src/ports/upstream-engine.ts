// UpstreamEngine: one of several engines that serve the same models. Its caller decides which of them to use.

import type { ChatRequest } from "../chat-request.ts";
import type { EmbeddingRequest } from "../embeddings/embedding-request.ts";
import type { TextRequest } from "../text-completions/text-request.ts";
import type { EngineEvent } from "./chat-provider.ts";

/** What a model is asked for: conversations, bare texts to continue, embeddings. */
export type Endpoint = "chat" | "completions" | "embeddings";

/** Every endpoint. */
export const ENDPOINTS: readonly Endpoint[] = ["chat", "completions", "embeddings"];

/** A model that an engine serves. */
export interface UpstreamModel {
  /** What clients write: `org/model`. */
  readonly id: string;
  /** What the engine calls it. */
  readonly engineName: string;
  /** What it is asked for there. Default: `chat` and `completions`. */
  readonly serves?: readonly Endpoint[];
}

/** Loads and unloads adapters in an engine. Both throw a `Fault` when it did not happen. Laws: `adapterLoaderLaws`. */
export interface AdapterLoader {
  /** Loads the adapter in the directory `path`, as the engine calls it. One of that name that is loaded is that adapter. */
  load(name: string, path: string): Promise<void>;
  /** Unloads an adapter; succeeds when it is not loaded. */
  unload(name: string): Promise<void>;
}

/** An engine. Says what it can, and answers when it is asked; decides nothing. Laws: `upstreamEngineLaws`. */
export interface UpstreamEngine {
  /** What people call it. */
  readonly name: string;
  /** Requests that it is given at once. */
  readonly concurrency: number;
  /** What it serves. */
  readonly models: readonly UpstreamModel[];
  /** LoRA adapters: how many fit at once, and who loads them. Absent: it serves no trained models. */
  readonly adapters?: { readonly slots: number; readonly loader: AdapterLoader } | undefined;
  /** The answer of the model or adapter that the engine calls `name`, as `ChatProvider.chat`. */
  chat(name: string, request: ChatRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** The continuations of texts, as `ChatProvider.continueText`. */
  continueText?(name: string, request: TextRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** The embeddings of texts, as `ChatProvider.embed`. */
  embed?(name: string, request: EmbeddingRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
}
