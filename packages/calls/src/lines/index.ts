/**
 * Calls and dataset rows as lines of JSON, read into any store and written out of it.
 *
 * @packageDocumentation
 */
export { exportCalls, exportRows } from "./export.ts";
export { type ImportOptions, type ImportReport, importCalls, importRows } from "./import.ts";
