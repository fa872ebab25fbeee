/**
 * Exports of `@assay/trace-core` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export { BODY_SCHEMAS } from "./body-schemas.ts";
export { viewCall, withDerivedMembers } from "./calls/call-view.ts";
export { deleteCalls } from "./calls/delete-calls.ts";
export { type CallsReading, countCalls } from "./calls/query-calls.ts";
export { readCallsCount } from "./calls/read-calls-query.ts";
export { readComplete, readCompletes, readEnd, readStart, readUpdate } from "./calls/read-pieces.ts";
export { purgeCosts, queryCosts, readCostPurge, readCostQuery, readCosts } from "./costs/costs.ts";
export {
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
  finishEvaluationRun,
  queryEvaluationRuns,
  readEvaluationRun,
} from "./evaluation-runs/runs.ts";
export { createScore, deleteScores, queryScores, readScore } from "./evaluation-runs/scores.ts";
export {
  purgeFeedback,
  queryFeedback,
  readFeedback,
  readFeedbackBatch,
  readFeedbackPurge,
  readFeedbackQuery,
  readReplacement,
  receiptOf,
} from "./feedback/feedback.ts";
export {
  type MemoryTraceStores,
  memoryCostStore,
  memoryFeedbackStore,
  memoryFileStore,
  memoryObjectStore,
  memoryTableStore,
} from "./memory.ts";
export { startFileDigest, tableDigest } from "./objects/digests.ts";
export { type EvaluationObject, queryEvaluationObjects } from "./objects/evaluation-objects.ts";
export {
  queryObjects,
  readObject,
  readObjectCreate,
  readObjectRead,
  readObjectRemoval,
  readObjectsQuery,
  removeVersions,
} from "./objects/objects.ts";
export { readRefs, resolveRefs } from "./objects/read-refs.ts";
export {
  countRows,
  createTable,
  queryTable,
  readTableCreate,
  readTableFromDigests,
  readTableQuery,
  readTableStats,
  readTableStatsBatch,
  readTableUpdate,
  updateTable,
} from "./objects/tables.ts";
export { readWeaveRef } from "./objects/weave-ref.ts";
export { exportSpans, type ReadSpans, readLogs, readSpans } from "./otlp/export-spans.ts";
export type { NumberedHead, VersionHead } from "./ports/object-store.ts";
export { type ReadContext, yieldNow } from "./ports/read-context.ts";
export { unknownCall } from "./ports/trace-call.ts";
export { readCallDeletion, readCallRead, readFileRead } from "./request/read-named.ts";
