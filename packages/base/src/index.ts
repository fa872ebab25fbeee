/**
 * What every package of Assay shares: a `Result` of reading the caller's data, an `Issue` for each error in it, a
 * `Fault` for failures of the outside world, and a `Law` for what every implementation of a port must do.
 *
 * @packageDocumentation
 */
export type { Cancellation } from "./cancellation.ts";
export { Fault, type FaultCode } from "./fault.ts";
export type { Json } from "./json.ts";
export type { JsonObject } from "./json-object.ts";
export type { JsonRecords } from "./json-scan.ts";
export { jsonText } from "./json-text.ts";
export type { Law, Open } from "./law.ts";
export { bad, type Issue, ok, type Result } from "./result.ts";
export { atOnce, type Steps } from "./steps.ts";
