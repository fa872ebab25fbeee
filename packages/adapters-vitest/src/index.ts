/**
 * A reporter for Vitest: `trial` records a row, the model's answer and its scores in a test, and `assayReporter` sends
 * the trials as an evaluation to a server, a data directory or a file for `assay import`.
 *
 * @packageDocumentation
 */
export { type AssayReporter, assayReporter, type ReporterOptions } from "./reporter.ts";
export { type TrialFacts, trial } from "./trial.ts";
