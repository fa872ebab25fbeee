// One number for each row of a segment, worked out from its trials: what rows are sorted by, and what lets a filter
// decide a row without looking at its trials. Kept with the segment; after a change only the rows it touched are
// worked out again.

import { growableFloats } from "@assay/base";
import type { FieldPath } from "@assay/query-lang";
import { addExactly, clearTotal, newTotal, totalOf } from "@assay/statistics/exact";
import type { Work } from "../../kernels/work.ts";
import type { Segment } from "../../segment/segment.ts";
import { columnOf } from "./value-columns.ts";

/** What is said of a row's numbers: those of its trials that have one. */
export type RowStatistic = "mean" | "least" | "greatest";

const keyOf = (path: FieldPath, statistic: RowStatistic): string => `${statistic} ${JSON.stringify(path)}`;

/** Works out a statistic of a segment's rows, unless it is there. The segment's columns must be prepared. */
export async function prepareRowNumbers(
  segment: Segment,
  path: FieldPath,
  statistic: RowStatistic,
  work: Work,
): Promise<void> {
  const key = keyOf(path, statistic);
  if (segment.rowNumbers.has(key)) return;
  const numbers = columnOf(segment, path).values.numbers.array;
  const values = growableFloats(new Float64Array(segment.rows));
  for (let from = 0; from < segment.rows; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, segment.rows);
    for (let row = from; row < to; row++) values.array[row] = statisticOf(segment, row, numbers, statistic);
    const pause = work.spend((to - from) * ROW_COST);
    if (pause !== undefined) await pause;
  }
  segment.rowNumbers.set(key, { values, journal: segment.journal.length });
}

// Rows that are worked out between two looks at the time, and what one costs in array items touched.
const ROWS_AT_ONCE = 8192;
const ROW_COST = 16;

/**
 * Each row's statistic of the field `path`, which has a value for each trial; NaN for a row without a number.
 * `prepareRowNumbers` must have run.
 */
export function rowNumbers(segment: Segment, path: FieldPath, statistic: RowStatistic): Float64Array {
  const known = segment.rowNumbers.get(keyOf(path, statistic))!;
  const numbers = columnOf(segment, path).values.numbers.array;
  for (; known.journal < segment.journal.length; known.journal++) {
    const row = segment.journal[known.journal]!;
    known.values.set(row, statisticOf(segment, row, numbers, statistic));
  }
  return known.values.array;
}

function statisticOf(segment: Segment, row: number, numbers: Float64Array, statistic: RowStatistic): number {
  const { firstTrial, next } = segment.parts;
  const first = firstTrial.array[row]!;
  if (first === -1) return Number.NaN;
  // Most rows have one trial.
  if (next.array[first] === -1) return numbers[first]!;
  return statistic === "mean"
    ? meanFrom(first, next.array, numbers)
    : boundFrom(first, next.array, numbers, statistic);
}

const total = newTotal();

function meanFrom(first: number, next: Int32Array, numbers: Float64Array): number {
  clearTotal(total);
  for (let i = first; i !== -1; i = next[i]!) if (!Number.isNaN(numbers[i]!)) addExactly(total, numbers[i]!);
  return total.count === 0 ? Number.NaN : totalOf(total) / total.count;
}

function boundFrom(
  first: number,
  next: Int32Array,
  numbers: Float64Array,
  statistic: "least" | "greatest",
): number {
  let bound = Number.NaN;
  for (let i = first; i !== -1; i = next[i]!) {
    const number = numbers[i]!;
    // False for NaN, so that the first number replaces it and nothing replaces a number by NaN.
    if (statistic === "least" ? number >= bound : number <= bound) continue;
    if (!Number.isNaN(number)) bound = number;
  }
  return bound;
}
