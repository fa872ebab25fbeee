// Streams of bytes for the body of a request or a response.

import { ReadableStream as NodeReadableStream } from "node:stream/web";

/** `bytes` as a stream that reads them on demand. */
export function byteStream(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  // The types of Node and of browsers are declared separately, but are the same at run time.
  return NodeReadableStream.from(bytes) as unknown as ReadableStream<Uint8Array>;
}
