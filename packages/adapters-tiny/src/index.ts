/**
 * The tiny model and its checkpoints as a `ChatProvider`, in the process.
 *
 * @packageDocumentation
 */
export { type TinyProviderOptions, tinyProvider } from "./provider.ts";
export { storedTrainedModels } from "./trained-models.ts";
