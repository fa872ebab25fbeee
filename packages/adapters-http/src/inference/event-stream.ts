// An answer as server-sent events: chunks that arrive together are written together.

import { setImmediate } from "node:timers/promises";
import type { ReplyStream } from "@assay/inference-core/internal";
import { eventOf } from "../server-sent-events.ts";
import { failedMidway } from "./problem.ts";

/** How an answer is written as events. */
export interface EventWriter<Chunk> {
  /** Chunks that arrive together. */
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

/** The events that `writer` makes of `chunks`. `onError` is told of a failure. */
export async function* replyEvents<Chunk>(
  chunks: ReplyStream<Chunk>,
  writer: EventWriter<Chunk>,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    for (let sent = 0; ; sent++) {
      // What is written leaves when the process turns to other work: a fast engine must not keep it from that before
      // the first chunks, which clients measure, are on their way.
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
