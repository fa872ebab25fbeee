// One engine over HTTP: sends a request to it and reads its stream. Never follows redirects or calls another host than
// the configured one.

import { Fault } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { ChatRequest, EngineEvent, Refusal, UpstreamOptions } from "@assay/inference-core";
import type {
  EmbeddingRequest,
  EngineChunk,
  StreamOptions,
  TextRequest,
} from "@assay/inference-core/internal";
import type { Dispatcher, Pool } from "undici";
import { readTextCapped } from "./read-text-capped.ts";
import { refusalOf, statusOfError } from "./reply-status.ts";
import { type RequestTimeouts, requestTimeouts } from "./request-timeouts.ts";
import { readEvents } from "./sse-reader.ts";
import type { UpstreamConfig } from "./upstream-config.ts";

/** An engine. */
export interface Engine {
  readonly config: UpstreamConfig;
  /** The answer of the engine's model `name` to `request`, like `ChatProvider.chat`. */
  chat(name: string, request: ChatRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void>;
  /** The continuations of texts by the engine's model `name`, like `ChatProvider.continueText`. */
  continueText(name: string, request: TextRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void>;
  /** The embeddings of texts by the engine's model `name`, like `ChatProvider.embed`. */
  embed(name: string, request: EmbeddingRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void>;
  /** Sends JSON to a path below the base address. Throws a `Fault` if there is no answer. */
  post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }>;
  /** Ends all connections, including those in use. */
  close(): Promise<void>;
}

/** The most bytes of an answer that is not streamed, and of an error. */
const MAX_WHOLE = 64 * 2 ** 20;
const MAX_ERROR = 64 * 2 ** 10;
/**
 * How many milliseconds an engine may take to end its response after `[DONE]`, so that the connection can be reused.
 */
const AFTER_DONE = 1000;

/** The engine that `config` describes. Connects on first use. */
export function httpEngine(
  config: UpstreamConfig,
  { now, headers = () => ({}) }: Pick<UpstreamOptions, "now" | "headers">,
): Engine {
  const base = new URL(config.url);
  const prefix = base.pathname.replace(/\/+$/, "");
  const { connect, firstByte, idle, whole } = config.timeouts;
  let opened: Promise<Pool> | undefined;
  /**
   * The connections. The client is loaded for the first request, because most programs with engines never send one.
   */
  const open = async (): Promise<Pool> => {
    const { openConnections } = await import("./connections.ts");
    return openConnections(base.origin, config.concurrency, connect);
  };

  /**
   * Sends a request. If a kept connection turns out to be closed, it tries again once; that is not a failure of the
   * engine.
   */
  const send = async (
    path: string,
    body: unknown,
    { signal }: RequestTimeouts,
  ): Promise<Dispatcher.ResponseData> => {
    const options = {
      method: "POST",
      path: prefix + path,
      headers: {
        ...headers(),
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        ...(config.key !== undefined && { authorization: `Bearer ${config.key}` }),
      },
      body: JSON.stringify(body),
      signal,
    } as const;
    opened ??= open();
    const pool = await opened;
    try {
      return await pool.request(options);
    } catch (error) {
      if (signal.aborted || !isReset(error)) throw error;
      return await pool.request(options);
    }
  };

  /** The usage is always requested, as the server counts; other options are the engine's. */
  const streamedWith = ({ continuous_usage_stats: _, ...options }: StreamOptions) => ({
    stream: true,
    stream_options: {
      ...options,
      include_usage: true,
      ...(config.continuousUsage && { continuous_usage_stats: true }),
    },
  });

  /** Requests an answer, as a stream or `wholly`; in the latter case its first byte arrives with its last. */
  async function* ask(
    path: string,
    body: unknown,
    signal: AbortSignal,
    wholly: boolean,
  ): AsyncGenerator<EngineEvent, void> {
    const watch = requestTimeouts(signal);
    let ended = false;
    try {
      watch.start(connect + (wholly ? whole : firstByte), "the engine did not start to answer in time");
      const reply = await send(path, body, watch);
      for await (const event of read(reply, watch, idle, now)) {
        yield event;
        // Earlier data is not read any more.
        if (signal.aborted) throw new Fault("cancelled", "the request was cancelled");
      }
      ended = true;
    } catch (error) {
      throw watch.reason() ?? lost(error);
    } finally {
      watch.stop();
      // Ends the engine's work and the connection.
      if (!ended) watch.abort();
    }
  }

  /**
   * Requests a stream if the client wants one, and otherwise the whole answer, for which the engine counts every
   * token. If a stream ends before its first event, it requests the whole answer once: some engines refuse a request
   * by ending its stream, and explain why only without one.
   */
  async function* generate(
    path: string,
    { stream, stream_options: options, ...body }: ChatRequest | TextRequest,
    signal: AbortSignal,
  ): AsyncGenerator<EngineEvent, void> {
    // The best of several are known only once all have ended.
    const streamed = stream === true && !(Number(body["best_of"] ?? 1) > (body.n ?? 1));
    if (streamed) {
      let silent = true;
      for await (const event of ask(path, { ...body, ...streamedWith(options ?? {}) }, signal, false)) {
        silent = false;
        yield event;
      }
      if (!silent) return;
    }
    yield* ask(path, { ...body, stream: false }, signal, true);
  }

  return {
    config,
    chat: (name, request, signal) => generate("/chat/completions", { ...request, model: name }, signal),
    continueText: (name, request, signal) => generate("/completions", { ...request, model: name }, signal),
    embed: (name, request, signal) => ask("/embeddings", { ...request, model: name }, signal, true),

    async post(path, body) {
      const watch = requestTimeouts(undefined);
      try {
        watch.start(connect + firstByte, "the engine did not answer in time");
        const reply = await send(path, body, watch);
        return { status: reply.statusCode, text: await readTextCapped(reply.body, MAX_ERROR) };
      } catch (error) {
        throw watch.reason() ?? lost(error);
      } finally {
        watch.stop();
      }
    },

    async close() {
      await (await opened)?.destroy();
    },
  };
}

/** The events in a reply. */
async function* read(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  watch: RequestTimeouts,
  idle: number,
  now: () => number,
): AsyncGenerator<EngineEvent, void> {
  const type = String(headers["content-type"] ?? "");
  const retryAfter = headers["retry-after"]?.toString();
  if (statusCode !== 200) {
    const error = parsed(await readTextCapped(body, MAX_ERROR).catch(() => ""));
    watch.pause();
    yield {
      type: "refused",
      refusal: refusalOf({ status: statusCode, body: error, retryAfter, now: now() }),
    };
    return;
  }
  const refusal = (error: unknown, whole: unknown) =>
    refusalOf({ status: statusOfError(error), body: whole, retryAfter, now: now() });
  if (type.includes("json")) {
    const whole = await readTextCapped(body, MAX_WHOLE);
    watch.pause();
    yield* eventsOf([whole], refusal);
    return;
  }
  let done = false;
  try {
    for await (const data of readEvents(timed(body, watch, () => (done ? AFTER_DONE : idle)))) {
      if (done) continue;
      const end = data.indexOf("[DONE]");
      done = end !== -1;
      yield* eventsOf(done ? data.slice(0, end) : data, refusal);
    }
  } catch (error) {
    if (!done) throw error;
  }
}

/** The events in texts that arrived together: the chunks, up to an invalid one or an error. */
function* eventsOf(
  texts: readonly string[],
  refusal: (error: unknown, whole: unknown) => Refusal,
): Generator<EngineEvent, void> {
  const chunks: EngineChunk[] = [];
  let stopped: { readonly chunk: unknown } | undefined;
  for (const text of texts) {
    const chunk = parsed(text);
    if (isChunk(chunk) && errorIn(chunk) === undefined) chunks.push(chunk);
    else {
      stopped = { chunk };
      break;
    }
  }
  // Earlier chunks are passed on before the end is reported.
  if (chunks.length > 0) yield { type: "chunks", chunks };
  if (stopped === undefined) return;
  if (!isChunk(stopped.chunk)) throw new Fault("corrupt", "the engine sent an invalid chunk");
  yield { type: "refused", refusal: refusal(errorIn(stopped.chunk), stopped.chunk) };
}

/** Some engines send `{"object": "error", …}` instead of `{"error": …}`. */
function errorIn(chunk: EngineChunk): unknown {
  return chunk["object"] === "error" ? chunk : (chunk.error ?? undefined);
}

/** The chunks of `body`. The timeouts only run while the engine makes us wait, not while our reader does. */
async function* timed(
  body: AsyncIterable<Uint8Array>,
  watch: RequestTimeouts,
  limit: () => number,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body) {
    watch.pause();
    yield piece;
    watch.start(limit(), "the engine was silent for too long");
  }
  watch.pause();
}

function isChunk(value: unknown): value is EngineChunk {
  return isJsonObject(value);
}

/** JSON, or undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a connection existed and broke before there was an answer. */
function isReset(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function lost(error: unknown): Fault {
  return Fault.from(error, "unavailable", "the engine cannot be reached, or closed the connection");
}
