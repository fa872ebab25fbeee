// What goes over the wire and is no JSON.

/** A body of bytes, or of text: lines of JSON, a file. One that is iterated is sent as it comes. */
export type Bytes = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** The answer of an operation that is no JSON: `open` gives it to read. */
export interface Streamed {
  /** Never there: it tells this type from answers in JSON. */
  readonly " streamed": never;
}
