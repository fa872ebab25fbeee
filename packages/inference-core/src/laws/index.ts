/**
 * The laws of the ports of `@assay/inference-core`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { adapterLoaderLaws, type LoaderBench } from "./adapter-loader.ts";
export { chatProviderLaws, type ProviderBench } from "./chat-provider.ts";
export { keyStoreLaws } from "./key-store.ts";
export { trainedModelsLaws } from "./trained-models.ts";
export { type EngineBench, upstreamEngineLaws } from "./upstream-engine.ts";
export { usageLaws } from "./usage-ledger.ts";
