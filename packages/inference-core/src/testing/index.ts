/**
 * A fake engine for tests of code that uses inference: a provider that follows a script.
 *
 * @packageDocumentation
 */
export { engineChunk, type ScriptStep, sayTokens, scriptedProvider } from "./scripted-provider.ts";
