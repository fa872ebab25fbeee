/**
 * Calls and dataset rows as lines of JSON, read into any store and written out of it.
 *
 * @packageDocumentation
 */
export { exportCalls, exportRows } from "./export.ts";
export { type ImportOptions, type ImportReport, importCalls, importRows, type Lines } from "./import.ts";
export { readLines } from "./read-lines.ts";
