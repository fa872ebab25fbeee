// Responses of JSON lines, written as the results are found, so that memory does not grow with the response.

import { jsonText } from "@assay/base";
import { type ReadContext, yieldNow } from "@assay/trace-core/internal";
import { streamResponse } from "../response/stream-response.ts";

// The number of characters written together: a call may be as long as a thousand others.
const PIECE = 64 * 1024;

/**
 * A response with one line per object. An error before the first batch throws here, where it can still become a
 * status; a later one breaks the response off. `reading` lets other work run.
 */
export function jsonLines(
  batches: AsyncIterable<readonly object[]>,
  reading: ReadContext,
): Promise<Response> {
  return streamResponse(linesOf(batches, reading), "application/jsonl");
}

async function* linesOf(
  batches: AsyncIterable<readonly object[]>,
  reading: ReadContext,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const batch of batches) {
    let text = "";
    for (const object of batch) {
      text += `${jsonText(object)}\n`;
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = "";
      await yieldNow(reading);
    }
    if (text !== "") yield encoder.encode(text);
  }
}
