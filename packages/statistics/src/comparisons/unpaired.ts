// Compares means and proportions of different rows.

import { tTwoSided } from "../distributions/distributions.ts";
import { square } from "../distributions/elementary.ts";
import type { Interval } from "../intervals/interval.ts";
import type { Estimate } from "../intervals/mean-interval.ts";
import { wilson } from "../intervals/proportion.ts";

/** A proportion: `successes` of `n`. */
export interface Proportion {
  /** The number of successes. */
  readonly successes: number;
  /** The number of rows; for clustered rows, the effective sample size, which may be fractional. */
  readonly n: number;
  /** Degrees of freedom of the estimated size. Default infinity: the size is known. */
  readonly df?: number | undefined;
}

/**
 * The difference of two independent means, b − a, with Welch–Satterthwaite degrees of freedom: (v_a + v_b)² /
 * (v_a²/df_a + v_b²/df_b), where v is the squared standard error of each.
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
 * The difference of two independent proportions, b − a, by squaring and adding the distances to their Wilson bounds.
 * Null if either has no rows. Source: Newcombe, "Interval Estimation for the Difference Between Independent
 * Proportions", 1998, method 10.
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
 * The two-sided p-value for equal independent proportions: the score test, with the variance of the pooled proportion,
 * on the smaller degrees of freedom of the two. 1 if nothing varies; null if either has no rows.
 */
export function proportionsTest(a: Proportion, b: Proportion): number | null {
  if (a.n === 0 || b.n === 0) return null;
  const pooled = (a.successes + b.successes) / (a.n + b.n);
  const variance = pooled * (1 - pooled) * (1 / a.n + 1 / b.n);
  if (!(variance > 0)) return 1;
  const df = Math.min(a.df ?? Number.POSITIVE_INFINITY, b.df ?? Number.POSITIVE_INFINITY);
  return tTwoSided((b.successes / b.n - a.successes / a.n) / Math.sqrt(variance), df);
}
