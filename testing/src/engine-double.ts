// A test double of an engine over a real socket; the name of the requested model selects how it misbehaves.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request that the double received. */
interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: the tests know the types of what they send.
  readonly body: any;
}

export type Behaviour = (response: ServerResponse, seen: Seen) => void | Promise<void>;

/** Starts an engine; `behaviours` are by model name, `other` handles all other models. */
export async function engineDouble(
  behaviours: Readonly<Record<string, Behaviour>>,
  other: Behaviour = (response) => json(response, 404, { error: { message: "the model does not exist" } }),
) {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let busy = 0;
  const server: Server = createServer(async (request, response) => {
    busy++;
    response.on("close", () => busy--);
    response.on("error", () => {});
    let text = "";
    for await (const piece of request) text += piece;
    const one: Seen = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
    seen.push(one);
    await (behaviours[one.body.model] ?? other)(response, one);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    /** The number of requests in progress. `connections` counts open connections. */
    busy: () => busy,
    connections: () => sockets.size,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Starts an event stream. */
export function events(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

export function send(response: ServerResponse, data: unknown): void {
  response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

export const piece = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: "cmpl-engine",
  object: "chat.completion.chunk",
  created: 1,
  model: "engine-name",
  choices: [{ index: 0, delta, finish_reason, ...more }],
});

export const used = {
  id: "cmpl-engine",
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
};

/** Streams "Hello" as a well-behaved engine does. */
export const wellBehaved: Behaviour = (response, { body }) => {
  events(response);
  const logprobs = (token: string) =>
    body.logprobs ? { logprobs: { content: [{ token, logprob: -0.25 }] } } : {};
  for (let index = 0; index < (body.n ?? 1); index++) {
    const own = (delta: object, finish: string | null = null, more: object = {}) => {
      const chunk = piece(delta, finish, more);
      send(response, { ...chunk, choices: [{ ...chunk.choices[0], index }] });
    };
    own({ role: "assistant", content: "" });
    own({ content: "Hel" }, null, logprobs("Hel"));
    own({ content: "lo" }, null, logprobs("lo"));
    own({}, "stop");
  }
  send(response, used);
  send(response, "[DONE]");
  response.end();
};
