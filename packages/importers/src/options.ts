/**
 * The parts of imports that a command line needs before it reads a file: the formats, and rules for passing. Loads no
 * importer.
 *
 * @packageDocumentation
 */
export { IMPORT_KINDS } from "./options/import-kinds.ts";
export { type PassRule, readPassRule } from "./scores/pass-rule.ts";
export { SCORE_TYPES, type ScoreType } from "./scores/score-type.ts";
