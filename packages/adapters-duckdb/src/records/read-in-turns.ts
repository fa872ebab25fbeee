// Reads and processes many records a few at a time, without blocking others.

import { timeSlice } from "@assay/base/internal";
import type { RecordLocation } from "./journal.ts";

// How many records are processed without a pause: a few milliseconds of work.
const RECORDS = 64;
const BYTES = 256 * 1024;

/** The results of `read` for the records at these locations, in order. `read` gets a few at a time. */
export async function readInTurns<P extends RecordLocation, T>(
  locations: readonly P[],
  read: (some: readonly P[]) => readonly T[],
): Promise<T[]> {
  const all: T[] = [];
  for await (const slice of inSlices(locations, ({ size }) => size))
    for (const one of read(slice)) all.push(one);
  return all;
}

/** The results of `make` for each item, in order, without blocking others. */
export async function mapInTurns<I, T>(items: Iterable<I>, make: (item: I) => T): Promise<T[]> {
  const pause = timeSlice();
  const all: T[] = [];
  for (const item of items) {
    all.push(make(item));
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return all;
}

/** Items in slices of that size, without blocking others in between. */
export async function* inSlices<T>(items: Iterable<T>, sizeOf: (item: T) => number): AsyncGenerator<T[]> {
  const pause = timeSlice();
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
