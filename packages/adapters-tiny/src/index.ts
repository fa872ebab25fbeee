export { type TinyProviderOptions, tinyProvider } from "./provider.ts";
export { storedTrainedModels } from "./trained-models.ts";
