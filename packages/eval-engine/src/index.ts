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
} from "./engine.ts";
export { type CountedEvaluation, type EvaluationEntry, evaluationEntries } from "./evaluation-entry.ts";
export {
  type EvaluationFacts,
  type EvaluationLog,
  evaluation,
  type LoggedTrial,
} from "./evaluation-log.ts";
export { fieldFault } from "./fields.ts";
export { fromTable, type TableColumns } from "./from-table.ts";
export {
  type ComparisonInWords,
  type LoadedEvaluations,
  loadEvaluations,
  type NotedResults,
} from "./loaded-evaluations.ts";
export { memorySegments } from "./memory-segments.ts";
export {
  evaluationNotes,
  fieldNotes,
  type NotesSource,
  type QueryNote,
  queryNotes,
  sampledFields,
  scoreField,
} from "./notes.ts";
export type { EvalExecution } from "./ports/execution.ts";
export type { SavedSegment, SegmentStore } from "./ports/segment-store.ts";
export type { EvalStatistics } from "./ports/statistics.ts";
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
export type { EvalViews } from "./ports/views.ts";
export { type QueryInWords, queryBody } from "./query-body.ts";
export {
  type EvalQuery,
  type EvalResultsFilter,
  type EvalResultsQueryBody,
  type EvalResultsSortBy,
  type Filter,
  REQUEST_LIMITS,
  readRequest,
  type SortKey,
} from "./request.ts";
export type {
  EvalResults,
  EvalResultsEvaluationSummary,
  EvalResultsInParts,
  EvalResultsRow,
  EvalResultsRowEvaluation,
  EvalResultsScorerStats,
  EvalResultsSummary,
  EvalResultsTrial,
} from "./response.ts";
export { partsText, resultsText } from "./results-text.ts";
export { scoreShape } from "./score-shape.ts";
export type { Opened } from "./segments.ts";
export type { CompareBody, MeasureBody, RankingBody, SlicesBody } from "./statistics/body.ts";
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
export { readTrial, type Trial, type TrialFacts } from "./trials.ts";
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
