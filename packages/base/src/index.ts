/**
 * What every package of Assay says with: a `Result` for the caller's data, an `Issue` for each thing wrong with it, a
 * `Fault` when the outside world fails, a `Law` for what every implementation of a port must do.
 *
 * @packageDocumentation
 */
export { type BackoffBounds, backoffMs } from "./backoff.ts";
export type { Cancellation } from "./cancellation.ts";
export { compareText } from "./compare-text.ts";
export { excerpt, shownName } from "./excerpt.ts";
export { Fault, type FaultCode } from "./fault.ts";
export { GrowableArray, growableBytes, growableFloats, growableIndexes } from "./growable-array.ts";
export type { Json } from "./json.ts";
export { textNestsDeeper } from "./json-depth.ts";
export { type Fields, isJsonObject, type JsonObject } from "./json-object.ts";
export { JsonSyntaxError, type ParseInPiecesOptions, parseInPieces, parseSteps } from "./json-parse.ts";
export { jsonPieces, jsonTextSteps } from "./json-pieces.ts";
export {
  type JsonCut,
  type JsonFault,
  type JsonLimits,
  type JsonPiece,
  type JsonRecords,
  JsonScan,
} from "./json-scan.ts";
export {
  jsonText,
  keepNumberText,
  mayLoseNumbers,
  type NumberTexts,
  numberText,
  numberTexts,
  parseJson,
  withNumberTexts,
} from "./json-text.ts";
export { expectSame, expectThat, type Law, lawsFor, type Open } from "./law.ts";
export { type LineSplitter, lineSplitter } from "./line-splitter.ts";
export { type LruCache, lruCache } from "./lru-cache.ts";
export { endOfString, memberText } from "./member-text.ts";
export {
  isPathName,
  PATH_NAME_LENGTH,
  PATH_NAME_PATTERN,
  type PathNameFault,
  pathNameFault,
} from "./path-name.ts";
export {
  type Description,
  jsonSchemaOf,
  type ReadAsOptions,
  readAs,
  type Schema,
  schemaOf,
} from "./read-as.ts";
export { bad, type Issue, ok, type Result } from "./result.ts";
export { serialQueue } from "./serial-queue.ts";
export { atOnce, inTurns, type Steps } from "./steps.ts";
