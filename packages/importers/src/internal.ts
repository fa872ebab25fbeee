/**
 * What other packages of Assay need of this one, not for others: `@assay/importers` promises
 * nothing of it, and a name can change or go in any release. Packages of Assay name each other's versions exactly.
 *
 * @packageDocumentation
 */
export type { Scratch } from "./held-lines.ts";
export { projectOf, type WrittenEvaluation } from "./import-lines.ts";
export type { PlannedEvaluation, PlannedScore } from "./survey.ts";
