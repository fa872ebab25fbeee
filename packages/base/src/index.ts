/**
 * What every package of Assay shares: a `Result` for the caller's data, an `Issue` for each thing wrong with it, a
 * `Fault` when the outside world fails, a `Law` for what every implementation of a port must do.
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
