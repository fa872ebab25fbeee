/**
 * Exports of `@assay/base` for other packages of Assay. Not part of the public API: any release can change or remove a
 * name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export { builtinModule } from "./builtin-module.ts";
export { checkMembers, hintedName, type Members } from "./check-members.ts";
export {
  GrowableArray,
  growableBytes,
  growableFloats,
  growableIndexes,
} from "./collections/growable-array.ts";
export { type LruCache, lruCache } from "./collections/lru-cache.ts";
export { type BackoffBounds, backoffMs } from "./concurrency/backoff.ts";
export { batchQueue } from "./concurrency/batch-queue.ts";
export { type KeyedSemaphore, keyedSemaphore } from "./concurrency/keyed-semaphore.ts";
export { nextTurn, shareTurnsBy } from "./concurrency/next-turn.ts";
export { pause } from "./concurrency/pause.ts";
export { serialQueue } from "./concurrency/serial-queue.ts";
export { sortIndexes } from "./concurrency/sort-indexes.ts";
export { inTurns } from "./concurrency/steps.ts";
export { timeSlice } from "./concurrency/time-slice.ts";
export { untilWritten } from "./concurrency/until-written.ts";
export { textHasMoreValues, textNestsDeeper } from "./json/json-depth.ts";
export { type Fields, isJsonObject, setMember } from "./json/json-object.ts";
export { JsonSyntaxError, parseInPieces, parseSteps } from "./json/json-parse.ts";
export { jsonPieces, jsonTextSteps } from "./json/json-pieces.ts";
export { type JsonFault, type JsonLimits, JsonScan } from "./json/json-scan.ts";
export {
  keepNumberText,
  mayLoseNumbers,
  type NumberTexts,
  numberText,
  numberTexts,
  parseJson,
  withNumberTexts,
} from "./json/json-text.ts";
export { endOfString, memberText } from "./json/member-text.ts";
export { expectSame, expectThat, lawsFor } from "./law.ts";
export { everySchema, type LazySchemas, lazySchemas } from "./schemas/lazy-schemas.ts";
export { type Description, jsonSchemaOf, readAs, type Schema, schemaOf } from "./schemas/read-as.ts";
export { compareText } from "./text/compare-text.ts";
export { excerpt, shownName } from "./text/excerpt.ts";
export { lineSplitter } from "./text/line-splitter.ts";
export { isPathName, PATH_NAME_LENGTH, PATH_NAME_PATTERN, pathNameFault } from "./text/path-name.ts";
export { plainFileName } from "./text/plain-file-name.ts";
export { isProjectName } from "./text/project-name.ts";
export { shellWord } from "./text/shell-word.ts";
export { didYouMean, nearest } from "./text/suggest-names.ts";
