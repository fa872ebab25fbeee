// An answer as server-sent events. Pulls only when the client has taken what was there before; chunks that are there
// together are written together.

import { setImmediate } from "node:timers/promises";
import type { ChatChunk, ChatStream } from "@assay/inference-core";
import { failedMidway } from "./problem.ts";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // Proxies that collect a response before they pass it on make a stream pointless.
  "X-Accel-Buffering": "no",
};

/**
 * The events of `chunks`, ended by `[DONE]` when the answer is whole. A failure is an event of its own and then there
 * is no `[DONE]`: clients take a stream with it for a whole answer. `onError` is told of the failure; `giveUp` is
 * called when the client goes away.
 */
export function eventStream(
  chunks: ChatStream,
  giveUp: () => void,
  onError: (error: unknown) => void,
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
          controller.enqueue(encoder.encode(done ? eventOf("[DONE]") : value.map(chunkEvent).join("")));
          if (done) controller.close();
        } catch (error) {
          onError(error);
          if (gone) return;
          controller.enqueue(encoder.encode(eventOf(JSON.stringify(failedMidway(error)))));
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
  return new Response(body, { headers: HEADERS });
}

function chunkEvent(chunk: ChatChunk): string {
  return eventOf(JSON.stringify(chunk));
}

function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}
