// Two means of different rows.

import { tTwoSided } from "./distributions.ts";
import { square } from "./elementary.ts";
import type { Interval } from "./interval.ts";
import type { Estimate } from "./mean-interval.ts";
import { wilson } from "./proportion.ts";

/** A proportion: `successes` of `n`. */
export interface Proportion {
  /** How many passed. */
  readonly successes: number;
  /** Of how many: of rows in clusters the effective sample size, which need not be whole. */
  readonly n: number;
  /** Degrees of freedom with which that was estimated. Default infinity: it is known. */
  readonly df?: number | undefined;
}

/**
 * The difference of two independent means, b − a, with the degrees of freedom of Welch and Satterthwaite:
 * (v_a + v_b)² / (v_a²/df_a + v_b²/df_b), where v is the squared standard error of each.
 */
export function welch(a: Estimate, b: Estimate): Estimate {
  const [va, vb] = [square(a.se), square(b.se)];
  return {
    mean: b.mean - a.mean,
    se: Math.sqrt(va + vb),
    df: square(va + vb) / (square(va) / a.df + square(vb) / b.df),
  };
}

/**
 * The difference of two independent proportions, b − a, by square-and-add of their Wilson intervals. Null when either
 * has no row. Source: Newcombe, "Interval Estimation for the Difference Between Independent Proportions", 1998, method 10.
 */
export function newcombe(a: Proportion, b: Proportion, level: number): Interval | null {
  const [first, second] = [a, b].map(({ successes, n, df }) => wilson(successes, n, level, df));
  if (first == null || second == null) return null;
  const [p, q] = [a.successes / a.n, b.successes / b.n];
  const difference = q - p;
  return {
    low: difference - Math.sqrt(square(q - second.low) + square(first.high - p)),
    high: difference + Math.sqrt(square(second.high - q) + square(p - first.low)),
    method: "newcombe",
  };
}

/**
 * The two-sided p-value that two independent proportions are equal: the score test, with the variance of the pooled
 * proportion, on the fewer degrees of freedom of the two. 1 when nothing varies; null when either has no row.
 */
export function proportionsTest(a: Proportion, b: Proportion): number | null {
  if (a.n === 0 || b.n === 0) return null;
  const pooled = (a.successes + b.successes) / (a.n + b.n);
  const variance = pooled * (1 - pooled) * (1 / a.n + 1 / b.n);
  if (!(variance > 0)) return 1;
  const df = Math.min(a.df ?? Number.POSITIVE_INFINITY, b.df ?? Number.POSITIVE_INFINITY);
  return tTwoSided((b.successes / b.n - a.successes / a.n) / Math.sqrt(variance), df);
}
