// Splits variance into the part due to rows and the part due to a limited number of trials per row.

import { addExactly, newTotal, totalOf } from "../samples/exact-total.ts";
import { moments } from "../samples/moments.ts";

/** Variance components. */
export interface VarianceComponents {
  /** The sample variance of the rows' means. */
  readonly ofRowMeans: number;
  /** The mean over rows of the variance of their trials: the noise of one trial. */
  readonly within: number;
  /** The contribution of trials to the variance of a row's mean: the mean of within/K over rows with K trials. */
  readonly fromTrials: number;
  /** The rest of `ofRowMeans`, due to the rows themselves; 0 if sampling made it negative. */
  readonly fromRows: number;
  /** The standard error of the mean over rows, from both components. */
  readonly se: number;
}

/**
 * The variance components of rows with several trials each. Null for fewer than two rows, or if a row has fewer than
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
