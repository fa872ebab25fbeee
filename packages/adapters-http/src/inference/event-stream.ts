// An answer as server-sent events. Pulls one chunk at a time, only when the client has taken the one before.

import { setImmediate } from "node:timers/promises";
import type { ChatStream } from "@assay/inference-core";
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
          // before the first chunk, which clients measure, is on its way.
          if (sent++ === 1) await setImmediate();
          const { done, value } = await chunks.next();
          if (gone) return;
          controller.enqueue(encoder.encode(`data: ${done ? "[DONE]" : JSON.stringify(value)}\n\n`));
          if (done) controller.close();
        } catch (error) {
          onError(error);
          if (gone) return;
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(failedMidway(error))}\n\n`));
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
