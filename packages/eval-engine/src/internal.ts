/**
 * Exports of `@assay/eval-engine` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export { engineOver, loadEngine } from "./execute/engine.ts";
export { evaluationNotes, fieldNotes, queryNotes, sampledFields } from "./execute/unknown-names.ts";
export type { NotedResults } from "./in-memory/loaded-evaluations.ts";
export { partsText, resultsText } from "./in-memory/results-text.ts";
export { fieldFault } from "./query/field.ts";
export { type EvalQuery, type Filter, REQUEST_LIMITS, readRequest, type SortKey } from "./query/request.ts";
export type { EvalResultsInParts } from "./query/response.ts";
export { inMemorySegment } from "./segment/written-segment.ts";
export { type DirectionOf, type DirectionSource, directionOf } from "./statistics/measures/direction.ts";
export { datasetOf } from "./statistics/rows/sample.ts";
export type { StatisticsAnswers, StatisticsQuestion } from "./statistics/statistics.ts";
export type { MeasureBody } from "./statistics/wire/body.ts";
export type {
  MeasureSide,
  RankedEvaluation,
  Slice,
  SliceField,
  StatisticsWarning,
} from "./statistics/wire/response.ts";
export { chooseEvaluations } from "./trials/choose-evaluations.ts";
export { byStart, evaluationEntry } from "./trials/evaluation-entry.ts";
export { readTrial, type Trial } from "./trials/trials.ts";
export type { GroupBy, RowFilter, RowGroupsBody, RowPageBody, ViewQuestion } from "./view/wire/body.ts";
export type { RowGroupResult, RowGroupsResults } from "./view/wire/response.ts";
