// Answers that are lines of JSON, written as they are found: memory does not grow with the answer.

import type { JsonObject } from "@assay/trace-core";

/**
 * A response with one line for each object. What fails before the first batch throws here, where it can still be
 * answered with a status; what fails later breaks the response off.
 */
export async function jsonLines(batches: AsyncIterable<readonly JsonObject[]>): Promise<Response> {
  const iterator = batches[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<readonly JsonObject[]>> = Promise.resolve(await iterator.next());
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next;
      if (done === true) return controller.close();
      next = iterator.next();
      // Whoever pulls next sees the failure; until then it must not count as unhandled.
      next.catch(() => {});
      controller.enqueue(encoder.encode(value.map((object) => `${JSON.stringify(object)}\n`).join("")));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": "application/jsonl" } });
}
