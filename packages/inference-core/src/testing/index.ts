/**
 * What stands in for an engine in tests of whatever uses inference: a provider that says what it is told to say.
 *
 * @packageDocumentation
 */
export { engineChunk, type ScriptStep, sayTokens, scriptedProvider } from "./scripted-provider.ts";
