/**
 * What Weave clients log and read back: calls, objects, tables, files and feedback, over ports. `./laws` checks
 * implementations of the ports.
 *
 * @packageDocumentation
 */
export { callStoreOver } from "./call-store-over.ts";
export { type CallSources, type CallsQuery, queryCalls, readCallsQuery } from "./calls-query.ts";
export { memoryCallStore, memoryTraceStores } from "./memory.ts";
export type { CallStore } from "./ports/call-store.ts";
export type { CostStore, TokenCost } from "./ports/cost-store.ts";
export type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
export type { FileStore } from "./ports/file-store.ts";
export type { ObjectStore, ObjectVersion } from "./ports/object-store.ts";
export type { TableRow, TableStore } from "./ports/table-store.ts";
export { readBatch } from "./read-pieces.ts";
export type { TraceStores } from "./stores.ts";
export { joinCalls, type TraceCall } from "./trace-call.ts";
