// Answers that are lines of JSON, written as they are found: memory does not grow with the answer.

import { jsonText } from "@assay/base";
import { streamed } from "../streamed.ts";

/**
 * A response with one line for each object. What fails before the first batch throws here, where it can still be
 * answered with a status; what fails later breaks the response off.
 */
export function jsonLines(batches: AsyncIterable<readonly object[]>): Promise<Response> {
  return streamed(linesOf(batches), "application/jsonl");
}

async function* linesOf(batches: AsyncIterable<readonly object[]>): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const batch of batches)
    yield encoder.encode(batch.map((object) => `${jsonText(object)}\n`).join(""));
}
