/**
 * Exports of `@assay/importers` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { groupBy } from "./collections/group-by.ts";
export type { ProjectLines, WrittenEvaluation } from "./plan/import-lines.ts";
export { projectOf } from "./plan/import-target.ts";
export type { Scratch } from "./spool/spool.ts";
export type { PlannedEvaluation, PlannedScore } from "./trials/planned-evaluation.ts";
