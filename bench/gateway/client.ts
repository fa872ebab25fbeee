// A low-overhead client: sends chats over persistent connections and reports when the first chunk arrived.

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Address } from "./processes.ts";

/** A completed chat. */
export interface Answered {
  /** Milliseconds until the first byte of the response body. */
  readonly first: number;
  /** Milliseconds until the end of the response. */
  readonly whole: number;
  /** The number of events; 0 if it was not streamed. */
  readonly events: number;
}

/** Parameters for the engine; see `upstream.mjs`. */
export interface Wish {
  /** The number of chunks to stream; absent for a whole answer. */
  readonly chunks?: number;
  /** Milliseconds between chunks. */
  readonly gap?: number;
}

const MESSAGES = [
  { role: "user", content: "Which of the following is the best answer, and why? ".repeat(4) },
];

/** A client with as many connections as it has concurrent requests. */
export function client({ url, headers }: Address): {
  chat(wish: Wish): Promise<Answered>;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: "lifo" });
  return {
    async chat({ chunks, gap }) {
      const streamed = chunks !== undefined && {
        stream: true,
        max_tokens: chunks,
        ...(gap !== undefined && { seed: gap }),
      };
      const body = Buffer.from(JSON.stringify({ model: "bench", messages: MESSAGES, ...streamed }));
      const begun = performance.now();
      const sent = request(`${url}/chat/completions`, {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": body.length, ...headers },
      });
      sent.end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      let first = 0;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        if (first === 0) first = performance.now() - begun;
        text += piece;
      });
      await once(response, "end");
      if (response.statusCode !== 200)
        throw new Error(`${url} responded with status ${response.statusCode}: ${text.slice(0, 200)}`);
      const events = text.split("\n\n").filter((event) => event.startsWith("data: {")).length;
      if (chunks !== undefined && (events < chunks || !text.endsWith("data: [DONE]\n\n")))
        throw new Error(
          `${url} streamed ${events} of ${chunks} events, and ended with ${JSON.stringify(text.slice(-40))}`,
        );
      return { first, whole: performance.now() - begun, events };
    },
    close: () => agent.destroy(),
  };
}
