// A client that costs little: chats over connections that stay open, and says when the first chunk came.

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Address } from "./processes.ts";

/** A chat that was answered. */
export interface Answered {
  /** Milliseconds until the first byte of the answer's body. */
  readonly first: number;
  /** Milliseconds until its end. */
  readonly whole: number;
  /** How many events it had; 0 when it was not streamed. */
  readonly events: number;
}

/** What the engine is to do: see `upstream.mjs`. */
export interface Wish {
  /** Chunks to stream; absent: a whole answer. */
  readonly chunks?: number;
  /** Milliseconds between two of them. */
  readonly gap?: number;
}

const MESSAGES = [
  { role: "user", content: "Which of the following is the best answer, and why? ".repeat(4) },
];

/** A client with as many connections as it has requests at once. */
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
        throw new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 200)}`);
      const events = text.split("\n\n").filter((event) => event.startsWith("data: {")).length;
      if (chunks !== undefined && (events < chunks || !text.endsWith("data: [DONE]\n\n")))
        throw new Error(
          `${url} streamed ${events} events of ${chunks}, and ended in ${JSON.stringify(text.slice(-40))}`,
        );
      return { first, whole: performance.now() - begun, events };
    },
    close: () => agent.destroy(),
  };
}
