// Reads the JSON body of a request. Untrusted: type, encoding, size, nesting and how much it holds are checked while its
// bytes arrive, before anything is built of it; and no step of it keeps others waiting.

import { Fault, type Issue, type JsonRecords } from "@assay/base";
import {
  type JsonFault,
  JsonScan,
  JsonSyntaxError,
  nextTurn,
  parseInPieces,
  shownName,
} from "@assay/base/internal";
import { BytePieces } from "./byte-pieces.ts";
import { inSteps } from "./in-steps.ts";
import type { Place } from "./room.ts";

/** Why a body was not read, and the status that says so. */
export interface Refusal {
  readonly status: 400 | 408 | 413 | 415 | 422 | 429;
  /** What is wrong and what would be right, for a person. */
  readonly message: string;
  /** What is wrong; paths begin with `body`. Not empty when `status` is 422. */
  readonly issues: readonly Issue[];
  /** Headers that the answer has. */
  readonly headers?: { readonly [name: string]: string };
}

/** A body, or why it was refused. */
export type Body<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

/** How large a body may be. */
export interface BodyLimits {
  /** Bytes, counted after decompression. Default 4 MiB. */
  readonly maxBytes?: number | undefined;
  /** Levels of lists and objects. Default 256. */
  readonly maxDepth?: number | undefined;
  /** `logged`: the value remembers how its numbers were written, as content must that is kept. Default `double`. */
  readonly numbers?: "logged" | "double" | undefined;
  /** Values of any kind, all told. Default 250,000. */
  readonly maxValues?: number | undefined;
  /** Of a body that is made of records, how much each may hold. Default: what the body may. */
  readonly records?: JsonRecords | undefined;
  /** Different names of members of objects. Default 20,000. */
  readonly maxNames?: number | undefined;
  /** Milliseconds that the next 64 KiB, or the end, may take to come. Default 15,000. */
  readonly patience?: number | undefined;
}

const MAX_BYTES = 4 * 2 ** 20;
/** Above anything the query language can nest (64 operations), far below what exhausts the stack of a JSON walker. */
const MAX_DEPTH = 256;
const MAX_VALUES = 250_000;
const MAX_NAMES = 20_000;
const PATIENCE = 15_000;
/** What must come within the patience: less of it from a client that dribbles does not count. */
const STRETCH = 2 ** 16;

/** What one turn scans: about a millisecond. */
const SCANNED = 2 ** 19;
/** Up to here a body is read whole, which takes servers much less than in pieces. */
const READ_WHOLE = 2 ** 18;

/** What a value takes up once it is built, beside its bytes: a small list or object, or its share of a larger one. */
const VALUE_BYTES = 32;

/** Who has a part in a body as it is read. */
export interface Reader {
  /** Where the body takes up room: its bytes as they come, and what is built of them. */
  readonly place?: Place | undefined;
  /** Shown all bytes as they come, some at a time. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

/**
 * The JSON value in the body of `request`. Issue codes: `missing` (no body), `json_invalid`, `value_error` (nested too
 * deep, or holds too much). Throws only when the connection breaks off: a `cancelled` fault.
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
  // Some editors put a byte-order mark before a text. White space in its place keeps what was found where it is.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes.fill(0x20, 0, 3);
  if (bytes.length === 0) return invalid("missing", ["body"], "a JSON body is needed");
  fault ??= scan.end();
  if (fault?.kind === "limit") return invalid("value_error", ["body"], `the body ${fault.message}`);
  if (fault?.kind === "syntax") return notJson(bytes, new JsonSyntaxError(fault.at));
  if (place?.take(scan.values * VALUE_BYTES) === false) return noRoom();
  try {
    const parsing = parseInPieces(bytes, scan.cut, { decode, logged: limits.numbers === "logged" });
    return { ok: true, value: await inSteps(parsing) };
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

/** Why a body is not read on. */
export class BodyRefused extends Error {
  readonly refusal: Refusal;

  constructor({ refusal }: { readonly refusal: Refusal }) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * The bytes of a body, decompressed, when they are within the limit. Shows them to `look` as they come, no more than
 * half a MiB at once; stops reading, and gives what was read, when it says no.
 */
export async function readBytes(
  request: Request,
  limits: BodyLimits,
  place: Place | undefined,
  look: (bytes: Uint8Array) => boolean = () => true,
): Promise<Body<Uint8Array>> {
  const pieces = new BytePieces();
  try {
    for await (const piece of bytesOf(request, limits, place)) {
      pieces.add(piece);
      if (!look(piece)) break;
    }
  } catch (error) {
    if (error instanceof BodyRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
  return { ok: true, value: await inSteps(pieces.joined()) };
}

/**
 * The bytes of a body as they come, decompressed, no more than half a MiB at once and others' turn between. Throws
 * `BodyRefused` when they are more than the limit, come too slowly, find no place or are not in the encoding they claim
 * to be in, and a `cancelled` fault when the connection breaks off. What is not taken of them is read and discarded.
 */
export async function* bytesOf(
  request: Request,
  { maxBytes = MAX_BYTES, patience = PATIENCE }: BodyLimits,
  place: Place | undefined,
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
        if (i > 0) await nextTurn();
        yield chunk.subarray(i, i + SCANNED);
      }
    }
  } catch (error) {
    if (error instanceof DecodingError) throw new BodyRefused(refused(400, error.message));
    const isCut = request.signal.aborted && !(error instanceof BodyRefused);
    throw isCut ? Fault.from(error, "cancelled", "the connection broke off") : error;
  } finally {
    // The rest is not waited for.
    if (!isOver) void drain(iterator).catch(() => {});
  }
}

/** How much is read, and for how many milliseconds, of what is left of a body that is refused. */
const DRAINED = 128 * 2 ** 20;
const DRAINING = 5000;

/**
 * Reads what is left of a body and keeps nothing: a connection that is cut while its client is still sending takes the
 * answer with it. A client that sends on and on is cut off.
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

/** What `promise` resolves to; undefined when it takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  // When time is up its failure is ignored.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A body that is not in the encoding that its header says. */
export class DecodingError extends Error {}

/**
 * The body of a request in pieces, decompressed when it is in gzip or deflate; 415 for other encodings.
 * Reading throws `DecodingError` when the body is not in the encoding it claims to be in.
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
      return refused(
        415,
        `content encoding ${quoted(encoding)} is not understood; use gzip, deflate or none`,
      );
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

/** The refusal of a body for which there is no room: a client is told when to come back. */
export function noRoom(): { readonly ok: false; readonly refusal: Refusal } {
  const message = "too much is under way; send it again later";
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

/** The media type of a request and its charset, in lower case; the name is empty when there is none. */
export function contentType(request: Request): {
  readonly name: string;
  readonly charset: string | undefined;
} {
  const [name = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(one)?.[1]).find(Boolean);
  return { name: name.trim(), charset };
}

function quoted(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(shownName(text));
}
