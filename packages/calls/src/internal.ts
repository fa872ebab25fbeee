/**
 * Exports of `@assay/calls` for other packages of Assay. Not part of the public API: any release can change or remove a
 * name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export {
  type CallRecord,
  MAX_CALL_DEPTH,
  MAX_RECORD_VALUES,
  nestsDeeper,
  readCallRecord,
  readCallRecordSteps,
} from "./call/call.ts";
export {
  type CallOutline,
  joinSpans,
  modelOutputOf,
  outlineOf,
  type Scores,
  scoresOf,
  type TrialOutline,
  withLoggedOutput,
} from "./call/call-outline.ts";
export { LineCall } from "./call/line-call.ts";
export { opName } from "./call/op-name.ts";
export type { RunningDigest } from "./encoding/sha256.ts";
export { utf8Text } from "./encoding/utf8-text.ts";
export type { MemoryCalls } from "./memory/memory.ts";
export { RECORD_SPANS } from "./ports/record-writer.ts";
export type { NumberedIds, TextBytes } from "./ports/written-trials.ts";
export {
  bytesDigest,
  canonicalJson,
  DIGEST_LENGTH,
  isReference,
  startBytesDigest,
  textDigest,
  writeDigest,
} from "./row/row-digest.ts";
export { rowRefsIn } from "./row/row-refs.ts";
export { batchLength, writePlan } from "./write-plan.ts";
