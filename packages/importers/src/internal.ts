/**
 * Exports of `@assay/importers` for other packages of Assay. Not part of the public API: names can change or go in any
 * release. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { groupBy } from "./collections/group-by.ts";
export type { ProjectLines, WrittenEvaluation } from "./import-lines.ts";
export { projectOf } from "./import-target.ts";
export type { PlannedEvaluation, PlannedScore } from "./planned-evaluation.ts";
export type { Scratch } from "./trials/spool.ts";
