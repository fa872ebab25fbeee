// Reads the JSON body of a request. Untrusted: checks type, encoding, size, nesting and number of values while bytes
// arrive, before anything is built of them. No step of it blocks other requests.

import { Fault, type Issue, type JsonRecords } from "@assay/base";
import {
  type JsonFault,
  JsonScan,
  JsonSyntaxError,
  parseInPieces,
  shownName,
  timeSlice,
} from "@assay/base/internal";
import { ChunkList } from "./chunk-list.ts";
import type { Reservation } from "./memory-budget.ts";
import { inTimeSlices } from "./time-slices.ts";

/** Why a body was refused, with the status of the answer. */
export interface Refusal {
  readonly status: 400 | 408 | 413 | 415 | 422 | 429;
  /** What is wrong and what would be valid, for a person. */
  readonly message: string;
  /** The issues, with paths that start with `body`. Not empty if `status` is 422. */
  readonly issues: readonly Issue[];
  /** Headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/** A body, or why it was refused. */
export type Body<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

/** The limits of a body. */
export interface BodyLimits {
  /** Bytes, counted after decompression. Default 4 MiB. */
  readonly maxBytes?: number | undefined;
  /** Levels of nested lists and objects. Default 256. */
  readonly maxDepth?: number | undefined;
  /** `logged` preserves the notation of numbers, which stored content needs. Default `double`. */
  readonly numbers?: "logged" | "double" | undefined;
  /** The total number of values of any kind. Default 250,000. */
  readonly maxValues?: number | undefined;
  /** For a body that consists of records, the limits of each record. Default: those of the body. */
  readonly records?: JsonRecords | undefined;
  /** The number of distinct member names of objects. Default 20,000. */
  readonly maxNames?: number | undefined;
  /** How many milliseconds the next 64 KiB, or the end, may take to arrive. Default 15,000. */
  readonly patience?: number | undefined;
}

const MAX_BYTES = 4 * 2 ** 20;
/** More than the query language can nest (64 operations), far less than what exhausts the stack of a JSON walker. */
const MAX_DEPTH = 256;
const MAX_VALUES = 250_000;
const MAX_NAMES = 20_000;
const PATIENCE = 15_000;
/** The bytes that must arrive within the patience, so that a client that dribbles is cut off. */
const STRETCH = 2 ** 16;

/** The bytes scanned without a pause: about a millisecond. */
const SCANNED = 2 ** 17;
/** Smaller bodies are read whole, which takes servers much less time than reading in chunks. */
const READ_WHOLE = 2 ** 18;

/** The memory of a parsed value in addition to its bytes: a small list or object, or its share of a larger one. */
const VALUE_BYTES = 32;

/** Observers of a body while it is read. */
export interface Reader {
  /** The memory budget for the body: its bytes as they arrive, and what is built from them. */
  readonly place?: Reservation | undefined;
  /** Called with all bytes as they arrive, in chunks. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

/**
 * The JSON value in the body of `request`. Issue codes: `missing` (no body), `json_invalid`, `value_error` (nested too
 * deep, or too large). Throws only if the connection breaks off: a `cancelled` fault.
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits = {},
  { place, onBytes }: Reader = {},
): Promise<Body<unknown>> {
  const type = contentType(request);
  if (type.name !== "application/json" && !/^application\/[\w.!#$&^-]+\+json$/.test(type.name)) {
    return refused(
      415,
      `the body must be JSON: send "Content-Type: application/json", not ${quoted(type.name)}`,
    );
  }
  if (type.charset !== undefined && type.charset !== "utf-8" && type.charset !== "utf8") {
    return refused(415, `the body must be in UTF-8, not ${quoted(type.charset)}`);
  }
  const { maxDepth = MAX_DEPTH, maxValues = MAX_VALUES, maxNames = MAX_NAMES, records } = limits;
  const scan = new JsonScan({ maxDepth, maxValues, maxNames, records });
  let fault: JsonFault | undefined;
  const read = await readBytes(request, limits, place, (piece) => {
    fault = scan.push(piece);
    onBytes?.(piece);
    return fault === undefined;
  });
  if (!read.ok) return read;
  const bytes = read.value;
  // Some editors put a byte-order mark before a text. It is replaced by white space, to keep offsets.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes.fill(0x20, 0, 3);
  if (bytes.length === 0) return invalid("missing", ["body"], "a JSON body is required");
  fault ??= scan.end();
  if (fault?.kind === "limit") return invalid("value_error", ["body"], `the body ${fault.message}`);
  if (fault?.kind === "syntax") return notJson(bytes, new JsonSyntaxError(fault.at));
  if (place?.take(scan.values * VALUE_BYTES) === false) return noRoom();
  try {
    const parsing = parseInPieces(bytes, scan.cut, { decode, logged: limits.numbers === "logged" });
    return { ok: true, value: await inTimeSlices(parsing) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return notJson(bytes, error);
    throw error;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

function notJson(bytes: Uint8Array, { at, message }: JsonSyntaxError): ReturnType<typeof invalid> {
  if (at === undefined) return invalid("json_invalid", ["body"], `not JSON: ${message}`);
  const characters = new TextDecoder().decode(bytes.subarray(0, at)).length;
  const what = at === bytes.length ? "it breaks off" : message;
  return invalid("json_invalid", ["body", characters], `not JSON: ${what} at character ${characters}`);
}

/** Why reading of a body stopped. */
export class BodyRefused extends Error {
  readonly refusal: Refusal;

  constructor({ refusal }: { readonly refusal: Refusal }) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * The decompressed bytes of a body, if they are within the limit. `look` gets them as they arrive, at most 128 KiB
 * at a time; if it returns false, reading stops and returns what was read.
 */
export async function readBytes(
  request: Request,
  limits: BodyLimits,
  place: Reservation | undefined,
  look: (bytes: Uint8Array) => boolean = () => true,
): Promise<Body<Uint8Array>> {
  const pieces = new ChunkList();
  try {
    for await (const piece of bytesOf(request, limits, place)) {
      pieces.add(piece);
      if (!look(piece)) break;
    }
  } catch (error) {
    if (error instanceof BodyRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
  return { ok: true, value: await inTimeSlices(pieces.joined()) };
}

/**
 * The decompressed bytes of a body as they arrive, at most 128 KiB at a time, with pauses between. Throws
 * `BodyRefused` if they exceed the limit, arrive too slowly, exceed the memory budget or are not in the declared
 * encoding, and a `cancelled` fault if the connection breaks off. The rest is read and discarded.
 */
export async function* bytesOf(
  request: Request,
  { maxBytes = MAX_BYTES, patience = PATIENCE }: BodyLimits,
  place: Reservation | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLarge = refused(413, `the body is larger than ${maxBytes} bytes`);
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > maxBytes) throw new BodyRefused(tooLarge);
  const whole = declared <= READ_WHOLE && !request.headers.has("content-encoding");
  const chunks = whole ? { ok: true as const, value: wholeBody(request) } : decodedBody(request);
  if (!chunks.ok) throw new BodyRefused(chunks);
  let size = 0;
  let [stretch, since] = [0, performance.now()];
  let isOver = false;
  const pause = timeSlice();
  const iterator = chunks.value[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(since + patience - performance.now(), iterator.next());
      if (next === undefined) {
        const message = `the body came too slowly: ${STRETCH} bytes must come within ${patience / 1000} s`;
        throw new BodyRefused(refused(408, message));
      }
      isOver = next.done === true;
      if (next.done === true) return;
      const chunk = next.value;
      size += chunk.length;
      if (size > maxBytes) throw new BodyRefused(tooLarge);
      if (place?.take(chunk.length) === false) throw new BodyRefused(noRoom());
      if (size - stretch >= STRETCH) [stretch, since] = [size, performance.now()];
      for (let i = 0; i < chunk.length; i += SCANNED) {
        const turn = pause();
        if (turn !== undefined) await turn;
        yield chunk.subarray(i, i + SCANNED);
      }
    }
  } catch (error) {
    if (error instanceof DecodingError) throw new BodyRefused(refused(400, error.message));
    const isCut = request.signal.aborted && !(error instanceof BodyRefused);
    throw isCut ? Fault.from(error, "cancelled", "the connection broke off") : error;
  } finally {
    // Does not wait for the rest.
    if (!isOver) void drain(iterator).catch(() => {});
  }
}

/** How many bytes of a refused body to drain, and for how many milliseconds. */
const DRAINED = 128 * 2 ** 20;
const DRAINING = 5000;

/**
 * Reads the rest of a body and discards it: closing a connection while its client is still sending would lose the
 * answer. A client that sends without end is cut off.
 */
async function drain(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  const until = performance.now() + DRAINING;
  try {
    for (let left = DRAINED; left > 0; ) {
      const next = await within(until - performance.now(), iterator.next());
      if (next === undefined || next.done === true) return;
      left -= next.value.length;
    }
  } finally {
    // Does not wait for a read that never ends.
    void iterator.return?.()?.catch(() => {});
  }
}

async function* wholeBody(request: Request): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await request.arrayBuffer());
}

/** The result of `promise`; undefined if it takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  // After the time is up, its failure is ignored.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A body that is not in the encoding its header declares. */
export class DecodingError extends Error {}

/**
 * The body of a request in chunks, decompressed from gzip or deflate; 415 for other encodings. Reading throws
 * `DecodingError` if the body is not in the declared encoding.
 */
export function decodedBody(request: Request): Body<AsyncIterable<Uint8Array>> {
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  const body = request.body ?? new Blob([]).stream();
  switch (encoding) {
    case "identity":
    case "":
      return { ok: true, value: chunksOf(body) };
    case "gzip":
    case "x-gzip":
    case "deflate":
      return { ok: true, value: decoded(body, encoding === "deflate" ? "deflate" : "gzip") };
    default:
      return refused(415, `content encoding ${quoted(encoding)} is not supported; use gzip, deflate or none`);
  }
}

async function* chunksOf(stream: ReadableStream): AsyncIterable<Uint8Array> {
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) yield chunk;
}

async function* decoded(body: ReadableStream, format: "gzip" | "deflate"): AsyncIterable<Uint8Array> {
  try {
    yield* chunksOf(body.pipeThrough(new DecompressionStream(format) as unknown as ReadableWritablePair));
  } catch (error) {
    throw new DecodingError(`the body is not valid ${format}`, { cause: error });
  }
}
type ReadableWritablePair = Parameters<ReadableStream["pipeThrough"]>[0];

/** The refusal of a body that exceeds the memory budget, with the time after which to retry. */
export function noRoom(): { readonly ok: false; readonly refusal: Refusal } {
  const message = "the server is busy; send the request again later";
  return {
    ok: false,
    refusal: { status: 429, message, issues: [], headers: { "Retry-After": "1" } },
  };
}

/** A refusal. */
function refused(
  status: 400 | 408 | 413 | 415,
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status, message, issues: [] } };
}

function invalid(
  code: string,
  path: Issue["path"],
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return {
    ok: false,
    refusal: { status: 422, message, issues: [{ code, path, message }] },
  };
}

/** The media type of a request and its charset, in lower case; the name is empty without one. */
export function contentType(request: Request): {
  readonly name: string;
  readonly charset: string | undefined;
} {
  const [name = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((one) => /^charset\s*=\s*"?([^"\s]*)"?$/.exec(one.trim())?.[1])
    .find(Boolean);
  return { name: name.trim(), charset };
}

function quoted(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(shownName(text));
}
