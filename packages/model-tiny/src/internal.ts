/**
 * Exports of `@assay/model-tiny` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export {
  CALL_BEGIN,
  type CallableFunction,
  callBegin,
  callGrammar,
  callOrTextGrammar,
} from "./grammar/call-grammar.ts";
export type { Grammar } from "./grammar/grammar.ts";
export { jsonObjectGrammar } from "./grammar/json-grammar.ts";
export { CHECKSUM, checkpointPieces, decodeChecked, decodeWeights } from "./model/checkpoint.ts";
export { crc32 } from "./model/crc32.ts";
export { contextOf, isBaseModel, type TinyWeights } from "./model/model.ts";
export { choiceSeed, type SampledToken, type SampleOptions, type TokenLogprob } from "./sample.ts";
export { cutTo, type Sequence } from "./tokens/sequence.ts";
export { END, OUTPUTS } from "./tokens/vocabulary.ts";
export type { RlConfig } from "./training/rl.ts";
export { lossOf, type SftConfig, type SftRow, sftSequence } from "./training/sft.ts";
export type { StepMetrics, TrainingRun } from "./training/training-plan.ts";
