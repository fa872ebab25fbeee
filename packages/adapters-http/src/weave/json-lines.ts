// Answers that are lines of JSON, written as they are found: memory does not grow with the answer.

import { jsonText } from "@assay/base";
import { giveWay, type Reading } from "@assay/trace-core/internal";
import { streamed } from "../streamed.ts";

// Characters that are written at once: a call may be as long as a thousand others.
const PIECE = 64 * 1024;

/**
 * A response with one line for each object. What fails before the first batch throws here, where it can still be
 * answered with a status; what fails later breaks the response off. `reading` says how others are let run meanwhile.
 */
export function jsonLines(batches: AsyncIterable<readonly object[]>, reading: Reading): Promise<Response> {
  return streamed(linesOf(batches, reading), "application/jsonl");
}

async function* linesOf(
  batches: AsyncIterable<readonly object[]>,
  reading: Reading,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const batch of batches) {
    let text = "";
    for (const object of batch) {
      text += `${jsonText(object)}\n`;
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = "";
      await giveWay(reading);
    }
    if (text !== "") yield encoder.encode(text);
  }
}
