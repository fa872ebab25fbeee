// The exact sign-flip test: were there no difference, each row's difference could as well have had the other sign.
// Where all differences are multiples of one step, the distribution of their sum under all 2^n sign patterns is that of
// a sum of coins, and is worked out without random numbers.

import { type Coins, coinTail } from "./coin-tail.ts";
import { type Sample, sizeOf } from "./sample.ts";

/** The largest Σ|d|/step that is worked out. */
const LARGEST_SUM = 65_536;

/** How far from a whole multiple rounding may have put a difference, in steps. */
const TOLERANCE = 1e-7;

/** Differences as whole multiples of a step: how many rows have each, without zeros. */
interface Grid {
  /** A coin for each row: how large its multiple is, from 1 on, ascending. */
  readonly coins: readonly Coins[];
  /** Σ|d|/step. */
  readonly largest: number;
  /** |Σd|/step. */
  readonly observed: number;
}

/**
 * The two-sided p-value that differences are symmetric about 0: the share of the 2^n sign patterns whose |Σ±d| is at
 * least |Σd|. Null when the differences lie on no grid with Σ|d|/step ≤ 65,536, or there are none; 1 when all are 0.
 * A grid is the largest step of which every difference is a multiple, up to rounding.
 * Source: Fisher 1935; Edgington and Onghena, "Randomization Tests".
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
  // The step divides the least difference. Each candidate is given up at the first difference that is off it, and
  // there are fewer candidates the more differences there are. The sum is rounded: what is too large is told exactly,
  // in whole multiples.
  const most = mostParts(least, sum);
  for (let parts = 1; parts <= most; parts++) {
    const grid = multiplesOf({ values, counts }, least, parts);
    if (grid !== undefined) return grid.largest <= LARGEST_SUM ? grid : undefined;
  }
  return undefined;
}

/** Into how many steps the least difference may be parted so that all of them add up to at most 65,536, and one more. */
function mostParts(least: number, sum: number): number {
  return Math.floor(((LARGEST_SUM + 1) * least) / sum);
}

/**
 * Whether `signFlip` may have an answer for differences, of which the smallest but 0 and the sum are given, without
 * their signs: false only when no grid is coarse enough.
 */
export function mayFlip({ least, sum }: { readonly least: number; readonly sum: number }): boolean {
  return sum === 0 || mostParts(least, sum) > 0;
}

/** The differences in multiples of `unit / parts`; undefined when one is not a multiple. */
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
