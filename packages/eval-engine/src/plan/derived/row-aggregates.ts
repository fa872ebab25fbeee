// One number for each row of a segment, computed from its trials: rows are sorted by it, and filters use it to decide a
// row without reading its trials. Cached with the segment; after a change, only changed rows are computed again.

import { type GrowableArray, growableFloats } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { addExactly, clearTotal, meanOf, newTotal } from "@assay/statistics/exact";
import { chunked, type Work } from "../../kernels/work.ts";
import { fieldAt } from "../../query/field.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";
import type { ReadySegment } from "./value-columns.ts";

/** Statistics of a row's numbers, over the trials that have one. */
export type RowStatistic = "mean" | "least" | "greatest";

/** Numbers of rows, and the position in the segment's journal up to which they are current. */
interface RowNumbers {
  readonly values: GrowableArray<Float64Array>;
  journal: number;
}

const ROW_NUMBERS: DerivedKey<RowNumbers, number> = {
  lasts: true,
  copied: ({ values, journal }, length) =>
    journal === length ? { values: values.clone(), journal: 0 } : undefined,
  bytes: ({ values }) => values.length * 8,
};

/**
 * Each row's statistic of a field with a value for each trial; NaN for a row without a number. Returned synchronously
 * if cached, for queries that take a tenth of a millisecond.
 */
export function rowNumbers(
  { segment, column }: ReadySegment,
  path: FieldPath,
  statistic: RowStatistic,
  work: Work,
): Float64Array | Promise<Float64Array> {
  const key = `${statistic} ${fieldAt(path).key}`;
  const numbers = column(path).values.numbers.array;
  const known = segment.memo.get(ROW_NUMBERS, key);
  if (known !== undefined) {
    for (; known.journal < segment.journal.length; known.journal++) {
      const row = segment.journal[known.journal]!;
      known.values.set(row, statisticOf(segment, row, numbers, statistic));
    }
    return known.values.array;
  }
  return workedOut(segment, key, (row) => statisticOf(segment, row, numbers, statistic), work);
}

async function workedOut(
  segment: Segment,
  key: string,
  numberOf: (row: number) => number,
  work: Work,
): Promise<Float64Array> {
  const values = growableFloats(new Float64Array(segment.rows));
  await chunked(work, { length: segment.rows, slice: ROWS_AT_ONCE }, (from, to) => {
    for (let row = from; row < to; row++) values.array[row] = numberOf(row);
    return (to - from) * ROW_COST;
  });
  segment.memo.set(ROW_NUMBERS, key, { values, journal: segment.journal.length });
  return values.array;
}

// The number of rows computed between two checks of the time, and the work of one in array items touched.
const ROWS_AT_ONCE = 8192;
const ROW_COST = 16;

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
  return meanOf(total);
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
    // False for NaN, so that the first number replaces it and NaN never replaces a number.
    if (statistic === "least" ? number >= bound : number <= bound) continue;
    if (!Number.isNaN(number)) bound = number;
  }
  return bound;
}
