// What goes over the wire and is not JSON.

/** A body of bytes, or of text: lines of JSON, a file. One that is iterated is sent as it comes. */
export type Bytes = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** The answer of an operation that is not JSON: `open` gives it to read. */
export interface Streamed {
  /** Never there: it tells this type from answers in JSON. */
  readonly " streamed": never;
}
