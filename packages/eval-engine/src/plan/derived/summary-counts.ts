// Counts of a segment's trials for a summary. The counts of a whole segment are cached and updated with new trials. The
// naive form is the naive evaluator, which counts everything each time.

import { addAll, addExactly, addTotal, newTotal, type Total } from "@assay/statistics/exact";
import type { ScoreColumn } from "../../columns/score-columns.ts";
import { TAG, type ValueColumn } from "../../columns/value-column.ts";
import { addSmall } from "../../kernels/small-sums.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";
import { type ScoreMatrix, scoreMatrixOf } from "./score-matrix.ts";

/** The counts of one score column. */
export interface ColumnCounts {
  readonly column: ScoreColumn;
  /** The first trial with a value, in the order of trials. */
  readonly first: number;
  readonly trials: number;
  readonly numbers: Total;
  readonly passTrue: number;
  readonly passKnown: number;
}

/** The counts of some trials. */
export interface SummaryCounts {
  readonly trials: number;
  /** Columns in which some trial has a value. */
  readonly columns: readonly ColumnCounts[];
  /** With and without the trials' children. */
  readonly tokens: Total;
  readonly ownTokens: Total;
}

/** The cached counts of a whole segment. */
interface CachedCounts {
  readonly value: SummaryCounts;
  /** The segment's trials and removed trials at the time of counting. */
  readonly trials: number;
  readonly removed: number;
}

const COUNTS: DerivedKey<CachedCounts, number> = { lasts: true };

// With more new trials than this, finding out which comes first is slower than counting everything.
const TRIALS_ADDED = 256;

/** The counts of all trials of a segment; `count` computes them if necessary. */
export async function summaryCountsOfAll(
  segment: Segment,
  count: () => Promise<SummaryCounts>,
): Promise<SummaryCounts> {
  const { trials, removed } = segment;
  const known = segment.memo.get(COUNTS);
  if (known?.trials === trials && known.removed === removed) return known.value;
  const added = known?.removed === removed ? trials - known.trials : Number.NaN;
  let counts: SummaryCounts;
  if (added <= TRIALS_ADDED) {
    const late = Uint32Array.from({ length: added }, (_, k) => known!.trials + k);
    counts = sumOfCounts(
      segment,
      known!.value,
      summaryCountsOf(
        segment,
        late.sort((a, b) => segment.compareTrials(a, b)),
      ),
    );
  } else counts = await count();
  segment.memo.set(COUNTS, "", { value: counts, trials, removed });
  return counts;
}

/** The counts of `trials`, which are in order. */
export function summaryCountsOf(segment: Segment, trials: Uint32Array): SummaryCounts {
  const { scores, tokens, ownTokens } = segment.parts;
  const matrix = scoreMatrixOf(segment);
  const sums = sumsOf(matrix, trials);
  const ofTokens = sums(tokens.array);
  return {
    trials: trials.length,
    columns: scores.columns
      .map((column) => countColumn(column, trials, sums, matrix !== undefined))
      .filter((counts) => counts.trials > 0),
    tokens: ofTokens,
    // Without children, both are one column.
    ownTokens: ownTokens.array === tokens.array ? ofTokens : sums(ownTokens.array),
  };
}

/** The sum of a column over `trials`; if it is in the matrix, together with those of all its columns. */
type Sums = (column: Float64Array) => Total;

// The number of trials whose numbers fit into a core's cache: the first column loads them, the others find them there.
const TRIALS_IN_CACHE = 512;

function sumsOf(matrix: ScoreMatrix | undefined, trials: Uint32Array): Sums {
  const totals = matrix === undefined ? undefined : totalsIn(matrix, trials);
  return (column) => {
    const known = totals?.get(column);
    if (known !== undefined) return known;
    const total = newTotal();
    addAll(total, column, trials, 1, 0);
    return total;
  };
}

function totalsIn({ small, wide, empty }: ScoreMatrix, trials: Uint32Array): Map<Float64Array, Total> {
  const smallTotals = small.columns.map(newTotal);
  const wideTotals = wide.columns.map(newTotal);
  const starts = new Uint32Array(TRIALS_IN_CACHE);
  for (let from = 0; from < trials.length; from += TRIALS_IN_CACHE) {
    const some = trials.subarray(from, from + TRIALS_IN_CACHE);
    for (let k = 0; k < some.length; k++) starts[k] = some[k]! * small.columns.length;
    const someStarts = starts.subarray(0, some.length);
    for (const [place, { step }] of small.columns.entries())
      addSmall(smallTotals[place]!, small.numbers, someStarts, place, step);
    for (const [place, total] of wideTotals.entries())
      addAll(total, wide.numbers, some, wide.columns.length, place);
  }
  return new Map([
    ...small.columns.map(({ array }, place) => [array, smallTotals[place]!] as const),
    ...wide.columns.map(({ array }, place) => [array, wideTotals[place]!] as const),
    ...[...empty].map((array) => [array, newTotal()] as const),
  ]);
}

/** The combined counts of both. */
export function sumOfCounts(segment: Segment, a: SummaryCounts, b: SummaryCounts): SummaryCounts {
  const columns = new Map(a.columns.map((counts) => [counts.column, counts]));
  for (const counts of b.columns) {
    const known = columns.get(counts.column);
    columns.set(counts.column, known === undefined ? counts : sumOfColumn(segment, known, counts));
  }
  return {
    trials: a.trials + b.trials,
    columns: [...columns.values()],
    tokens: sumOfTotals(a.tokens, b.tokens),
    ownTokens: sumOfTotals(a.ownTokens, b.ownTokens),
  };
}

function sumOfColumn(segment: Segment, a: ColumnCounts, b: ColumnCounts): ColumnCounts {
  return {
    column: a.column,
    first: segment.compareTrials(a.first, b.first) <= 0 ? a.first : b.first,
    trials: a.trials + b.trials,
    numbers: sumOfTotals(a.numbers, b.numbers),
    passTrue: a.passTrue + b.passTrue,
    passKnown: a.passKnown + b.passKnown,
  };
}

function sumOfTotals(a: Total, b: Total): Total {
  const sum = { ...a };
  addTotal(sum, b);
  return sum;
}

/** `hasMatrix`: sums are fast, also of numbers that stand for true and false. */
function countColumn(column: ScoreColumn, trials: Uint32Array, sums: Sums, hasMatrix: boolean): ColumnCounts {
  const { values } = column;
  const { tags } = values;
  const first = trials.find((i) => tags.array[i] !== TAG.null) ?? -1;
  if (values.isNumeric) {
    const total = sums(values.numbers.array);
    return { column, first, trials: total.count, numbers: total, passTrue: 0, passKnown: 0 };
  }
  if (values.isBinary && hasMatrix) {
    const { high, count } = sums(values.numbers.array);
    return { column, first, trials: count, numbers: newTotal(), passTrue: high, passKnown: count };
  }
  const counts = countTags(tags.array, trials);
  const [passTrue, passFalse] = [counts[TAG.true]!, counts[TAG.false]!];
  const total = newTotal();
  if (values.hasNumbers) addTagged(total, values, trials);
  return {
    column,
    first,
    trials: trials.length - counts[TAG.null]!,
    numbers: total,
    passTrue,
    passKnown: passTrue + passFalse,
  };
}

/** How many of `trials` have each tag. */
function countTags(tags: Uint8Array, trials: Uint32Array): Uint32Array {
  const counts = new Uint32Array(6);
  for (let k = 0; k < trials.length; k++) counts[tags[trials[k]!]!]!++;
  return counts;
}

/** Adds the values that are numbers, not texts that read as numbers. */
function addTagged(total: Total, { tags, numbers }: ValueColumn, trials: Uint32Array): void {
  for (let k = 0; k < trials.length; k++) {
    const i = trials[k]!;
    if (tags.array[i] === TAG.number) addExactly(total, numbers.array[i]!);
  }
}
