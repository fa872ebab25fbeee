/**
 * The calls of a trace, the dataset rows they refer to, and the ports of stores for them. `./laws` tests
 * implementations of the ports, `./testing` makes calls for tests.
 *
 * @packageDocumentation
 */
export { type Call, type CallInput, type CallTree, readCall, readCallLine } from "./call.ts";
export type { DatasetRow } from "./dataset-row.ts";
export { memoryCalls, memoryRows } from "./memory.ts";
export { memoryStore } from "./memory-store.ts";
export { isPredictAndScore } from "./op-name.ts";
export type { CallScan, CallScope } from "./ports/call-scan.ts";
export type { CallSource } from "./ports/call-source.ts";
export type { CallText, CallWriter, JoinCalls, KeptCall, ProjectCalls } from "./ports/call-writer.ts";
export type { CallLines, RecordLines, RecordWriter } from "./ports/record-writer.ts";
export type { RowScan } from "./ports/row-scan.ts";
export type { RowSource } from "./ports/row-source.ts";
export type { RowWriter } from "./ports/row-writer.ts";
export type { TrialBatch, WrittenTrials } from "./ports/written-trials.ts";
export { rowDigest, rowIdOf } from "./row-digest.ts";
export type { GenAISpanRef } from "./span-ref.ts";
export { microseconds } from "./timestamp.ts";
