/**
 * Chat completions over any engine: names, dispatch, strict streams, exact usage, limits and keys. Engines and stores
 * are ports, and `./laws` checks their implementations.
 *
 * @packageDocumentation
 */

export type { ChatChunk } from "./chat/chat-chunk.ts";
export { type ChatCompletion, completeChat } from "./chat/complete.ts";
export { answerChat, type Caller, type Inference } from "./dispatch/dispatch.ts";
export { type ApiKey, createApiKey, KEY_BYTES } from "./keys/api-key.ts";
export { findApiKey } from "./keys/find-api-key.ts";
export type { KeyStore } from "./keys/key-store.ts";
export { memoryKeyStore } from "./keys/memory-key-store.ts";
export { type Catalogue, type CatalogueModel, catalogueOf } from "./models/catalogue.ts";
export { memoryTrainedModels } from "./models/memory-trained-models.ts";
export { evaluationsOfModel } from "./models/model-evaluations.ts";
export type { ChatCall, ChatProvider, EmbeddingCall, EngineEvent, TextCall } from "./ports/chat-provider.ts";
export type { TrainedModel, TrainedModels } from "./ports/trained-models.ts";
export type { UpstreamModel } from "./ports/upstream-engine.ts";
export type { Refusal } from "./refusal.ts";
export type { ChatMessage, ChatRequest } from "./requests/chat-request.ts";
export type { EnginePool, UpstreamOptions } from "./upstreams/engine-pool.ts";
export { type LimitOptions, requestLimits } from "./usage/limits.ts";
export { memoryUsage } from "./usage/memory-usage.ts";
export type { Prices } from "./usage/prices.ts";
export type { UsageQuery, UsageRecord, UsageRow } from "./usage/usage.ts";
export type { UsageSink, UsageSource } from "./usage/usage-ledger.ts";
