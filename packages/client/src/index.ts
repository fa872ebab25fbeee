/**
 * A typed client of an Assay server: every operation of its OpenAPI document by method and path, what it takes and what it
 * gives. Runs wherever there is `fetch`.
 *
 * @packageDocumentation
 */

export { type AssayClient, assayClient, type ClientOptions } from "./client.ts";
export type { Answer, InputOf, Operation, RequestOptions } from "./operation.ts";
export type { Operations, Schemas } from "./operations.ts";
export { Refusal, type RequestIssue } from "./refusal.ts";
