/**
 * Calls for tests.
 *
 * @packageDocumentation
 */

export { callOf, textOf } from "./calls.ts";
export { changesSince } from "./changes-since.ts";
export { evaluationCalls } from "./evaluation-calls.ts";
