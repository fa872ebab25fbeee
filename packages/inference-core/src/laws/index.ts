export { chatProviderLaws, type ProviderBench } from "./chat-provider.ts";
export { keyStoreLaws } from "./key-store.ts";
export { trainedModelsLaws } from "./trained-models.ts";
export { usageLaws } from "./usage-ledger.ts";
