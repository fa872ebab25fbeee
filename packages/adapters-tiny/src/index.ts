/**
 * The tiny model in the process: as a `ChatProvider`, with the checkpoints that training made, and as a `Trainer`.
 *
 * @packageDocumentation
 */
export { type TinyProviderOptions, tinyProvider } from "./provider.ts";
export { storedTrainedModels } from "./trained-models.ts";
export { type TinyTrainerOptions, tinyTrainer } from "./trainer.ts";
