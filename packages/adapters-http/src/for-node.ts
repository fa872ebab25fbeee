// Passes responses to the adaptor to Node, which would print the stack trace of every body that fails.

import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { Handler } from "./handler.ts";
import { isProduced } from "./response/stream-response.ts";

/** `handler` for the adaptor. If a body fails, the connection is closed, so that no client takes it for a whole one. */
export function forNode(
  handler: Handler,
): (request: Request, env: HttpBindings | Http2Bindings) => Promise<Response> {
  return async (request, { outgoing }) => {
    const response = await handler(request);
    if (!isProduced(response) || response.body === null) return response;
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch {
            outgoing.destroy();
            controller.close();
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    const { status, headers } = response;
    // The adaptor reads ahead in unmarked bodies: the first event would wait for the second.
    if (headers.get("Content-Type")?.startsWith("text/event-stream"))
      headers.set("Transfer-Encoding", "chunked");
    return new Response(body, { status, headers });
  };
}
