// An answer as server-sent events. Pulls only when the client has taken what was there before; chunks that are there
// together are written together.

import { setImmediate } from "node:timers/promises";
import type { ReplyStream } from "@assay/inference-core";
import { failedMidway } from "./problem.ts";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // Proxies that collect a response before they pass it on make a stream pointless.
  "X-Accel-Buffering": "no",
};

/** How an answer is written as events. */
export interface EventWriter<Chunk> {
  /** Chunks that are there together. */
  chunks(chunks: readonly Chunk[]): string;
  /** What ends a whole answer. */
  end(): string;
  /** A failure, after which nothing comes: clients take a stream that has its end for a whole answer. */
  failure(error: unknown): string;
}

/** Chunks as they are, ended by `[DONE]`. */
export const chunkWriter: EventWriter<unknown> = {
  chunks: (chunks) => chunks.map((chunk) => eventOf(JSON.stringify(chunk))).join(""),
  end: () => eventOf("[DONE]"),
  failure: (error) => eventOf(JSON.stringify(failedMidway(error))),
};

/** What else a stream is made with. */
interface EventStreamOptions {
  /** Called when the client goes away. */
  readonly giveUp: () => void;
  /** Told of a failure. */
  readonly onError: (error: unknown) => void;
  /** Further headers of the answer. */
  readonly headers: { readonly [name: string]: string };
}

/** The events that `writer` makes of `chunks`. */
export function eventStream<Chunk>(
  chunks: ReplyStream<Chunk>,
  writer: EventWriter<Chunk>,
  { giveUp, onError, headers }: EventStreamOptions,
): Response {
  const encoder = new TextEncoder();
  let [sent, gone] = [0, false];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // What is written leaves when the process turns to other work: a fast engine must not keep it from that
          // before the first chunks, which clients measure, are on their way.
          if (sent++ === 1) await setImmediate();
          const { done, value } = await chunks.next();
          if (gone) return;
          controller.enqueue(encoder.encode(done ? writer.end() : writer.chunks(value)));
          if (done) controller.close();
        } catch (error) {
          onError(error);
          if (gone) return;
          controller.enqueue(encoder.encode(writer.failure(error)));
          controller.close();
        }
      },
      cancel() {
        gone = true;
        giveUp();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...headers, ...HEADERS } });
}

function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}
