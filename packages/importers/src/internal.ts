/**
 * What other packages of Assay need of `@assay/importers`. Not part of its public API: a name can change or go in any
 * release. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { Scratch } from "./held-lines.ts";
export { type ProjectLines, projectOf, type WrittenEvaluation } from "./import-lines.ts";
export type { PlannedEvaluation, PlannedScore } from "./survey.ts";
