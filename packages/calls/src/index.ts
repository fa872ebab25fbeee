/**
 * The calls of a trace, the dataset rows they refer to, and the ports of stores for them. `./laws` tests
 * implementations of the ports, `./testing` makes calls for tests.
 *
 * @packageDocumentation
 */
export { type Call, type CallInput, type CallTree, readCall, readCallLine } from "./call/call.ts";
export { isPredictAndScore } from "./call/op-name.ts";
export type { GenAISpanRef } from "./call/span-ref.ts";
export { microseconds } from "./call/timestamp.ts";
export { memoryCalls, memoryRows } from "./memory/memory.ts";
export { memoryStore } from "./memory/memory-store.ts";
export type { CallOrder, CallScan, CallScanOptions, CallScope } from "./ports/call-scan.ts";
export type { CallSource } from "./ports/call-source.ts";
export type { CallText, CallWriter, JoinCalls, KeptCall, ProjectCalls } from "./ports/call-writer.ts";
export type { CallLines, RecordLines, RecordWriter } from "./ports/record-writer.ts";
export type { RowScan } from "./ports/row-scan.ts";
export type { RowSource } from "./ports/row-source.ts";
export type { RowWriter } from "./ports/row-writer.ts";
export type { TrialBatch, WrittenTrials } from "./ports/written-trials.ts";
export type { DatasetRow } from "./row/dataset-row.ts";
export { rowDigest, rowIdOf } from "./row/row-digest.ts";
