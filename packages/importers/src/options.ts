/**
 * What a command line knows of an import before it reads a file: the kinds, and the rules that a number passes by. Loads
 * none of the importers.
 *
 * @packageDocumentation
 */
export { IMPORT_KINDS } from "./import-kinds.ts";
export { type PassRule, readPassRule } from "./pass-rule.ts";
export { SCORE_TYPES, type ScoreType } from "./score-type.ts";
