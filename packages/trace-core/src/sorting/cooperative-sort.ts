// Sorts a possibly long list without blocking other work.

import { sortIndexes } from "@assay/base/internal";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";

// The number of items sorted per step: some milliseconds.
const RUN = 512;

/** The items in order; equal items keep their order. Rejects as `yieldNow` does. */
export async function mergeSortCooperatively<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  reading: ReadContext = {},
): Promise<T[]> {
  const order = Uint32Array.from(items.keys());
  const inOrder = (a: number, b: number) => compare(items[a]!, items[b]!) || a - b;
  await sortIndexes(order, inOrder, RUN, () => yieldNow(reading));
  return Array.from(order, (i) => items[i]!);
}
