// Limits open streams: how many a key may have, and how long one may stay unread. Requests a chunk from its source only
// when the client reads.

import { Fault } from "@assay/base";
import type { MemoryBudget } from "../request/memory-budget.ts";
import type { Authenticate } from "../request/principal.ts";
import type { Problem } from "./problem.ts";
import { isProduced, isStreamed } from "./stream-response.ts";

/** The limits of open streams. */
export interface StreamLimits {
  /**
   * Identifies the caller: each key has its own share. Called again at most once a second before a chunk is sent, so
   * that a stream breaks off once its key is revoked or has expired.
   */
  readonly authenticate: Authenticate;
  /**
   * The most streams that one key may have open; beyond them the answer is 429. Default 64. A chat counts as a
   * sixteenth.
   */
  readonly maxOfKey?: number | undefined;
  /** The most streams that all keys together may have open. Default 256. */
  readonly maxOfAll?: number | undefined;
  /** The memory budget shared by all routes; each stream takes a MiB of it. Default: none. */
  readonly memory?: MemoryBudget | undefined;
  /** Called with the number of open streams whenever it changes. */
  readonly onCount?: ((open: number) => void) | undefined;
  /** Milliseconds after which an unread stream is cut off. Default 300,000. */
  readonly patience?: number | undefined;
}

const MAX_OF_KEY = 64;
const MAX_OF_ALL = 256;
const PATIENCE = 300_000;
/** The memory of an open stream: a finished chunk, one being sent, and its source. */
const STREAM_BYTES = 2 ** 20;
/** How many small streams count as one. */
const SMALL = 16;

/**
 * Answers a request whose answer may be a stream, or refuses it. `kind` is what its route declares about streams;
 * without it, the answer counts if it turns out to be written in chunks.
 */
export type OpenStream = (
  request: Request,
  answer: () => Promise<Response>,
  kind?: "large" | "small" | undefined,
) => Promise<Response | Problem>;

/**
 * Counts streams from the request until the last chunk was read, the client disconnected or its key became invalid.
 */
export function openStreams({
  authenticate,
  maxOfKey = MAX_OF_KEY,
  maxOfAll = MAX_OF_ALL,
  patience = PATIENCE,
  memory,
  onCount = () => {},
}: StreamLimits): OpenStream {
  /** By key, in sixteenths. */
  const open = new Map<string, number>();
  let all = 0;
  let count = 0;

  /** A newly opened stream with a function that closes it, or the reason why it may not be opened. */
  const enter = (request: Request, key: string, weight: number): (() => void) | Problem => {
    const own = open.get(key) ?? 0;
    if (own + weight > maxOfKey * SMALL) return tooMany(request, maxOfKey);
    const place = memory?.reserve(key);
    if (all + weight > maxOfAll * SMALL || place?.take((weight / SMALL) * STREAM_BYTES) === false) {
      place?.release();
      return tooManyOfAll(request);
    }
    open.set(key, own + weight);
    all += weight;
    onCount(++count);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      place?.release();
      all -= weight;
      onCount(--count);
      const left = open.get(key)! - weight;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    };
  };

  const counted = (request: Request, response: Response, leave: () => void): Response => {
    const { status, headers } = response;
    let checked = performance.now();
    const isValid = async () => {
      if (performance.now() - checked < CHECK_MS) return true;
      checked = performance.now();
      return (await authenticate(request)) !== undefined;
    };
    return new Response(readWithin(response.body!, { patience, isValid, ended: leave }), { status, headers });
  };

  return async (request, answer, kind) => {
    if (kind === undefined) {
      const response = await answer();
      if (!isStreamed(response)) return response;
      const principal = await authenticate(request);
      if (principal === undefined) return response;
      const leave = enter(request, principal.id, SMALL);
      if (typeof leave === "function") return counted(request, response, leave);
      void response.body?.cancel().catch(() => {});
      return leave;
    }
    const principal = await authenticate(request);
    // The route refuses callers without permission.
    if (principal === undefined) return answer();
    const leave = enter(request, principal.id, kind === "small" ? 1 : SMALL);
    if (typeof leave !== "function") return leave;
    try {
      const response = await answer();
      if (response.ok && response.body !== null && isProduced(response))
        return counted(request, response, leave);
      leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  };
}

function tooManyOfAll(request: Request): Problem {
  const { pathname } = new URL(request.url);
  const detail = `too many streams of all keys are open on this server to open ${pathname}: try again later`;
  return { status: 429, detail, headers: { "Retry-After": "5" } };
}

function tooMany(request: Request, most: number): Problem {
  const { pathname } = new URL(request.url);
  const detail = `this key has ${most} streams open, the most allowed, and cannot open ${pathname}: read or close one of its watches, event streams or exports first`;
  return { status: 429, detail, headers: { "Retry-After": "5" } };
}

/** How long a key counts as valid after it was checked: a check for every token could cost more than the token. */
const CHECK_MS = 1000;

/** How long a stream stays open. */
interface StreamLife {
  /** The milliseconds that a chunk waits to be read. */
  readonly patience: number;
  /** Whether its key is still valid. */
  readonly isValid: () => Promise<boolean>;
  /** Called when it ends, possibly more than once. */
  readonly ended: () => void;
}

/**
 * `source`, which is asked for a chunk when one is read. It breaks off if the next is not read, or once its key is not
 * valid any more: a regular end would make an incomplete export look complete.
 */
function readWithin(
  source: NonNullable<Response["body"]>,
  { patience, isValid, ended }: StreamLife,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let controlled: ReadableStreamDefaultController<Uint8Array> | undefined;
  // Runs while a chunk waits to be read. Chunks are usually read immediately, so the timer is refreshed instead of
  // recreated.
  const timer = setTimeout(() => {
    if (isReading) return;
    end();
    const fault = new Fault("cancelled", `the stream was not read for ${patience / 1000} s`);
    controlled?.error(fault);
    void reader.cancel(fault).catch(() => {});
  }, patience);
  timer.unref();
  let isReading = false;
  const end = () => {
    clearTimeout(timer);
    ended();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controlled = controller;
      },
      async pull(controller) {
        isReading = true;
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            controller.close();
            return;
          }
          if (!(await isValid())) throw new Fault("cancelled", "the key of the stream is no longer valid");
          controller.enqueue(value);
        } catch (error) {
          end();
          void reader.cancel(error).catch(() => {});
          throw error;
        } finally {
          isReading = false;
        }
        timer.refresh();
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
