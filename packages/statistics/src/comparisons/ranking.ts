// Ranks competitors, with ranges of ranks where the order is uncertain.

import { square } from "../distributions/elementary.ts";
import { addExactly, newTotal, totalOf } from "../samples/exact-total.ts";

/** The range of places that a competitor may have, 1 for the best. */
export interface RankInterval {
  /** 1 + the number of better competitors. */
  readonly low: number;
  /** N − the number of worse competitors. */
  readonly high: number;
}

/** The places of `count` competitors; `beats(i, j)` tells whether i was found better than j. */
export function rankIntervals(count: number, beats: (i: number, j: number) => boolean): RankInterval[] {
  return Array.from({ length: count }, (_, i) => {
    let [better, worse] = [0, 0];
    for (let j = 0; j < count; j++) {
      if (j === i) continue;
      if (beats(j, i)) better++;
      if (beats(i, j)) worse++;
    }
    return { low: 1 + better, high: count - worse };
  });
}

/**
 * The group of each competitor, numbered from 1, for competitors in order, best first. Competitors in a group are
 * tied: a new group begins with the first one that the best of the previous group beats.
 */
export function tiedGroups(count: number, beats: (i: number, j: number) => boolean): number[] {
  let [group, best] = [1, 0];
  return Array.from({ length: count }, (_, i) => {
    if (i > 0 && beats(best, i)) {
      group++;
      best = i;
    }
    return group;
  });
}

/**
 * Means shrunk towards their common mean, because the best of many noisy means is too good: M + max(0, 1 −
 * (N−3)·s̄²/Σ(m_i−M)²)·(m_i − M), with s̄² the mean of the squared standard errors (positive-part James–Stein). Null
 * for fewer than four means. Source: Efron and Morris 1973.
 */
export function shrunkenMeans(means: readonly number[], squaredErrors: readonly number[]): number[] | null {
  const n = means.length;
  if (n < 4) return null;
  const meanOf = (values: readonly number[]): number => {
    const total = newTotal();
    for (const value of values) addExactly(total, value);
    return totalOf(total) / n;
  };
  const centre = meanOf(means);
  const spread = n * meanOf(means.map((mean) => square(mean - centre)));
  if (!(spread > 0)) return [...means];
  const kept = Math.max(0, 1 - ((n - 3) * meanOf(squaredErrors)) / spread);
  return means.map((mean) => centre + kept * (mean - centre));
}
