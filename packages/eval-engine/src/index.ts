/**
 * The evaluation query in a process: `createEvalEngine` over the ports `CallSource` and `RowSource`, exact, and the same
 * bytes every time. `./laws` checks an implementation of a port, `./pushed` pushes the query down to a database, and
 * `./requests` describes bodies for those who serve them.
 *
 * @packageDocumentation
 */
export type { Cancellation } from "@assay/base";
export {
  type Call,
  type CallInput,
  type CallSource,
  type DatasetRow,
  type GenAISpanRef,
  type MemoryCalls,
  type MemoryRows,
  memoryCalls,
  memoryRows,
  type RowSource,
} from "@assay/calls";
export {
  createEvalEngine,
  type EvalEngine,
  type EvalEngineParts,
  type Explanation,
  type QueryOptions,
} from "./execute/engine.ts";
export {
  type EvaluationFacts,
  type EvaluationLog,
  evaluation,
  type LoggedTrial,
} from "./logged/evaluation-log.ts";
export { fromTable, type TableColumns } from "./logged/from-table.ts";
export {
  type ComparisonInWords,
  type LoadedEvaluations,
  loadEvaluations,
  type NotedResults,
} from "./logged/loaded-evaluations.ts";
export {
  evaluationNotes,
  fieldNotes,
  type NotesSource,
  type QueryNote,
  queryNotes,
  sampledFields,
  scoreField,
} from "./logged/notes.ts";
export { partsText, resultsText } from "./logged/results-text.ts";
export type { EvalExecution } from "./ports/execution.ts";
export type { SavedSegment, SegmentStore } from "./ports/segment-store.ts";
export type { AskedColumns, QueriedColumns, TrialColumnSource, TrialColumns } from "./ports/trial-columns.ts";
export type {
  EvaluationTrial,
  QueriedTrials,
  RowPage,
  ScoreLeafType,
  ShapeCount,
  TrialCounts,
  TrialQuery,
  TrialSize,
  TrialStore,
} from "./ports/trial-store.ts";
export { scoreShape } from "./pushed/score-shape.ts";
export { fieldFault } from "./query/field.ts";
export { type QueryInWords, queryBody } from "./query/query-body.ts";
export {
  type EvalQuery,
  type EvalResultsFilter,
  type EvalResultsQueryBody,
  type EvalResultsSortBy,
  type Filter,
  REQUEST_LIMITS,
  readRequest,
  type SortKey,
} from "./query/request.ts";
export type {
  EvalResults,
  EvalResultsEvaluationSummary,
  EvalResultsInParts,
  EvalResultsRow,
  EvalResultsRowEvaluation,
  EvalResultsScorerStats,
  EvalResultsSummary,
  EvalResultsTrial,
} from "./query/response.ts";
export { memorySegments } from "./segment/memory-segments.ts";
export type { Opened } from "./segment/segments.ts";
export type { CompareBody, MeasureBody, RankingBody, SlicesBody } from "./statistics/body.ts";
export type { EvalStatistics } from "./statistics/execution.ts";
export type {
  CompareResults,
  MeasureComparison,
  MeasureNoise,
  MeasureSide,
  RankedEvaluation,
  RankedPair,
  RankingResults,
  Slice,
  SliceField,
  SlicesResults,
  StatisticsWarning,
} from "./statistics/response.ts";
export { datasetOf } from "./statistics/sample.ts";
export type { StatisticsAnswers, StatisticsQuestion } from "./statistics/statistics.ts";
export {
  type CountedEvaluation,
  type EvaluationEntry,
  evaluationEntries,
} from "./trials/evaluation-entry.ts";
export { readTrial, type Trial, type TrialFacts } from "./trials/trials.ts";
export type {
  ChangeOrder,
  FieldsBody,
  GroupBy,
  RowChange,
  RowFilter,
  RowGroupsBody,
  RowPageBody,
  ViewQuestion,
} from "./view/body.ts";
export type { EvalViews } from "./view/execution.ts";
export type {
  ChangeCounts,
  FieldOutline,
  FieldsResults,
  FieldValue,
  GroupDifference,
  GroupMean,
  PageRow,
  PageRowEvaluation,
  PageTrial,
  Preview,
  RowGroupResult,
  RowGroupsResults,
  RowPageResults,
} from "./view/response.ts";
export type { ViewAnswers } from "./view/view.ts";
