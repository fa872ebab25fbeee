// Cuts what is to be read into runs whose texts may be in memory together. Every scan that someone has open, whether
// it is read on or not, holds one.

import type { Place } from "./journal.ts";

/** Records in one run, and bytes of them unless a single record has more. */
const MOST = 2048;
const MOST_BYTES = 2 ** 20;

/** Runs of records in order. */
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
