// POST /chat/completions and /responses: reads a request, asks the core, and sends the answer whole or as it comes.

import type { Result } from "@assay/base";
import {
  type Caller,
  type ChatRequest,
  type ChatStream,
  chat,
  complete,
  type Inference,
  readChatRequest,
} from "@assay/inference-core";
import { type BodyLimits, readJsonBody } from "../body.ts";
import type { Place } from "../room.ts";
import { chunkWriter, type EventWriter, eventStream } from "./event-stream.ts";
import { failed, invalid, refused, unread } from "./problem.ts";

/** How a request is answered. */
export interface ChatRouteOptions {
  readonly dialect: Dialect;
  readonly limits: BodyLimits;
  /** What the body takes up while it is read and dispatched. */
  readonly place: Place;
  /** Told of whatever fails on our side or the engine's. */
  readonly onError: (error: unknown) => void;
}

/** The words in which answers are asked for and given. */
export interface Dialect {
  /** The request in a body. */
  read(body: unknown): Result<ChatRequest>;
  /** The whole answer. */
  whole(chunks: ChatStream, body: unknown): Promise<object>;
  /** The answer as it comes. */
  writer(body: unknown): EventWriter;
}

/** That of chat completions. */
export const chatDialect: Dialect = {
  read: readChatRequest,
  whole: (chunks) => complete(chunks),
  writer: () => chunkWriter,
};

/** Answers a request in one of the dialects. */
export async function chatRoute(
  inference: Inference,
  caller: Caller,
  request: Request,
  { dialect, limits, place, onError }: ChatRouteOptions,
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
  // In a server, this tells that the client has gone, also while it waits for the whole answer.
  request.signal.addEventListener("abort", abort, { once: true });
  if (request.signal.aborted) abort();
  try {
    const reply = await chat(inference, caller, wanted.value, controller.signal);
    if (!reply.ok) return refused(reply.refusal);
    const { chunks } = reply;
    if (wanted.value.stream !== true) return Response.json(await dialect.whole(chunks, body.value));
    const giveUp = () => {
      abort();
      chunks.return?.().catch(onError);
    };
    // A response that is never read is never cancelled either.
    controller.signal.addEventListener("abort", giveUp, { once: true });
    return eventStream(chunks, dialect.writer(body.value), giveUp, onError);
  } catch (error) {
    onError(error);
    return failed(error);
  }
}

/** Paths of the body reader begin with `body`, and so do ours, once. */
function withoutRoot<T extends { readonly path: readonly (string | number)[] }>(issue: T): T {
  return { ...issue, path: issue.path.slice(1) };
}
