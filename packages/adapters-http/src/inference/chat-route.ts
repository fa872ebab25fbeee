// POST /chat/completions: reads a request, asks the core, and sends the answer whole or as it comes.

import { type Caller, chat, complete, type Inference, readChatRequest } from "@assay/inference-core";
import { type BodyLimits, readJsonBody } from "../body.ts";
import type { Place } from "../room.ts";
import { eventStream } from "./event-stream.ts";
import { failed, invalid, refused, unread } from "./problem.ts";

/** How a request is answered. */
export interface ChatRouteOptions {
  readonly limits: BodyLimits;
  /** What the body takes up while it is read and dispatched. */
  readonly place: Place;
  /** Told of whatever fails on our side or the engine's. */
  readonly onError: (error: unknown) => void;
}

/** Answers a request for a chat completion. */
export async function chatRoute(
  inference: Inference,
  caller: Caller,
  request: Request,
  { limits, place, onError }: ChatRouteOptions,
): Promise<Response> {
  const body = await readJsonBody(request, limits, { place });
  if (!body.ok) {
    const { status, message, issues, headers } = body.refusal;
    return status === 422 ? invalid(issues.map(withoutRoot), "body") : unread(status, message, headers);
  }
  const wanted = readChatRequest(body.value);
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
    if (wanted.value.stream !== true) return Response.json(await complete(chunks));
    const giveUp = () => {
      abort();
      chunks.return?.().catch(onError);
    };
    // A response that is never read is never cancelled either.
    controller.signal.addEventListener("abort", giveUp, { once: true });
    return eventStream(chunks, giveUp, onError);
  } catch (error) {
    onError(error);
    return failed(error);
  }
}

/** Paths of the body reader begin with `body`, and so do ours, once. */
function withoutRoot<T extends { readonly path: readonly (string | number)[] }>(issue: T): T {
  return { ...issue, path: issue.path.slice(1) };
}
