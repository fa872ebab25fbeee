// UpstreamEngine: one of several engines that serve the same models. Its caller decides which of them to use.

import type { ChatRequest } from "../requests/chat-request.ts";
import type { EmbeddingRequest } from "../requests/embedding-request.ts";
import type { TextRequest } from "../requests/text-request.ts";
import type { EngineEvent } from "./chat-provider.ts";

/** The endpoints of a model: chats, text completions, embeddings. */
export type Endpoint = "chat" | "completions" | "embeddings";

/** Every endpoint. */
export const ENDPOINTS: readonly Endpoint[] = ["chat", "completions", "embeddings"];

/** A model that an engine serves. */
export interface UpstreamModel {
  /** Its name for clients: `org/model`. */
  readonly id: string;
  /** Its name in the engine. */
  readonly engineName: string;
  /** The endpoints that it serves. Default: `chat` and `completions`. */
  readonly serves?: readonly Endpoint[];
}

/** Loads and unloads adapters in an engine. Both throw a `Fault` on failure. Laws: `adapterLoaderLaws`. */
export interface AdapterLoader {
  /**
   * Loads the adapter in the directory `path`, as the engine sees it. If an adapter with this name is loaded, it must
   * be the same one.
   */
  load(name: string, path: string): Promise<void>;
  /** Unloads an adapter; succeeds if it is not loaded. */
  unload(name: string): Promise<void>;
}

/** An engine. It states what it serves, and answers calls; it decides nothing. Laws: `upstreamEngineLaws`. */
export interface UpstreamEngine {
  /** Its name for people. */
  readonly name: string;
  /** The most concurrent requests to send it. */
  readonly concurrency: number;
  /** The models it serves. */
  readonly models: readonly UpstreamModel[];
  /** LoRA adapters: how many can be loaded concurrently, and their loader. Absent: it serves no trained models. */
  readonly adapters?: { readonly slots: number; readonly loader: AdapterLoader } | undefined;
  /** The answer of the model or adapter that the engine calls `name`, like `ChatProvider.chat`. */
  chat(name: string, request: ChatRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** The continuations of texts, like `ChatProvider.continueText`. */
  continueText?(name: string, request: TextRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** The embeddings of texts, like `ChatProvider.embed`. */
  embed?(name: string, request: EmbeddingRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
}
