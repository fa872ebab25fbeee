/**
 * The laws of the ports of `@assay/eval-engine`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { executionLaws, type FedExecution } from "./execution.ts";
export { scoreDirectionsLaws } from "./score-directions.ts";
export { segmentStoreLaws } from "./segment-store.ts";
