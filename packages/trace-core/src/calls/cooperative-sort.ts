// Sorting a list that may be long without keeping others waiting: a merge sort that pauses.

import { type ReadContext, yieldNow } from "../request/read-context.ts";

// The number of items sorted at once, and of comparisons between two pauses: some milliseconds of either.
const RUN = 512;
const COMPARISONS = 4096;

/** The items in order; equal items keep their order. Rejects as `yieldNow` does. */
export async function mergeSortCooperatively<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  reading: ReadContext = {},
): Promise<T[]> {
  let sorted: T[] = [];
  for (let i = 0; i < items.length; i += RUN) {
    for (const item of items.slice(i, i + RUN).sort(compare)) sorted.push(item);
    await yieldNow(reading);
  }
  for (let width = RUN; width < sorted.length; width *= 2)
    sorted = await mergePairs(sorted, width, compare, reading);
  return sorted;
}

/** Merges pairs of neighbouring runs of `width` sorted items. */
async function mergePairs<T>(
  items: readonly T[],
  width: number,
  compare: (a: T, b: T) => number,
  reading: ReadContext,
): Promise<T[]> {
  const merged: T[] = [];
  for (let from = 0; from < items.length; from += 2 * width) {
    const middle = Math.min(from + width, items.length);
    const end = Math.min(from + 2 * width, items.length);
    for (let a = from, b = middle; a < middle || b < end; ) {
      const isLeft = b >= end || (a < middle && compare(items[a]!, items[b]!) <= 0);
      merged.push(items[isLeft ? a++ : b++]!);
      if (merged.length % COMPARISONS === 0) await yieldNow(reading);
    }
  }
  return merged;
}
