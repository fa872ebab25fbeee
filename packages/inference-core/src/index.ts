/**
 * Chat completions over any engine: names, dispatch, strict streams, exact usage, limits and keys. Engines and stores
 * come through ports, and `./laws` checks an implementation of one.
 *
 * @packageDocumentation
 */
export {
  type ApiKey,
  createApiKey,
  isUsable,
  KEY_BYTES,
  KEY_VERBS,
  type KeyScope,
  type KeyVerb,
  keyAllows,
  type NewApiKey,
} from "./api-key.ts";
export {
  type Catalogue,
  type CatalogueModel,
  catalogueOf,
} from "./catalogue.ts";
export type {
  ChatChunk,
  ChatDelta,
  ChoiceLogprobs,
  ChunkChoice,
  FinishReason,
  SampledLogprob,
  TokenLogprob,
  TokenUsage,
  ToolCallDelta,
} from "./chat-chunk.ts";
export type { ChatMessage, ChatPart, ChatRequest, StreamOptions } from "./chat-request.ts";
export {
  type AnswerChoice,
  type AnswerMessage,
  type ChatCompletion,
  complete,
  type ToolCall,
} from "./complete.ts";
export {
  type Caller,
  type ChatReply,
  chat,
  continueText,
  embed,
  type Inference,
  type Project,
  type Reply,
  type ReplyStream,
} from "./dispatch.ts";
export type { Embedding, EmbeddingList } from "./embeddings/embedding-list.ts";
export { type EmbeddingRequest, readEmbeddingRequest } from "./embeddings/embedding-request.ts";
export { findApiKey } from "./find-api-key.ts";
export { printFineTunedName } from "./fine-tuned-name.ts";
export { type KeyRequest, printKeyScope, readKeyRequest, readKeyScope } from "./key-request.ts";
export {
  type Admission,
  type Asker,
  type Limit,
  type LimitOptions,
  type Limits,
  type Rate,
  type Rates,
  requestLimits,
} from "./limits.ts";
export { memoryKeyStore } from "./memory-key-store.ts";
export { type ListedTrainedModel, memoryTrainedModels } from "./memory-trained-models.ts";
export { memoryUsage } from "./memory-usage.ts";
export { evaluationsOfModel, type ModelEvaluation } from "./model-evaluations.ts";
export { describeModel, type ListedModel, listModels, type ModelList } from "./model-list.ts";
export { type ModelName, readModelName } from "./model-name.ts";
export { normaliser } from "./normalise.ts";
export type { Normaliser, NormaliserOptions } from "./normalise-chunks.ts";
export type {
  ChatCall,
  ChatProvider,
  EmbeddingCall,
  EngineCall,
  EngineChunk,
  EngineEvent,
  TextCall,
} from "./ports/chat-provider.ts";
export type { KeyStore } from "./ports/key-store.ts";
export type {
  CheckpointFile,
  TrainedCheckpoint,
  TrainedModel,
  TrainedModelEntry,
  TrainedModelName,
  TrainedModels,
  Version,
} from "./ports/trained-models.ts";
export {
  type AdapterLoader,
  ENDPOINTS,
  type Endpoint,
  type UpstreamEngine,
  type UpstreamModel,
} from "./ports/upstream-engine.ts";
export type { UsageSink, UsageSource } from "./ports/usage-ledger.ts";
export { type PricedUsageRow, pricedUsage } from "./priced-usage.ts";
export { costOfUsage, type Price, type Prices, printDollars, readPrices } from "./prices.ts";
export { readChatRequest } from "./read-chat-request.ts";
export { type Refusal, type RefusalCode, unknownModel } from "./refusal.ts";
export type { Allows, Target } from "./resolve.ts";
export { readResponsesRequest } from "./responses/read-responses-request.ts";
export {
  type ResponseEvent,
  type ResponseEvents,
  type ResponseItem,
  type ResponseObject,
  type ResponseUsage,
  responseEvents,
} from "./responses/response-events.ts";
export { engineChunk, type ScriptStep, sayTokens, scriptedProvider } from "./scripted-provider.ts";
export {
  completeText,
  type TextChoice,
  type TextCompletion,
} from "./text-completions/text-chunk.ts";
export { type Prompt, readTextRequest, type TextRequest } from "./text-completions/text-request.ts";
export type { TokenCount } from "./token-counter.ts";
export {
  type EnginePool,
  enginePool,
  type UpstreamOptions,
  type UpstreamReport,
} from "./upstreams/engine-pool.ts";
export {
  compareUsageRows,
  dayOf,
  reportUsage,
  USAGE_DIMENSIONS,
  type UsageDimension,
  type UsageOutcome,
  type UsageQuery,
  type UsageRecord,
  type UsageRow,
} from "./usage.ts";
