// Splits records to read into batches whose texts fit in memory together. Every open scan holds one batch, whether it
// continues or not.

import type { Place } from "./journal.ts";

/** The maximum number of records in a batch, and of bytes, unless a single record has more. */
const MOST = 2048;
const MOST_BYTES = 2 ** 20;

/** Batches of records, in order. */
export function* runsOf<P extends Pick<Place, "size">>(places: readonly P[]): Generator<readonly P[]> {
  let [from, bytes] = [0, 0];
  for (const [i, place] of places.entries()) {
    bytes += place.size;
    const full = bytes > MOST_BYTES || i - from >= MOST;
    if (!full || i === from) continue;
    yield places.slice(from, i);
    [from, bytes] = [i, place.size];
  }
  if (from < places.length) yield places.slice(from);
}
