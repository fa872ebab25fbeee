/**
 * Exports: trials as flat tables, and evaluations as a self-contained page file.
 *
 * @packageDocumentation
 */
export { type Content, type ContentOf, chosenContent } from "./chosen-content.ts";
export { exportedFile } from "./exported-file.ts";
export { type KeptTrials, keptTrials } from "./filtered-trials.ts";
export { flatTrials, type TrialRecord } from "./flat-trials.ts";
export { tableBytes } from "./table-bytes.ts";
