/**
 * A reporter for Vitest: `trial` records in a test what was asked, answered and scored, and `assayReporter` makes it an
 * evaluation, on a server, in a data directory or as a file that `assay import` reads.
 *
 * @packageDocumentation
 */
export { type AssayReporter, assayReporter, type ReporterOptions } from "./reporter.ts";
export { type TrialFacts, trial } from "./trial.ts";
