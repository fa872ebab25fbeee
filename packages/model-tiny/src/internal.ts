/**
 * What other Assay packages need from `@assay/model-tiny`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export {
  CALL_BEGIN,
  type CallableFunction,
  callBegin,
  callGrammar,
  callOrTextGrammar,
} from "./call-grammar.ts";
export { CHECKSUM, checkpointPieces, decodeChecked, decodeWeights } from "./checkpoint.ts";
export { crc32 } from "./crc32.ts";
export type { Grammar } from "./grammar.ts";
export { jsonObjectGrammar } from "./json-grammar.ts";
export { contextOf, isBaseModel, type TinyWeights } from "./model.ts";
export type { RlConfig } from "./rl.ts";
export { choiceSeed, type SampledToken, type SampleOptions, type TokenLogprob } from "./sample.ts";
export { cutTo, type Sequence } from "./sequence.ts";
export { lossOf, type SftConfig, type SftRow, sftSequence } from "./sft.ts";
export type { StepMetrics, TrainingRun } from "./training-plan.ts";
export { END, OUTPUTS } from "./vocabulary.ts";
