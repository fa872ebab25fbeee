// A sort of many rows that lets others run: short runs are sorted by the runtime, then merged pair by pair. The naive
// form is one sort of everything, which takes a second for a million rows and cannot be interrupted.

import type { Work } from "../work.ts";

// The number of rows in a run: a few milliseconds to sort.
const RUN = 8192;

// The work of a comparison, in array items touched.
const COMPARE_COST = 16;

/** Sorts `rows` in place; `compare` must never return 0. */
export async function sortRows(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
  work: Work,
): Promise<void> {
  for (let from = 0; from < rows.length; from += RUN) {
    rows.subarray(from, from + RUN).sort(compare);
    const pause = work.spend(RUN * 13 * COMPARE_COST);
    if (pause !== undefined) await pause;
  }
  const room = new Uint32Array(rows.length);
  for (let width = RUN; width < rows.length; width *= 2) {
    for (let from = 0; from + width < rows.length; from += width * 2) {
      const end = Math.min(from + width * 2, rows.length);
      await mergeInto(room, rows, from, from + width, end, compare, work);
      rows.set(room.subarray(from, end), from);
    }
  }
}

/**
 * Merges the sorted ranges of `rows` from `from` to `middle` and from there to `end` into the same indexes of `room`.
 */
async function mergeInto(
  room: Uint32Array,
  rows: Uint32Array,
  from: number,
  middle: number,
  end: number,
  compare: (a: number, b: number) => number,
  work: Work,
): Promise<void> {
  let [a, b] = [from, middle];
  for (let at = from; at < end; at++) {
    const takeFirst = b === end || (a < middle && compare(rows[a]!, rows[b]!) < 0);
    room[at] = rows[takeFirst ? a++ : b++]!;
    if (at % RUN !== 0) continue;
    const pause = work.spend(RUN * COMPARE_COST);
    if (pause !== undefined) await pause;
  }
}
