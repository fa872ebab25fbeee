// Content other than JSON.

/** A body of bytes or text, such as lines of JSON or a file. An iterable is streamed. */
export type Bytes = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array | string>;

/** Marks an answer that is not JSON; read it with `open`. */
export interface Streamed {
  /** Never present: it distinguishes this type from JSON answers. */
  readonly " streamed": never;
}
