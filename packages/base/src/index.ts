/**
 * Shared parts of all Assay packages: a `Result` of reading the caller's data, an `Issue` for each error in it, a
 * `Fault` for failures of the outside world, and a `Law` for what every implementation of a port must do.
 *
 * @packageDocumentation
 */
export type { Cancellation } from "./concurrency/cancellation.ts";
export { atOnce, type Steps } from "./concurrency/steps.ts";
export { Fault, type FaultCode } from "./errors/fault.ts";
export { bad, type Issue, ok, type Result } from "./errors/result.ts";
export type { Json } from "./json/json.ts";
export type { JsonObject } from "./json/json-object.ts";
export type { JsonRecords } from "./json/json-scan.ts";
export { jsonText } from "./json/json-text.ts";
export type { Law, Open } from "./law.ts";
