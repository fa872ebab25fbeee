/**
 * The calls of a trace and the dataset rows they refer to, and the ports of whoever keeps them. `./laws` checks an
 * implementation of a port, `./testing` makes calls to fill it with.
 *
 * @packageDocumentation
 */
export {
  type Call,
  type CallInput,
  type CallRecord,
  type CallTree,
  MAX_CALL_DEPTH,
  MAX_RECORD_VALUES,
  nestsDeeper,
  readCall,
  readCallLine,
  readCallRecord,
  readCallRecordSteps,
} from "./call.ts";
export {
  type CallOutline,
  joinSpans,
  modelOutputOf,
  outlineOf,
  type Scores,
  scoresOf,
  type TrialOutline,
  withLoggedOutput,
} from "./call-outline.ts";
export type { DatasetRow } from "./dataset-row.ts";
export { LineCall } from "./line-call.ts";
export { type MemoryCalls, type MemoryRows, memoryCalls, memoryRows } from "./memory.ts";
export { type MemoryStore, memoryStore } from "./memory-store.ts";
export { isPredictAndScore, opName } from "./op-name.ts";
export type { CallScan, CallScope } from "./ports/call-scan.ts";
export type { CallSource } from "./ports/call-source.ts";
export type { CallText, CallWriter, JoinCalls, KeptCall, ProjectCalls } from "./ports/call-writer.ts";
export type { RowScan } from "./ports/row-scan.ts";
export type { RowSource } from "./ports/row-source.ts";
export type { RowWriter } from "./ports/row-writer.ts";
export {
  bytesDigest,
  canonicalJson,
  isReference,
  rowDigest,
  rowIdOf,
  startBytesDigest,
  textDigest,
} from "./row-digest.ts";
export type { RunningDigest } from "./sha256.ts";
export type { GenAISpanRef } from "./span-ref.ts";
export { microseconds } from "./timestamp.ts";
export { utf8Text } from "./utf8-text.ts";
export { type PlannedCall, type StoredCalls, takeTogether, type WritePlan, writePlan } from "./write-plan.ts";
