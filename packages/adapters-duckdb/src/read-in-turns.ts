// Reads, and makes something of, many records a few at a time, letting others run in between.

import { givingWay } from "@assay/base/internal";
import type { Place } from "./journal.ts";

// What is read and made into values at once: some milliseconds of work.
const RECORDS = 64;
const BYTES = 256 * 1024;

/** What `read` makes of the records at these places, in order. `read` is given a few at a time. */
export async function readInTurns<P extends Place, T>(
  places: readonly P[],
  read: (some: readonly P[]) => readonly T[],
): Promise<T[]> {
  const pause = givingWay();
  const all: T[] = [];
  for (let from = 0; from < places.length; ) {
    const to = sliceEnd(places, from, ({ size }) => size);
    for (const one of read(places.slice(from, to))) all.push(one);
    from = to;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return all;
}

/** What `make` makes of each item, in order, with others running in between. */
export async function mapInTurns<I, T>(items: Iterable<I>, make: (item: I) => T): Promise<T[]> {
  const pause = givingWay();
  const all: T[] = [];
  for (const item of items) {
    all.push(make(item));
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return all;
}

/** Items in slices as small as those, with others running in between. */
export async function* inSlices<T>(items: Iterable<T>, sizeOf: (item: T) => number): AsyncGenerator<T[]> {
  const pause = givingWay();
  let slice: T[] = [];
  let bytes = 0;
  for (const item of items) {
    slice.push(item);
    bytes += sizeOf(item);
    if (slice.length < RECORDS && bytes < BYTES) continue;
    yield slice;
    [slice, bytes] = [[], 0];
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  if (slice.length > 0) yield slice;
}

function sliceEnd<T>(items: readonly T[], from: number, sizeOf: (item: T) => number): number {
  let to = from;
  for (let bytes = 0; to < items.length && to - from < RECORDS && (to === from || bytes < BYTES); to++)
    bytes += sizeOf(items[to]!);
  return to;
}
