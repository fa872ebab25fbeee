/**
 * Chat completions over any engine: names, dispatch, strict streams, exact usage, limits and keys. Engines and stores
 * are ports, and `./laws` checks their implementations.
 *
 * @packageDocumentation
 */
export { type ApiKey, createApiKey, KEY_BYTES } from "./api-key.ts";
export { type Catalogue, type CatalogueModel, catalogueOf } from "./catalogue.ts";
export type { ChatChunk } from "./chat-chunk.ts";
export type { ChatMessage, ChatRequest } from "./chat-request.ts";
export { type ChatCompletion, completeChat } from "./complete.ts";
export { answerChat, type Caller, type Inference } from "./dispatch.ts";
export { findApiKey } from "./find-api-key.ts";
export { type LimitOptions, requestLimits } from "./limits.ts";
export { memoryKeyStore } from "./memory-key-store.ts";
export { memoryTrainedModels } from "./memory-trained-models.ts";
export { memoryUsage } from "./memory-usage.ts";
export { evaluationsOfModel } from "./model-evaluations.ts";
export type { ChatCall, ChatProvider, EmbeddingCall, EngineEvent, TextCall } from "./ports/chat-provider.ts";
export type { KeyStore } from "./ports/key-store.ts";
export type { TrainedModel, TrainedModels } from "./ports/trained-models.ts";
export type { UpstreamModel } from "./ports/upstream-engine.ts";
export type { UsageSink, UsageSource } from "./ports/usage-ledger.ts";
export type { Prices } from "./prices.ts";
export type { Refusal } from "./refusal.ts";
export type { EnginePool, UpstreamOptions } from "./upstreams/engine-pool.ts";
export type { UsageQuery, UsageRecord, UsageRow } from "./usage.ts";
