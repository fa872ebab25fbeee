/**
 * A language model of some tens of thousands of weights that really trains, by supervised fine-tuning and by
 * reinforcement learning, in plain TypeScript.
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
export { promptOf, type TinyMessage } from "./chat-template.ts";
export {
  CHECKSUM,
  checkpointPieces,
  decodeChecked,
  decodeCheckpoint,
  decodeWeights,
  encodeCheckpoint,
} from "./checkpoint.ts";
export { crc32 } from "./crc32.ts";
export type { Grammar, GrammarRule } from "./grammar.ts";
export { jsonObjectGrammar, schemaGrammar } from "./json-grammar.ts";
export {
  baseModel,
  contextOf,
  isBaseModel,
  type TinyModel,
  type TinyShape,
  type TinyWeights,
} from "./model.ts";
export type { PolicyConfig } from "./policy.ts";
export { planRl, type RlConfig, type TinyGroup } from "./rl.ts";
export { choiceSeed, type SampledToken, type SampleOptions, sample, type TokenLogprob } from "./sample.ts";
export { cutTo, type Sequence } from "./sequence.ts";
export { lossOf, planSft, type SftConfig, type SftRow, sftSequence } from "./sft.ts";
export type { StepMetrics, TrainingPlan, TrainingRun } from "./training-plan.ts";
export type { TinyChoice, TinyHistory, TinyTokenLogprob, TinyTrajectory } from "./trajectory.ts";
export { END, OUTPUTS } from "./vocabulary.ts";
