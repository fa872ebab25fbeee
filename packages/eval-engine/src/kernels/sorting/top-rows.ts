// Finds the first rows of an order without sorting the rest: a heap of the best rows so far, with the worst of them on
// top. A comparison of one number rejects most rows. Cost: one pass, plus heap operations for the few rows that enter
// it. The naive form is a full sort.

import { sortIndexes } from "@assay/base/internal";
import type { Work } from "../work.ts";

// The number of rows checked between two checks of the time, and the work of inserting one, in array items touched.
const ROWS_AT_ONCE = 2048;
const ENTRY_COST = 512;

// The number of rows sorted without a pause, a few milliseconds, and the work of a comparison.
const RUN = 8192;
const COMPARE_COST = 16;

/** The primary sort numbers; NaN if a row has none, which comes last. */
export interface FirstKey {
  readonly numbers: Float64Array;
  readonly descending: boolean;
}

/**
 * The first `wanted` of the rows in `selection` (all `length` rows if undefined), in the order of `compare`, which
 * must order by `first` before anything else and never return 0.
 */
export async function topRows(
  length: number,
  selection: Uint32Array | undefined,
  wanted: number,
  first: FirstKey,
  compare: (a: number, b: number) => number,
  work: Work,
): Promise<Uint32Array> {
  const rows = selection?.length ?? length;
  if (!isHeapCheaper(wanted, rows)) {
    const all = selection?.slice() ?? new Uint32Array(length).map((_, row) => row);
    await sortIndexes(all, compare, RUN, (comparisons) => work.spend(comparisons * COMPARE_COST));
    return all.subarray(0, wanted);
  }
  const heap = new Uint32Array(wanted);
  const { numbers, descending } = first;
  let size = 0;
  let worst = Number.NaN;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const to = Math.min(rows, from + ROWS_AT_ONCE);
    let entered = 0;
    for (let k = from; k < to; k++) {
      const row = selection === undefined ? k : selection[k]!;
      if (size < wanted) {
        siftUp(heap, size++, row, compare);
        worst = numbers[heap[0]!]!;
        entered++;
        continue;
      }
      const number = numbers[row]!;
      if (descending ? number < worst : number > worst) continue;
      // A missing number loses against a number; everything else is decided by the full comparison.
      if (Number.isNaN(number) && !Number.isNaN(worst)) continue;
      if (compare(row, heap[0]!) >= 0) continue;
      siftDown(heap, size, row, compare);
      worst = numbers[heap[0]!]!;
      entered++;
    }
    const pause = work.spend(to - from + entered * ENTRY_COST);
    if (pause !== undefined) await pause;
  }
  return heap.subarray(0, size).sort(compare);
}

/** Whether a heap is cheaper than sorting everything, which depends on the size of the page. */
export function isHeapCheaper(wanted: number, rows: number): boolean {
  return wanted <= rows / 8;
}

/** Appends `row` to the heap and lets it rise while it is worse than its parent. */
function siftUp(heap: Uint32Array, at: number, row: number, compare: (a: number, b: number) => number): void {
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(row, heap[parent]!) <= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = row;
}

/** Replaces the top by `row` and lets it sink while a child is worse. */
function siftDown(
  heap: Uint32Array,
  size: number,
  row: number,
  compare: (a: number, b: number) => number,
): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(row, heap[child]!) >= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = row;
}
