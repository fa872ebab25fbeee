/**
 * The evaluation query in a process: `createEvalEngine` over the ports `CallSource` and `RowSource`. Answers are exact
 * and deterministic to the byte. `./laws` checks an implementation of a port, `./pushed` pushes queries down to a
 * database, and `./requests` has the schemas of request bodies for servers.
 *
 * @packageDocumentation
 */
export {
  type Call,
  type CallSource,
  type DatasetRow,
  memoryCalls,
  memoryRows,
  type RowSource,
} from "@assay/calls";
export {
  createEvalEngine,
  type EvalEngine,
  type EvalEngineParts,
  type QueryOptions,
} from "./execute/engine.ts";
export type { NotesSource, QueryNote } from "./execute/unknown-names.ts";
export {
  type EvaluationFacts,
  type EvaluationLog,
  evaluation,
  type LoggedTrial,
} from "./in-memory/evaluation-log.ts";
export { fromTable, type TableColumns } from "./in-memory/from-table.ts";
export { type LoadedEvaluations, loadEvaluations } from "./in-memory/loaded-evaluations.ts";
export type { EvalExecution } from "./ports/execution.ts";
export type { KeptDirection, ScoreDirections } from "./ports/score-directions.ts";
export type { SavedSegment, SegmentStore } from "./ports/segment-store.ts";
export { queryBody } from "./query/query-body.ts";
export type { EvalResultsFilter, EvalResultsQueryBody, EvalResultsSortBy } from "./query/request.ts";
export type {
  EvalResults,
  EvalResultsEvaluationSummary,
  EvalResultsRow,
  EvalResultsScorerStats,
  EvalResultsSummary,
  EvalResultsTrial,
} from "./query/response.ts";
export type { EvalStatistics } from "./statistics/execution.ts";
export { memoryDirections } from "./statistics/measures/memory-directions.ts";
export type { CompareBody, RankingBody, SlicesBody } from "./statistics/wire/body.ts";
export type {
  CompareResults,
  MeasureComparison,
  RankingResults,
  SlicesResults,
} from "./statistics/wire/response.ts";
export type { EvaluationChoice } from "./trials/choose-evaluations.ts";
export type { CountedEvaluation, EvaluationEntry } from "./trials/evaluation-entry.ts";
export type { EvalViews } from "./view/execution.ts";
