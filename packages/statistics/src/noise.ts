// How much of what varies comes from the rows, and how much from trying each of them only so often.

import { addExactly, newTotal, totalOf } from "./exact-total.ts";
import { moments } from "./moments.ts";

/** Variance by where it comes from. */
export interface VarianceComponents {
  /** Sample variance of the rows' means. */
  readonly ofRowMeans: number;
  /** Mean over rows of the variance of their trials: what one trial adds. */
  readonly within: number;
  /** What the trials add to the variance of a row's mean: mean of within/K over rows with K trials. */
  readonly fromTrials: number;
  /** What is left of `ofRowMeans` for the rows themselves; 0 when sampling made it negative. */
  readonly fromRows: number;
  /** Standard error of the mean over rows, both together. */
  readonly se: number;
}

/**
 * The variance components of rows with several trials each. Null for fewer than two rows, or when a row has fewer than
 * two trials. Source: Wang, "Measuring all the noises of LLM evals", arXiv:2512.21326; Miller, arXiv:2411.00640.
 */
export function varianceComponents(rows: readonly ArrayLike<number>[]): VarianceComponents | null {
  const [within, fromTrials] = [newTotal(), newTotal()];
  const means: number[] = [];
  for (const trials of rows) {
    const { mean, variance } = moments({ values: trials });
    if (mean === null || variance === null) return null;
    means.push(mean);
    addExactly(within, variance);
    addExactly(fromTrials, variance / trials.length);
  }
  const { variance } = moments({ values: means });
  if (variance === null) return null;
  const fromMeans = totalOf(fromTrials) / rows.length;
  return {
    ofRowMeans: variance,
    within: totalOf(within) / rows.length,
    fromTrials: fromMeans,
    fromRows: Math.max(0, variance - fromMeans),
    se: Math.sqrt(variance / rows.length),
  };
}
