// Passes responses to the adaptor to Node, which would print the stack trace of every body that fails.

import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { Handler } from "./handler.ts";
import { relayed } from "./response/stream-response.ts";

/** `handler` for the adaptor. If a body fails, the connection is closed, so that no client takes it for a whole one. */
export function forNode(
  handler: Handler,
): (request: Request, env: HttpBindings | Http2Bindings) => Promise<Response> {
  return async (request, { outgoing }) => {
    const response = await handler(request);
    // The adaptor reads ahead in unmarked bodies: the first event would wait for the second.
    if (response.body !== null && response.headers.get("Content-Type")?.startsWith("text/event-stream"))
      response.headers.set("Transfer-Encoding", "chunked");
    return relayed(response, (read) =>
      read().catch(() => {
        outgoing.destroy();
        return { done: true };
      }),
    );
  };
}
