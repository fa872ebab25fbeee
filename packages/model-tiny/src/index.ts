/**
 * A language model with some tens of thousands of weights that can be trained by supervised fine-tuning and by
 * reinforcement learning, in plain TypeScript.
 *
 * @packageDocumentation
 */
export { promptOf, type TinyMessage } from "./chat-template.ts";
export { decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
export { schemaGrammar } from "./json-grammar.ts";
export { baseModel, type TinyModel } from "./model.ts";
export { planRl } from "./rl.ts";
export { sampleTokens } from "./sample.ts";
export { planSft } from "./sft.ts";
export type { TrainingPlan } from "./training-plan.ts";
