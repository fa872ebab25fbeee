// A handler as a listener of Node's own server, for programs that have one already.

import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { forNode } from "./for-node.ts";
import type { Handler } from "./handler.ts";

/**
 * Answers the requests of a Node server with `handler`: `createServer(nodeListener(handler))`, or only for some paths.
 */
export function nodeListener(
  handler: Handler,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const answer = getRequestListener(forNode(handler), {
    // The process may do other work, so Node's `Request` and `Response` are not replaced.
    overrideGlobalObjects: false,
  }) as (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  return async (request, response) => {
    if (!isRead(request)) return answer(request, response);
    response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ detail: READ }));
  };
}

const READ =
  "the body of this request was read before Assay received it: mount Assay before what parses bodies, such as express.json()";

/** Whether other code read the body. `rawBody` is what some hosts keep of it. */
function isRead(request: IncomingMessage): boolean {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  return hasBody && request.readableDidRead && !("rawBody" in request);
}
