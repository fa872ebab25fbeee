// Rates and their differences in words: per cent, and points; and which scores have a rate.

import type { EvalResultsScorerStats } from "../query/response.ts";

/** A rate from 0 to 1 as a percentage, such as `42.5%`. */
export function rateText(rate: number, decimals = 1): string {
  return `${(rate * 100).toFixed(decimals)}%`;
}

/** A difference of rates in points, with its sign; ± if it rounds to 0. */
export function pointsText(difference: number, decimals = 1): string {
  const points = Math.abs(100 * difference).toFixed(decimals);
  return `${Number(points) === 0 ? "±" : difference < 0 ? "−" : "+"}${points}`;
}

/** The stats of a score; its booleans count as 1 and 0 if it also has numbers, as in a comparison. */
export function statsAsCompared(stats: EvalResultsScorerStats): EvalResultsScorerStats {
  const { numeric_count, numeric_mean, pass_known_count, pass_true_count } = stats;
  if (numeric_mean === null || pass_known_count === 0) return stats;
  const count = numeric_count + pass_known_count;
  return {
    ...stats,
    numeric_count: count,
    numeric_mean: numeric_mean * (numeric_count / count) + pass_true_count / count,
    ...{ pass_rate: null, pass_known_count: 0, pass_true_count: 0 },
  };
}
