// An answer as server-sent events. Chunks that arrive together are written together.

import { setImmediate } from "node:timers/promises";
import type { ReplyStream } from "@assay/inference-core/internal";
import { eventOf } from "../response/server-sent-events.ts";
import { failedMidway } from "./problem.ts";

/** How to write an answer as events. */
export interface EventWriter<Chunk> {
  /** Chunks that arrive together. */
  chunks(chunks: readonly Chunk[]): string;
  /** The end of a whole answer. */
  end(): string;
  /**
   * The last event of a failed answer. It replaces the end, because clients take a stream with its end for a whole
   * answer.
   */
  failure(error: unknown): string;
}

/** Unchanged chunks, ended by `[DONE]`. */
export const chunkWriter: EventWriter<unknown> = {
  chunks: (chunks) => chunks.map((chunk) => eventOf(JSON.stringify(chunk))).join(""),
  end: () => eventOf("[DONE]"),
  failure: (error) => eventOf(JSON.stringify(failedMidway(error))),
};

/** The events that `writer` makes of `chunks`. Failures are passed to `onError`. */
export async function* replyEvents<Chunk>(
  chunks: ReplyStream<Chunk>,
  writer: EventWriter<Chunk>,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    for (let sent = 0; ; sent++) {
      // Written events are sent when the process turns to other work. A fast engine must not prevent that before the
      // first chunks are sent, because clients measure their latency.
      if (sent === 1) await setImmediate();
      const { done, value } = await chunks.next();
      yield done ? writer.end() : writer.chunks(value);
      if (done) return;
    }
  } catch (error) {
    onError(error);
    yield writer.failure(error);
  }
}
