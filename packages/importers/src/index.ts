/**
 * Reads evaluation files of other tools as calls and dataset rows for a store.
 *
 * @packageDocumentation
 */
export { blobFile, bytesFile, type ImportFile } from "./import-file.ts";
export type { ImportOptions } from "./import-options.ts";
export type { ImportTarget } from "./import-target.ts";
export type { PassRule } from "./pass-rule.ts";
export { type ImportPlan, planImport } from "./plan-import.ts";
