/**
 * What other Assay packages need from `@assay/trace-core`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { BODY_SCHEMAS } from "./body-schemas.ts";
export { viewCall, withDerived } from "./call-view.ts";
export { type CallsReading, countCalls, readCallsCount } from "./calls-query.ts";
export { purgeCosts, queryCosts, readCostPurge, readCostQuery, readCosts } from "./costs.ts";
export { deleteCalls } from "./delete-calls.ts";
export { startFileDigest, tableDigest } from "./digests.ts";
export { type EvaluationObject, queryEvaluationObjects } from "./evaluation-objects.ts";
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
} from "./feedback.ts";
export {
  type MemoryTraceStores,
  memoryCostStore,
  memoryFeedbackStore,
  memoryFileStore,
  memoryObjectStore,
  memoryTableStore,
} from "./memory.ts";
export {
  queryObjects,
  readObject,
  readObjectCreate,
  readObjectRead,
  readObjectRemoval,
  readObjectsQuery,
  removeVersions,
} from "./objects.ts";
export { exportSpans, type ReadSpans, readLogs, readSpans } from "./otlp/export-spans.ts";
export type { NumberedHead, VersionHead } from "./ports/object-store.ts";
export { type ReadContext, yieldNow } from "./read-context.ts";
export { readCallDeletion, readCallRead, readFileRead } from "./read-named.ts";
export { readComplete, readCompletes, readEnd, readStart, readUpdate } from "./read-pieces.ts";
export { readRefs, resolveRefs } from "./read-refs.ts";
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
} from "./tables.ts";
export { unknownCall } from "./trace-call.ts";
export { readWeaveRef } from "./weave-ref.ts";
