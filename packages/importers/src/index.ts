/**
 * Reads evaluation files of other tools as calls and dataset rows for a store.
 *
 * @packageDocumentation
 */
export { blobFile, bytesFile, type ImportFile } from "./files/import-file.ts";
export type { ImportOptions } from "./options/import-options.ts";
export type { ImportTarget } from "./plan/import-target.ts";
export { type ImportPlan, planImport } from "./plan/plan-import.ts";
export type { PassRule } from "./scores/pass-rule.ts";
