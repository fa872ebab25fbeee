/**
 * What other Assay packages need from `@assay/inference-core`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { isUsable, KEY_VERBS, type KeyScope, type KeyVerb, keyAllows } from "./api-key.ts";
export { continueText, embed, type Project, type Reply, type ReplyStream } from "./dispatch.ts";
export type { EmbeddingList } from "./embeddings/embedding-list.ts";
export { type EmbeddingRequest, readEmbeddingRequest } from "./embeddings/embedding-request.ts";
export { printFineTunedName } from "./fine-tuned-name.ts";
export { type KeyRequest, printKeyScope, readKeyRequest, readKeyScope } from "./key-request.ts";
export type { Rate, Rates } from "./limits.ts";
export type { ModelEvaluation } from "./model-evaluations.ts";
export { describeModel, listModels, type Viewer } from "./model-list.ts";
export { readModelName } from "./model-name.ts";
export { normaliser } from "./normalise.ts";
export type { EngineChunk } from "./ports/chat-provider.ts";
export type { CheckpointFile, Version } from "./ports/trained-models.ts";
export { type AdapterLoader, ENDPOINTS, type UpstreamEngine } from "./ports/upstream-engine.ts";
export { type PricedUsageRow, pricedUsage } from "./priced-usage.ts";
export {
  costOfUsage,
  inDollars,
  type Price,
  perToken,
  pricedParts,
  printDollars,
  readPrices,
} from "./prices.ts";
export { readChatRequest } from "./read-chat-request.ts";
export { type RefusalCode, unknownModel } from "./refusal.ts";
export type { Allows } from "./resolve.ts";
export { resolveModel } from "./resolve.ts";
export { readResponsesRequest } from "./responses/read-responses-request.ts";
export { type ResponseEvent, responseEvents } from "./responses/response-events.ts";
export { completeText, type TextCompletion } from "./text-completions/text-chunk.ts";
export { readTextRequest, type TextRequest } from "./text-completions/text-request.ts";
export { enginePool } from "./upstreams/engine-pool.ts";
export { compareUsageRows, dayOf, reportUsage, USAGE_DIMENSIONS, type UsageDimension } from "./usage.ts";
