// The exact sign-flip test: without a true difference, each row's difference could equally have had the other sign. If
// all differences are multiples of one step, the distribution of their sum over all 2^n sign patterns is that of a sum
// of coins, and is computed without random numbers.

import { type Coins, coinTail } from "../distributions/coin-tail.ts";
import { type Sample, sizeOf } from "../samples/sample.ts";

/** The largest Σ|d|/step that is computed. */
const LARGEST_SUM = 65_536;

/** The rounding error, in steps, that a difference may have from a whole multiple. */
const TOLERANCE = 1e-7;

/** Differences as whole multiples of a step, with the number of rows for each, without zeros. */
interface Grid {
  /** A coin for each row, with its multiple as size, ascending. */
  readonly coins: readonly Coins[];
  /** Σ|d|/step. */
  readonly largest: number;
  /** |Σd|/step. */
  readonly observed: number;
}

/**
 * The two-sided p-value of the hypothesis that differences are symmetric about 0: the share of the 2^n sign patterns
 * whose |Σ±d| is at least |Σd|. Null without differences, or if they lie on no grid with Σ|d|/step ≤ 65,536; 1 if all
 * are 0. The step of a grid is the largest number of which every difference is a multiple, up to rounding. Source:
 * Fisher 1935; Edgington and Onghena, "Randomization Tests".
 */
export function signFlip(differences: Sample): number | null {
  if (sizeOf(differences) === 0) return null;
  const grid = gridOf(differences);
  if (grid === undefined) return null;
  const { observed, largest, coins } = grid;
  if (observed === 0) return 1;
  if (observed === largest) return 2 ** (1 - coins.reduce((sum, { count }) => sum + count, 0));
  return Math.min(1, 2 * coinTail(coins, (largest + observed) / 2));
}

function gridOf({ values, counts }: Sample): Grid | undefined {
  let least = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    const count = counts === undefined ? 1 : counts[i]!;
    if (size === 0 || count === 0) continue;
    if (size < least) least = size;
    sum += size * count;
  }
  if (sum === 0) return { coins: [], largest: 0, observed: 0 };
  // The step divides the least difference. Each candidate is dropped at the first difference that is not a multiple of
  // it, and more differences leave fewer candidates. The sum is rounded here; whether it is too large is decided
  // exactly below, in whole multiples.
  const most = mostParts(least, sum);
  for (let parts = 1; parts <= most; parts++) {
    const grid = multiplesOf({ values, counts }, least, parts);
    if (grid !== undefined) return grid.largest <= LARGEST_SUM ? grid : undefined;
  }
  return undefined;
}

/**
 * The most steps that the least difference can be divided into with a total of at most 65,536 steps, plus one for
 * rounding.
 */
function mostParts(least: number, sum: number): number {
  return Math.floor(((LARGEST_SUM + 1) * least) / sum);
}

/**
 * Whether `signFlip` may have an answer, given the smallest nonzero difference and the sum, both without signs. False
 * only if no grid is coarse enough.
 */
export function mayFlip({ least, sum }: { readonly least: number; readonly sum: number }): boolean {
  return sum === 0 || mostParts(least, sum) > 0;
}

/** The differences as multiples of `unit / parts`; undefined if one of them is not a multiple. */
function multiplesOf({ values, counts }: Sample, unit: number, parts: number): Grid | undefined {
  const rows = new Map<number, number>();
  let largest = 0;
  let observed = 0;
  for (let i = 0; i < values.length; i++) {
    const count = counts === undefined ? 1 : counts[i]!;
    if (values[i] === 0 || count === 0) continue;
    const exact = (Math.abs(values[i]!) / unit) * parts;
    const size = Math.round(exact);
    if (Math.abs(exact - size) > TOLERANCE) return undefined;
    rows.set(size, (rows.get(size) ?? 0) + count);
    largest += size * count;
    observed += Math.sign(values[i]!) * size * count;
  }
  const coins = [...rows].map(([size, count]) => ({ size, count })).sort((a, b) => a.size - b.size);
  return { coins, largest, observed: Math.abs(observed) };
}
