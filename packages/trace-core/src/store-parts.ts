/**
 * What stores of traces are made with, apart from the readers of requests and their schemas, so that opening a store
 * loads nothing more.
 *
 * @packageDocumentation
 */
export { callStoreOver } from "./call-store-over.ts";
export { type CostAt, costChoice } from "./cost-choice.ts";
export { sortInTurns } from "./sort-in-turns.ts";
