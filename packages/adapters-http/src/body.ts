// Reads the JSON body of a request. Untrusted: type, encoding, size and nesting are checked before anything is parsed.

import { type Issue, parseJson } from "@assay/base";
import { nestsDeeper } from "./json-depth.ts";

/** Why a body was not read, and the status that says so. */
export interface Refusal {
  readonly status: 400 | 413 | 415 | 422;
  /** What is wrong and what would be right, for a person. */
  readonly message: string;
  /** What is wrong; paths begin with `body`. Not empty when `status` is 422. */
  readonly issues: readonly Issue[];
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
}

const MAX_BYTES = 4 * 2 ** 20;
/** Above anything the query language can nest (64 operations), far below what exhausts the stack of a JSON walker. */
const MAX_DEPTH = 256;

/**
 * The JSON value in the body of `request`. Issue codes: `missing` (no body), `json_invalid`, `value_error` (nested
 * too deep). Throws only when the connection breaks off.
 */
export async function readJsonBody(request: Request, limits: BodyLimits = {}): Promise<Body<unknown>> {
  const { maxBytes = MAX_BYTES, maxDepth = MAX_DEPTH, numbers } = limits;
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
  const bytes = await readBytes(request, maxBytes);
  if (!bytes.ok) return bytes;
  if (bytes.value.length === 0) return invalid("missing", ["body"], "a JSON body is needed");
  if (nestsDeeper(bytes.value, maxDepth)) {
    return invalid("value_error", ["body"], `nested deeper than ${maxDepth} levels`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.value);
  } catch {
    return invalid("json_invalid", ["body"], "not JSON: the body is not UTF-8");
  }
  try {
    return { ok: true, value: numbers === "logged" ? parseJson(text) : JSON.parse(text) };
  } catch (error) {
    const at = errorPosition(error, text);
    if (at === undefined) return invalid("json_invalid", ["body"], "not JSON");
    const what = at === text.length ? "it breaks off" : "a syntax error";
    return invalid("json_invalid", ["body", at], `not JSON: ${what} at character ${at}`);
  }
}

/** The bytes of a body, decompressed, when they are no more than `maxBytes`. */
async function readBytes(request: Request, maxBytes: number): Promise<Body<Uint8Array>> {
  const tooLarge = refused(413, `the body is larger than ${maxBytes} bytes`);
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > maxBytes) return tooLarge;
  // How much that is, is known: servers read it whole for much less than in pieces.
  if (Number.isInteger(declared) && !request.headers.has("content-encoding")) {
    const value = new Uint8Array(await request.arrayBuffer());
    return value.length > maxBytes ? tooLarge : { ok: true, value };
  }
  const chunks = decodedBody(request);
  if (!chunks.ok) return chunks;
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks.value) {
      size += chunk.length;
      if (size > maxBytes) return tooLarge;
      parts.push(chunk);
    }
  } catch (error) {
    if (error instanceof DecodingError) return refused(400, error.message);
    throw error;
  }
  return { ok: true, value: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
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

/** A refusal. */
function refused(
  status: 400 | 413 | 415,
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status, message, issues: [] } };
}

function invalid(
  code: string,
  path: Issue["path"],
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status: 422, message, issues: [{ code, path, message }] } };
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

/** Where JSON.parse stopped, when it says so. Its own words repeat the text and are not for clients. */
function errorPosition(error: unknown, text: string): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.includes("end of JSON input") ? text.length : undefined;
}

function quoted(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(text.slice(0, 100));
}
