/**
 * Readers of other tools' evaluation files, as calls and dataset rows that a store takes.
 *
 * @packageDocumentation
 */
export { type ImportBatch, type ImportTarget, projectOf } from "./import-batches.ts";
export { blobFile, bytesFile, type ImportFile } from "./import-file.ts";
export { IMPORT_KINDS } from "./import-kinds.ts";
export type { ReadOptions } from "./importer.ts";
export { type PassRule, readPassRule } from "./pass-rule.ts";
export { type ImportPlan, planImport } from "./plan-import.ts";
export type { ImportOptions, PlannedEvaluation, PlannedScore, RefusedFiles } from "./survey.ts";
