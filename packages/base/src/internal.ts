/**
 * What other Assay packages need from `@assay/base`. Not part of its public API: any release can change or remove a
 * name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { type BackoffBounds, backoffMs } from "./backoff.ts";
export { builtinModule } from "./builtin-module.ts";
export { compareText } from "./compare-text.ts";
export { excerpt, shownName } from "./excerpt.ts";
export { givingWay } from "./giving-way.ts";
export { GrowableArray, growableBytes, growableFloats, growableIndexes } from "./growable-array.ts";
export { textNestsDeeper } from "./json-depth.ts";
export { type Fields, isJsonObject } from "./json-object.ts";
export { JsonSyntaxError, parseInPieces, parseSteps } from "./json-parse.ts";
export { jsonPieces, jsonTextSteps } from "./json-pieces.ts";
export { type JsonFault, type JsonLimits, JsonScan } from "./json-scan.ts";
export {
  keepNumberText,
  mayLoseNumbers,
  type NumberTexts,
  numberText,
  numberTexts,
  parseJson,
  withNumberTexts,
} from "./json-text.ts";
export { type KeyedSemaphore, keyedSemaphore } from "./keyed-semaphore.ts";
export { expectSame, expectThat, lawsFor } from "./law.ts";
export { everySchema, type LazySchemas, lazySchemas } from "./lazy-schemas.ts";
export { lineSplitter } from "./line-splitter.ts";
export { type LruCache, lruCache } from "./lru-cache.ts";
export { endOfString, memberText } from "./member-text.ts";
export { nextTurn, shareTurnsBy } from "./next-turn.ts";
export { isPathName, PATH_NAME_LENGTH, PATH_NAME_PATTERN, pathNameFault } from "./path-name.ts";
export { plainFileName } from "./plain-file-name.ts";
export { type Description, jsonSchemaOf, readAs, type Schema, schemaOf } from "./read-as.ts";
export { serialQueue } from "./serial-queue.ts";
export { shellWord } from "./shell-word.ts";
export { inTurns } from "./steps.ts";
