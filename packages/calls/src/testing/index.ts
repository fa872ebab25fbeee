/**
 * Calls to fill stores with, for tests.
 *
 * @packageDocumentation
 */
export { callOf, textOf } from "./calls.ts";
export { evaluationCalls } from "./evaluation-calls.ts";
