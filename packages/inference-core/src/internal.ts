/**
 * Exports of `@assay/inference-core` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export { continueText, embed, type Project, type Reply, type ReplyStream } from "./dispatch/dispatch.ts";
export { isKeyId, isUsable, KEY_VERBS, type KeyScope, type KeyVerb, keyAllows } from "./keys/api-key.ts";
export { type KeyRequest, printKeyScope, readKeyRequest, readKeyScope } from "./keys/key-request.ts";
export { printFineTunedName } from "./models/fine-tuned-name.ts";
export type { ModelEvaluation } from "./models/model-evaluations.ts";
export { describeModel, listModels, type Viewer } from "./models/model-list.ts";
export { readModelName } from "./models/model-name.ts";
export type { Allows } from "./models/resolve.ts";
export { resolveModel } from "./models/resolve.ts";
export type { EmbeddingList } from "./normalise/embedding-list.ts";
export { normaliser } from "./normalise/normalise.ts";
export { completeText, type TextCompletion } from "./normalise/text-chunk.ts";
export type { EngineChunk } from "./ports/chat-provider.ts";
export type { CheckpointFile, Version } from "./ports/trained-models.ts";
export { type AdapterLoader, ENDPOINTS, type UpstreamEngine } from "./ports/upstream-engine.ts";
export { type RefusalCode, unknownModel } from "./refusal.ts";
export type { StreamOptions } from "./requests/chat-request.ts";
export { type EmbeddingRequest, readEmbeddingRequest } from "./requests/embedding-request.ts";
export { readChatRequest } from "./requests/read-chat-request.ts";
export { readTextRequest, type TextRequest } from "./requests/text-request.ts";
export { type LatestResponses, latestResponses, type ResolvedRequest } from "./responses/latest-responses.ts";
export { includesLogprobs, readResponsesRequest } from "./responses/read-responses-request.ts";
export {
  type ResponseEvent,
  type ResponseEvents,
  type ResponseOptions,
  responseEvents,
} from "./responses/response-events.ts";
export { enginePool } from "./upstreams/engine-pool.ts";
export type { Rate, Rates } from "./usage/limits.ts";
export { type PricedUsageRow, pricedUsage } from "./usage/priced-usage.ts";
export {
  costOfUsage,
  inDollars,
  type Price,
  perToken,
  pricedParts,
  printDollars,
  readPrices,
} from "./usage/prices.ts";
export {
  compareUsageRows,
  dayOf,
  reportUsage,
  USAGE_DIMENSIONS,
  type UsageDimension,
} from "./usage/usage.ts";
