// Responses whose chunks are produced as the client reads them, so that memory grows neither with the response nor with
// the number of clients that do not read.

import { makePiece } from "#request-context";

/**
 * A response of these chunks; an empty one lets other streams of the key continue before the next is made. An error
 * before the first chunk throws here, where it can still become a status; a later one breaks the response off.
 */
export async function streamResponse(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<Response> {
  const iterator = pieces[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      for (;;) {
        const piece = await makePiece(() => iterator.next());
        if (piece.done === true || piece.value.length > 0) return piece;
      }
    } catch (error) {
      // If the client has disconnected, no piece was requested, and the iterator has not ended.
      await iterator.return?.();
      throw error;
    }
  };
  let first: IteratorResult<Uint8Array> | undefined = await next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await next());
        first = undefined;
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": contentType, ...STREAMED } });
}

/**
 * The response with each chunk of its body read by `around` when the client asks for it; a complete response unchanged.
 * If the client stops reading, the original body is cancelled.
 */
export function relayed(
  response: Response,
  around: (read: () => Promise<Chunk>) => Promise<Chunk>,
): Response {
  const { body, status, headers } = response;
  if (!isProduced(response) || body === null) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const read = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await around(() => reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(read, { status, headers });
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** Marks a streamed response: nothing reads ahead in it, and it counts as an open stream. */
const STREAMED = { "transfer-encoding": "chunked" };

/** Whether a response is streamed, according to its headers; complete bodies have none of these. */
export function isStreamed({ headers }: Response): boolean {
  return (
    headers.get("transfer-encoding") === "chunked" ||
    headers.get("content-type")?.startsWith("text/event-stream") === true
  );
}

/** Whether the body of a response is produced while it is sent: a stream, or a file, whose size is known. */
export function isProduced(response: Response): boolean {
  return isStreamed(response) || response.headers.has("content-length");
}
