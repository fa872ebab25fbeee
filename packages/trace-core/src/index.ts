/**
 * Data that Weave clients log and read: calls, objects, tables, files and feedback, over ports. `./laws` checks
 * implementations of the ports.
 *
 * @packageDocumentation
 */
export { callStoreOver } from "./calls/call-store-over.ts";
export { type CallSources, queryCalls } from "./calls/query-calls.ts";
export { type CallsQuery, readCallsQuery } from "./calls/read-calls-query.ts";
export { readBatch } from "./calls/read-pieces.ts";
export { memoryCallStore, memoryTraceStores } from "./memory.ts";
export type { CallStore } from "./ports/call-store.ts";
export type { CostStore, TokenCost } from "./ports/cost-store.ts";
export type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
export type { FileStore } from "./ports/file-store.ts";
export type { ObjectStore, ObjectVersion } from "./ports/object-store.ts";
export type { TraceStores } from "./ports/stores.ts";
export type { TableRow, TableStore } from "./ports/table-store.ts";
export { joinCalls, type TraceCall } from "./ports/trace-call.ts";
