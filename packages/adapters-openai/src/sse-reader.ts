// Reads server-sent events of an engine: from bytes to the data of each event. Memory is limited for lines of any
// length.

import { Fault } from "@assay/base";
import { createParser } from "eventsource-parser";

/** The most characters of one event: more than any chunk with log-probabilities needs. */
const MAX_EVENT = 4 * 2 ** 20;

/**
 * The data of the events in `bytes`, in order; those that arrived together come in one list. Comments, other fields
 * and an interrupted event are left out. Throws the fault `corrupt` if an event is larger than 4 Mi characters.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  let ready: string[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => ready.push(data),
    onError: ({ type }) => {
      tooLong ||= type === "max-buffer-size-exceeded";
    },
  });
  for await (const piece of bytes) {
    parser.feed(decoder.decode(piece, { stream: true }));
    if (tooLong) throw new Fault("corrupt", "the engine sent an event that is too long");
    if (ready.length === 0) continue;
    yield ready;
    ready = [];
  }
}
