// Responses that are written as their pieces are made: memory does not grow with the answer.

/**
 * A response of these pieces. What fails before the first throws here, where it can still be answered with a status;
 * what fails later breaks the response off. The next piece is being made while one is sent.
 */
export async function streamed(pieces: AsyncIterable<Uint8Array>, contentType: string): Promise<Response> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Uint8Array>> = Promise.resolve(await iterator.next());
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next;
      if (done === true) return controller.close();
      next = iterator.next();
      // Whoever pulls next sees the failure; until then it must not count as unhandled.
      next.catch(() => {});
      controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}
