/**
 * The query pushed down to a database: an execution over the ports `TrialStore` and `TrialColumnSource`, and the choice
 * between it and an engine in this process. `@assay/adapters-clickhouse` implements the ports.
 *
 * @packageDocumentation
 */
export {
  type ChosenExecution,
  type ChosenExecutionParts,
  chosenExecution,
  type ExecutionChoice,
} from "./choose-execution.ts";
export { type PushedExecutionParts, pushedExecution } from "./pushed-execution.ts";
