/**
 * What Weave clients log and read back: calls, objects, tables, files and feedback, over ports. `./laws` checks an
 * implementation of one.
 *
 * @packageDocumentation
 */
export type { JsonObject } from "@assay/base";
export { bodySchemas } from "./body-schemas.ts";
export { callStoreOver } from "./call-store-over.ts";
export { viewCall } from "./call-view.ts";
export { type CallsFilter, type CallsQuery, countCalls, queryCalls, readCallsQuery } from "./calls-query.ts";
export { deleteCalls } from "./delete-calls.ts";
export { startFileDigest, tableDigest } from "./digests.ts";
export {
  type EvaluationObject,
  type EvaluationObjectsQuery,
  queryEvaluationObjects,
} from "./evaluation-objects.ts";
export {
  type NewDataset,
  type NewEvaluation,
  type NewEvaluationRun,
  type NewModel,
  type NewPrediction,
  type NewScore,
  type NewScorer,
  readFinish,
  readNewDataset,
  readNewEvaluation,
  readNewEvaluationRun,
  readNewModel,
  readNewPrediction,
  readNewScore,
  readNewScorer,
} from "./evaluation-runs/bodies.ts";
export type { RunLogging } from "./evaluation-runs/logging.ts";
export {
  createPrediction,
  deletePredictions,
  finishPrediction,
  queryPredictions,
  readPrediction,
} from "./evaluation-runs/predictions.ts";
export {
  createDataset,
  createEvaluation,
  createModel,
  createScorer,
  queryRunObjects,
  type RunObjectKind,
  readRunObject,
} from "./evaluation-runs/run-objects.ts";
export {
  createEvaluationRun,
  deleteEvaluationRuns,
  type EvaluationRunsQuery,
  finishEvaluationRun,
  queryEvaluationRuns,
  readEvaluationRun,
} from "./evaluation-runs/runs.ts";
export { createScore, deleteScores, queryScores, readScore } from "./evaluation-runs/scores.ts";
export {
  type FeedbackContext,
  type FeedbackQuery,
  purgeFeedback,
  queryFeedback,
  readFeedback,
  readFeedbackBatch,
  readFeedbackQuery,
  receiptOf,
} from "./feedback.ts";
export {
  type MemoryTraceStores,
  memoryCallStore,
  memoryFeedbackStore,
  memoryFileStore,
  memoryObjectStore,
  memoryTableStore,
  memoryTraceStores,
} from "./memory.ts";
export {
  type ObjectRead,
  type ObjectRemoval,
  type ObjectsQuery,
  queryObjects,
  readObject,
  readObjectCreate,
  readObjectRead,
  readObjectRemoval,
  readObjectsQuery,
  removeVersions,
} from "./objects.ts";
export { exportSpans, type ReadSpans, readLogs, readSpans } from "./otlp/export-spans.ts";
export type { OtlpEvent, OtlpSpan } from "./otlp/otlp-span.ts";
export type { CallStore } from "./ports/call-store.ts";
export type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
export type { FileStore } from "./ports/file-store.ts";
export type {
  NumberedHead,
  NumberedVersion,
  ObjectStore,
  ObjectVersion,
  VersionHead,
} from "./ports/object-store.ts";
export type { TableRow, TableStore } from "./ports/table-store.ts";
export {
  type CallDeletion,
  type CallRead,
  type FileRead,
  readCallDeletion,
  readCallRead,
  readFileRead,
} from "./read-named.ts";
export {
  type NewId,
  readBatch,
  readComplete,
  readCompletes,
  readEnd,
  readStart,
  readUpdate,
} from "./read-pieces.ts";
export { type RefReading, readRefs, resolveRefs } from "./read-refs.ts";
export { giveWay, type Reading } from "./reading.ts";
export { sortInTurns } from "./sort-in-turns.ts";
export type { SortKey } from "./sort-keys.ts";
export type { TraceStores } from "./stores.ts";
export {
  countRows,
  createTable,
  type NewTable,
  queryTable,
  readTableCreate,
  readTableFromDigests,
  readTableQuery,
  readTableStats,
  readTableStatsBatch,
  readTableUpdate,
  type TableChange,
  type TableQuery,
  type TableStats,
  type TableUpdate,
  type UpdatedTable,
  updateTable,
} from "./tables.ts";
export { joinCalls, type TraceCall, unknownCall } from "./trace-call.ts";
export { type RefStep, readWeaveRef, type WeaveRef } from "./weave-ref.ts";
