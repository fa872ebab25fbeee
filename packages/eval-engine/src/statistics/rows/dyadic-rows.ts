// Sums many rows as they are read, if every value is a whole multiple of one power of two: a single pass over the rows
// gives the sums for a side, a difference or the noise of trials, without storing values. The results equal those of
// the columns in row-table.ts to the last digit, because neither rounds.

import type { Moments } from "@assay/statistics";
import { correlationOfSums, isExact, momentsOfSums } from "@assay/statistics/internal";
import type { BufferPool } from "../../kernels/buffer-pool.ts";
import { addProducts, addValues, addWithin, type Sides } from "../../kernels/row-sums.ts";
import type { RowValues } from "./row-values.ts";

/** The sums over the rows of one evaluation. */
export interface SideSums {
  readonly found: Moments;
  /** The number of known trials in all rows with a value. */
  readonly trials: number;
}

/** Sums the rows at `places`; undefined if plain additions would round. */
export function sideSums({ values, known, scales }: RowValues, places: Int32Array): SideSums | undefined {
  const { n, sum, squares, trials } = addValues(values, known, places);
  const sums = { n, sum, squares, scale: scales!.values };
  return isExact(sums) ? { found: momentsOfSums(sums), trials } : undefined;
}

/** The sums over pairs. */
export interface PairSums {
  /** Sums of candidate − baseline. */
  readonly found: Moments;
  /** The number of differences above 0. */
  readonly up: number;
  /** The number of differences below 0. */
  readonly down: number;
  /** The smallest nonzero absolute difference; infinity if there is none. */
  readonly least: number;
  /** The sum of absolute differences. */
  readonly distance: number;
  /** The mean of each side. */
  readonly means: Sides<number>;
  /** Pearson's correlation of the two. */
  readonly correlation: number | null;
  /** The places of the pairs on each side. */
  readonly places: Sides<Int32Array>;
}

/** Sums the pairs among the rows at `places`; undefined if plain additions would round. */
export function pairSums(
  { a, b }: Sides<RowValues>,
  places: Sides<Int32Array>,
  room: BufferPool,
): PairSums | undefined {
  const kept = { a: room.integers(places.a.length), b: room.integers(places.a.length) };
  const found = addProducts({ a: a.values, b: b.values }, places, kept);
  const { n, sumA, sumB, squaresA, squaresB, products, up, down, least, distance } = found;
  const scale = Math.max(a.scales!.values, b.scales!.values);
  const both = { n, sum: sumB - sumA, squares: squaresA + squaresB, scale };
  const ofDifferences = { ...both, squares: both.squares - 2 * products };
  if (!isExact(both) || !isExact(ofDifferences)) return undefined;
  return {
    found: momentsOfSums(ofDifferences),
    ...{ up, down, least, distance },
    means: { a: sumA / n, b: sumB / n },
    correlation: correlationOfSums(
      { n, sum: sumA, squares: squaresA, scale },
      { n, sum: sumB, squares: squaresB, scale },
      products,
    ),
    places: { a: kept.a.subarray(0, n), b: kept.b.subarray(0, n) },
  };
}

/** How the trials of rows vary, on one side. */
export interface WithinRows {
  /** The mean variance within rows that have one; null without such rows. */
  readonly mean: number | null;
  /** The number of rows for each number of trials. */
  readonly rowsByTrials: Float64Array;
}

/** Sums the variances within rows at `places`; undefined if plain additions would round. */
export function withinSums(
  { a, b }: Sides<RowValues>,
  places: Sides<Int32Array>,
): { readonly sides: Sides<WithinRows>; readonly flakyRows: number } | undefined {
  const byTrials = { a: new Float64Array(a.mostKnown + 1), b: new Float64Array(b.mostKnown + 1) };
  const within = { a: a.within, b: b.within };
  const { sums, rows, flaky } = addWithin(within, { a: a.known, b: b.known }, places, byTrials);
  if (sums.a * a.scales!.within > MOST || sums.b * b.scales!.within > MOST) return undefined;
  const side = (of: "a" | "b"): WithinRows => ({
    mean: rows[of] === 0 ? null : sums[of] / rows[of],
    rowsByTrials: byTrials[of],
  });
  return { sides: { a: side("a"), b: side("b") }, flakyRows: flaky };
}

/** Every whole number up to this is a double: no sum of nonnegative values below this many steps rounds. */
const MOST = 2 ** 53;
