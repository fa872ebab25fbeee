// Bytes as the body of a request or an answer.

import { ReadableStream as NodeReadableStream } from "node:stream/web";

/** `bytes` as a stream that reads them on demand. */
export function byteStream(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  // The same thing at run time: Node and the browser declare it separately.
  return NodeReadableStream.from(bytes) as unknown as ReadableStream<Uint8Array>;
}
