/**
 * Calls for tests.
 *
 * @packageDocumentation
 */
export { callOf, textOf } from "./calls.ts";
export { evaluationCalls } from "./evaluation-calls.ts";
