// The first rows in an order of all of a frame's rows, cached with the frame. A filter that keeps one row in a hundred
// finds its page among them, without reading its other rows. Costs four thousand rows per order, from the second
// request of the order on; frames that change before that cache nothing.

import { hasRow } from "../kernels/row-set.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import type { Frame } from "./frame/frame.ts";
import type { Selection } from "./select-rows.ts";

// Beyond this number of rows, the next ones are found sooner among the selected rows.
const MOST_ROWS = 4096;

/** The known first rows of a frame in one order. */
export interface TopRowsCache {
  /** How often the order was requested. */
  asked: number;
  rows: Uint32Array | undefined;
}

/** The cached head of the order that `name` identifies. */
export function topRowsCacheOf(frame: Frame, name: string): TopRowsCache {
  return frame.memo.kept(HEAD, name, () => ({ asked: 0, rows: undefined }));
}

const HEAD: DerivedKey<TopRowsCache> = {};

/** The length of an order's head: a heap finds it in one pass. */
export function topRowsLength({ length }: Frame): number {
  return Math.min(MOST_ROWS, length >>> 3);
}

/** The first `wanted` rows of `selection`, if all of them are in the head. */
export function topRowsOf(
  { rows }: TopRowsCache,
  selection: Selection | undefined,
  wanted: number,
): Uint32Array | undefined {
  if (rows === undefined || rows.length < wanted) return undefined;
  if (selection === undefined) return rows.subarray(0, wanted);
  const found = new Uint32Array(wanted);
  let n = 0;
  for (let k = 0; k < rows.length && n < wanted; k++) {
    if (hasRow(selection.set, rows[k]!)) found[n++] = rows[k]!;
  }
  return n === wanted ? found : undefined;
}
