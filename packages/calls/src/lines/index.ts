/**
 * Reads calls and dataset rows as lines of JSON into any store, and writes them out of it.
 *
 * @packageDocumentation
 */
export { exportCalls, exportRows } from "./export.ts";
export { type ImportOptions, type ImportReport, importCalls, importRows } from "./import.ts";
