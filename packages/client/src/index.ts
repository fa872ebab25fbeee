/**
 * A typed client of an Assay server: every operation of its OpenAPI document by method and path, with the types of its
 * input and answer. Runs wherever `fetch` exists.
 *
 * @packageDocumentation
 */

export { type AssayClient, assayClient, type ClientOptions } from "./client.ts";
export type { Answer, InputOf, Operation, RequestOptions } from "./operation.ts";
export type { Operations, Schemas } from "./operations.ts";
export { Refusal, type RequestIssue } from "./refusal.ts";
