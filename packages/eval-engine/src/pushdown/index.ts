/**
 * Pushes queries down to a database: an execution over the ports `TrialStore` and `TrialColumnSource`, and one that
 * chooses between it and an engine in this process. `@assay/adapters-clickhouse` implements the ports.
 *
 * @packageDocumentation
 */
export type {
  QueriedColumns,
  RequestedColumns,
  TrialColumnSource,
  TrialColumns,
} from "../ports/trial-columns.ts";
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
} from "../ports/trial-store.ts";
export {
  type ChosenExecution,
  type ChosenExecutionParts,
  chosenExecution,
  type ExecutionChoice,
} from "./choose-execution.ts";
export { type PushedExecutionParts, pushedExecution } from "./pushed-execution.ts";
export { scoreShape } from "./score-schema.ts";
