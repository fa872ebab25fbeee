// Routes that call a model: each reads a request, calls the core, and sends the answer whole or as a stream.

import type { Result } from "@assay/base";
import {
  answerChat,
  type Caller,
  type ChatChunk,
  type ChatRequest,
  completeChat,
  type Inference,
} from "@assay/inference-core";
import {
  completeText,
  continueText,
  type EmbeddingList,
  type EmbeddingRequest,
  embed,
  type Reply,
  type ReplyStream,
  readChatRequest,
  readEmbeddingRequest,
  readTextRequest,
  type TextCompletion,
  type TextRequest,
} from "@assay/inference-core/internal";
import { type BodyLimits, readJsonBody } from "../request/body.ts";
import type { Reservation } from "../request/memory-budget.ts";
import { eventStream } from "../response/server-sent-events.ts";
import { chunkWriter, type EventWriter, replyEvents } from "./event-stream.ts";
import { failed, invalid, refused, unread } from "./problem.ts";
import { rateHeaders } from "./rate-headers.ts";

/** How to answer a request. */
export interface ChatRouteOptions<Request, Chunk> {
  readonly dialect: Dialect<Request, Chunk>;
  readonly limits: BodyLimits;
  /** The memory budget for the body while it is read and dispatched. */
  readonly place: Reservation;
  /** Called with every failure of this server or the engine. */
  readonly onError: (error: unknown) => void;
}

/** The format of requests and answers. */
export interface Dialect<Request, Chunk> {
  /** Reads the request in a body. */
  read(body: unknown): Result<Request>;
  /** Starts the answer. */
  begin(inference: Inference, caller: Caller, request: Request, signal: AbortSignal): Promise<Reply<Chunk>>;
  /** The whole answer. */
  whole(chunks: ReplyStream<Chunk>, body: unknown): Promise<WholeAnswer>;
  /** The answer as a stream. */
  writer(body: unknown): EventWriter<Chunk>;
}

/** The members of a whole answer that the route reads. */
interface WholeAnswer {
  readonly usage?: object | null;
}

/** The dialect of chat completions. */
export const chatDialect: Dialect<ChatRequest, ChatChunk> = {
  read: readChatRequest,
  begin: answerChat,
  whole: (chunks) => completeChat(chunks),
  writer: () => chunkWriter,
};

/** The dialect of text completions. */
export const textDialect: Dialect<TextRequest, TextCompletion> = {
  read: readTextRequest,
  begin: continueText,
  whole: (chunks) => completeText(chunks),
  writer: () => chunkWriter,
};

/** The dialect of embeddings, which are never streamed. */
export const embeddingDialect: Dialect<EmbeddingRequest, EmbeddingList> = {
  read: readEmbeddingRequest,
  begin: embed,
  async whole(chunks) {
    let list: EmbeddingList | undefined;
    for await (const [only] of chunks) list ??= only;
    if (list === undefined) throw new Error("embeddings ended before they began");
    return list;
  },
  writer: () => chunkWriter,
};

/** Fields of every request. */
interface AnyRequest {
  readonly stream?: boolean | null;
}

/** Answers a request in one of the dialects. */
export async function chatRoute<Request extends AnyRequest, Chunk>(
  inference: Inference,
  caller: Caller,
  request: globalThis.Request,
  { dialect, limits, place, onError }: ChatRouteOptions<Request, Chunk>,
): Promise<Response> {
  const body = await readJsonBody(request, limits, { place });
  if (!body.ok) {
    const { status, message, issues, headers } = body.refusal;
    return status === 422 ? invalid(issues.map(withoutRoot), "body") : unread(status, message, headers);
  }
  const wanted = dialect.read(body.value);
  if (!wanted.ok) return invalid(wanted.issues, "body");

  const controller = new AbortController();
  const abort = () => controller.abort();
  // In a server, this reports that the client has disconnected, even while it waits for the whole answer.
  request.signal.addEventListener("abort", abort, { once: true });
  if (request.signal.aborted) abort();
  try {
    const reply = await dialect.begin(inference, caller, wanted.value, controller.signal);
    const rates = rateHeaders(reply.rates);
    if (!reply.ok) return refused(reply.refusal, rates);
    const { chunks } = reply;
    if (wanted.value.stream !== true) {
      const answer = await dialect.whole(chunks, body.value);
      return Response.json(answer, { headers: { ...rates, ...usageHeaders(answer) } });
    }
    const giveUp = () => {
      abort();
      chunks.return?.().catch(onError);
    };
    // A response that is never read is never cancelled either.
    controller.signal.addEventListener("abort", giveUp, { once: true });
    const events = replyEvents(chunks, dialect.writer(body.value), onError);
    return eventStream(events, { giveUp, headers: rates });
  } catch (error) {
    onError(error);
    return failed(error);
  }
}

/** Reports that the token counts of an answer are estimated, if its engine did not count them. */
function usageHeaders({ usage }: WholeAnswer): { readonly [name: string]: string } {
  const { estimated } = (usage ?? {}) as { readonly estimated?: unknown };
  return estimated === true ? { "x-usage": "estimated" } : {};
}

/** Paths of the body reader already start with `body`; ours must have it only once. */
function withoutRoot<T extends { readonly path: readonly (string | number)[] }>(issue: T): T {
  return { ...issue, path: issue.path.slice(1) };
}
