export { exportCalls, exportRows } from "./export.ts";
export { type ImportOptions, type ImportReport, importCalls, importRows, type Lines } from "./import.ts";
export { readLines } from "./read-lines.ts";
