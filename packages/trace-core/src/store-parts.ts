/**
 * Parts for building stores of traces. Separate from the readers of requests and their schemas, so that opening a store
 * does not load them.
 *
 * @packageDocumentation
 */
export { callStoreOver } from "./calls/call-store-over.ts";
export { type CostAt, costChoice } from "./costs/cost-choice.ts";
export { mergeSortCooperatively } from "./sorting/cooperative-sort.ts";
