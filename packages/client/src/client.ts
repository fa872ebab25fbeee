// The client: builds a request of an operation, sends it and checks the response. Knows only the generated table of
// operations. Parameters must never change the path in other ways than as one segment.

import { Fault } from "@assay/base";
import { type BackoffBounds, backoffMs, checkMembers, type Members, pause } from "@assay/base/internal";
import type { Answer, Asked, InputOf, Operation } from "./operation.ts";
import { BODY_TYPES } from "./operations.ts";
import { Refusal, refusalOf } from "./refusal.ts";

/** The server's address, and how to send requests to it. */
export interface ClientOptions {
  /** The address, such as `http://127.0.0.1:7777`, with the path under which a proxy has the server. */
  readonly url: string;
  /** The API key. An empty one is none. */
  readonly apiKey?: string | undefined;
  /** Sends requests, such as a handler in your own process or a proxy. Default: `fetch`. */
  readonly fetch?: (request: Request, options: { readonly signal?: AbortSignal }) => Promise<Response>;
  /**
   * How many times to repeat a request that the server refuses with 429, which it does before any work, after the time
   * that `Retry-After` says. If that is more than a minute, or the body is streamed, the request is not repeated.
   * Default 2.
   */
  readonly retries?: number | undefined;
}

/** A client of one server. */
export interface AssayClient {
  /** The server's address. */
  readonly url: string;
  /**
   * Sends a request and returns its answer, as the OpenAPI document describes it. Throws a `Refusal` for an
   * unsuccessful response, an `unavailable` fault if the server does not answer, a `cancelled` fault if `signal`
   * aborted, and a `TypeError` for an invalid path parameter.
   */
  ask<O extends Asked>(operation: O, ...input: InputOf<O>): Promise<Answer<O>>;
  /** The same, but returns the response to read as it arrives: events, lines or files. */
  open<O extends Operation>(operation: O, ...input: InputOf<O>): Promise<Response>;
}

/** A client of the server at `url`. Throws a `TypeError` for an invalid address, and for an unknown option. */
export function assayClient(options: ClientOptions): AssayClient {
  checkMembers("options", options, { url: "any?", apiKey: "text?", fetch: "function?", retries: "number?" });
  const { url, apiKey, fetch: send = (request, options) => fetch(request, options), retries = 2 } = options;
  const base = baseOf(url);
  const answered = async (request: Request, signal: AbortSignal | undefined): Promise<Response | Refusal> => {
    let response: Response;
    try {
      // A request holds its signal weakly: once the signal is garbage-collected, an abort would no longer end the
      // response.
      response = await send(request, signal ? { signal } : {});
    } catch (error) {
      throwIfStopped(signal);
      throw Fault.from(error, "unavailable", `the server at ${url} does not answer`);
    }
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    throwIfStopped(signal);
    return refusal;
  };
  const open = async (operation: string, input: AnyInput = {}): Promise<Response> => {
    checkMembers(operation, input, INPUT);
    const { signal } = input;
    for (let failures = 1; ; failures++) {
      const response = await answered(requestOf(base, operation, input, apiKey), signal);
      if (!(response instanceof Refusal)) return response;
      const pauseMs = 1000 * (response.retryAfter ?? 0) || backoffMs(failures, PAUSES);
      const mayRepeat = response.status === 429 && failures <= retries && !isStreamed(input.body);
      if (!mayRepeat || pauseMs > PAUSES.longestMs) throw response;
      await pause(pauseMs, signal);
      throwIfStopped(signal);
    }
  };
  return {
    url: base,
    open: (operation, input?) => open(operation, input as AnyInput),
    async ask<O extends Asked>(operation: O, ...[input]: InputOf<O>) {
      const response = await open(operation, input as AnyInput);
      try {
        const text = await response.text();
        return (text === "" ? undefined : JSON.parse(text)) as Answer<O>;
      } catch (cause) {
        throwIfStopped(input?.signal);
        const type = response.headers.get("content-type") ?? "";
        const what = type.includes("json") ? "closed the connection before the end" : otherThanJson(type);
        throw new Fault("unavailable", `the server at ${url} ${what}`, { cause });
      }
    },
  };
}

const PAUSES: BackoffBounds = { firstMs: 500, longestMs: 60_000 };

/** The message for a response of another type than JSON. */
function otherThanJson(type: string): string {
  return type.startsWith("text/html")
    ? "sent a page instead of an answer"
    : `sent ${type || "something"} instead of JSON`;
}

/** The address without its last slashes. */
function baseOf(url: string): string {
  if (/^https?:\/\/[^?#]+$/i.test(url?.trim()) && URL.canParse(url)) return url.trim().replace(/\/+$/, "");
  throw new TypeError(`url must be an address such as http://127.0.0.1:7777, not ${JSON.stringify(url)}`);
}

/** Throws a fault if the caller aborted; what failed then is a consequence. */
function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Fault("cancelled", "stopped", { cause: signal.reason });
}

/** The input of any operation. */
interface AnyInput {
  readonly path?: { readonly [name: string]: unknown };
  readonly query?: { readonly [name: string]: unknown };
  readonly header?: { readonly [name: string]: unknown };
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal | undefined;
}

const INPUT: Members<AnyInput> = {
  ...{
    path: "object?",
    query: "object?",
    header: "object?",
    body: "any?",
    headers: "object?",
    signal: "any?",
  },
};

function requestOf(base: string, operation: string, input: AnyInput, apiKey: string | undefined): Request {
  const { path = {}, query = {}, header = {}, body, signal } = input;
  const [method = "", template = ""] = operation.split(" ");
  const where = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const headers = new Headers(input.headers);
  for (const [name, value] of Object.entries(header))
    if (value !== undefined) headers.set(name, String(value));
  if (apiKey) headers.set("authorization", `Bearer ${apiKey}`);
  const type = BODY_TYPES[operation] ?? "application/json";
  // The form sets its own content type, with the boundary between its parts.
  if (body !== undefined && !(body instanceof FormData)) headers.set("content-type", type);
  return new Request(`${base}${where}${textOf(query)}`, {
    method,
    headers,
    // With credentials, a browser would ask for a password, because a 401 offers Basic; and cookies are not used.
    credentials: "omit",
    ...(signal && { signal }),
    ...(body !== undefined && { body: isStreamed(body) ? streamOf(body) : sent(body, type) }),
    ...(isStreamed(body) && { duplex: "half" }),
  });
}

/** A parameter as one segment of a path. `.` and `..` would be read as folders and lead elsewhere. */
function segment(name: string, value: unknown): string {
  const text = String(value ?? "");
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new TypeError(`${name} cannot be "${text}": it would change the path`);
}

function textOf(query: { readonly [name: string]: unknown }): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((one): [string, string] => [name, String(one)]);
    if (typeof value !== "object") return [[name, String(value)]];
    return Object.entries(value).map(([member, one]): [string, string] => [
      `${name}[${member}]`,
      String(one),
    ]);
  });
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

function sent(body: unknown, type: string): string | Uint8Array<ArrayBuffer> | FormData {
  if (type === "application/json") return JSON.stringify(body);
  if (typeof body === "string" || ArrayBuffer.isView(body) || body instanceof FormData)
    return body as Uint8Array<ArrayBuffer>;
  throw new TypeError(`the body must be a text or bytes, as ${type}, not of type ${typeof body}`);
}

function isStreamed(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function streamOf(pieces: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel(reason) {
      await iterator.return?.(reason);
    },
  });
}
