// The scores that a summary sums, stored trial by trial in addition to the columns: a filter selects trials that are
// far apart in memory, so reading each score from its column would be a separate cache miss. Built for the first
// filtered summary of evaluations that are not changing; takes two or eight bytes per score and trial. Always contains
// exactly the data of the columns.

import { NONE, StepFinder } from "../../kernels/small-sums.ts";
import { chunked, type Work } from "../../kernels/work.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";

// The number of trials read or inserted between two checks of the time.
const TRIALS_AT_ONCE = 16_384;

// The work of checking a trial's kind of value, in array items touched.
const KIND_COST = 2;

/** Columns of a segment, trial by trial, identified by their arrays. */
export interface ScoreMatrix {
  /** Columns whose numbers are small; see kernels/small-sums.ts. */
  readonly small: Side<Int16Array>;
  /** All others; NaN is a missing number. */
  readonly wide: Side<Float64Array>;
  /** Columns without any number. */
  readonly empty: ReadonlySet<Float64Array>;
}

/** Some columns side by side. */
interface Side<Numbers> {
  readonly columns: readonly SideColumn[];
  /** The numbers of all columns of a trial, then those of the next. */
  readonly numbers: Numbers;
}

/** A column, and the step of its numbers. */
interface SideColumn {
  readonly array: Float64Array;
  readonly step: number;
}

const SCORE_MATRIX: DerivedKey<ScoreMatrix, number> = {
  bytes: ({ small, wide }) => small.numbers.byteLength + wide.numbers.byteLength,
};

/** The matrix of a segment, if it exists. */
export function scoreMatrixOf({ memo }: Segment): ScoreMatrix | undefined {
  return memo.get(SCORE_MATRIX);
}

/** Builds the matrix of a segment, unless it exists or the segment is changing. */
export async function prepareScoreMatrix(segment: Segment, work: Work): Promise<void> {
  if (!segment.tidy || scoreMatrixOf(segment) !== undefined) return;
  const { trials } = segment;
  const { scores, tokens, ownTokens } = segment.parts;
  const arrays: Float64Array[] = [];
  for (const { values } of scores.columns) {
    if (values.isNumeric || values.isBinary) arrays.push(values.numbers.array);
    const pause = work.spend(trials * KIND_COST);
    if (pause !== undefined) await pause;
  }
  const [small, wide]: [SideColumn[], SideColumn[]] = [[], []];
  const empty = new Set<Float64Array>();
  for (const array of new Set([tokens.array, ownTokens.array, ...arrays])) {
    const finder = new StepFinder();
    let isSmall = true;
    for (let from = 0; from < trials && isSmall; from += TRIALS_AT_ONCE) {
      isSmall = finder.add(array.subarray(from, Math.min(from + TRIALS_AT_ONCE, trials)));
      const pause = work.spend(TRIALS_AT_ONCE * 2);
      if (pause !== undefined) await pause;
    }
    if (!finder.found) empty.add(array);
    else if (isSmall) small.push({ array, step: finder.step });
    else wide.push({ array, step: 1 });
  }
  const matrix: ScoreMatrix = {
    small: { columns: small, numbers: new Int16Array(small.length * trials) },
    wide: { columns: wide, numbers: new Float64Array(wide.length * trials) },
    empty,
  };
  await chunked(work, { length: trials, slice: TRIALS_AT_ONCE }, (from, to) => {
    fill(matrix.small, from, to, NONE);
    fill(matrix.wide, from, to, Number.NaN);
    return (to - from) * (small.length + wide.length) * 4;
  });
  segment.memo.set(SCORE_MATRIX, "", matrix);
}

/** Inserts the numbers of the trials from `from` up to `to`. */
function fill(
  { columns, numbers }: Side<Int16Array | Float64Array>,
  from: number,
  to: number,
  none: number,
): void {
  const width = columns.length;
  for (const [place, { array, step }] of columns.entries()) {
    const scale = 1 / step;
    for (let i = from; i < to; i++) {
      const number = array[i]!;
      numbers[i * width + place] = Number.isNaN(number) ? none : number * scale;
    }
  }
}
