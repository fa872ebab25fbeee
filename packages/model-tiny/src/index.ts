/**
 * A language model with some tens of thousands of weights that can be trained by supervised fine-tuning and by
 * reinforcement learning, in plain TypeScript.
 *
 * @packageDocumentation
 */

export { schemaGrammar } from "./grammar/json-grammar.ts";
export { decodeCheckpoint, encodeCheckpoint } from "./model/checkpoint.ts";
export { baseModel, type TinyModel } from "./model/model.ts";
export { sampleTokens } from "./sample.ts";
export { promptOf, type TinyMessage } from "./tokens/chat-template.ts";
export { planRl } from "./training/rl.ts";
export { planSft } from "./training/sft.ts";
export type { TrainingPlan } from "./training/training-plan.ts";
