// Responses that are written as their pieces are made: memory does not grow with the answer.

/** How pieces are made. */
export interface StreamedOptions {
  /** Whether the next piece is made while one is sent. Default true; false makes one only when it is asked for. */
  readonly ahead?: boolean;
}

/**
 * A response of these pieces. What fails before the first throws here, where it can still be answered with a status;
 * what fails later breaks the response off.
 */
export async function streamed(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
  { ahead = true }: StreamedOptions = {},
): Promise<Response> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve(await iterator.next());
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (next ?? iterator.next());
        if (done === true) return controller.close();
        next = ahead ? iterator.next() : undefined;
        // Whoever pulls next sees the failure; until then it must not count as unhandled.
        next?.catch(() => {});
        controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  // Says that it is written as it is read: nothing reads ahead in it, and it counts as an open stream.
  return new Response(body, { headers: { "content-type": contentType, "transfer-encoding": "chunked" } });
}
