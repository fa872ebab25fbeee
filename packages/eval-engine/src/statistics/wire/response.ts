// The answers of statistics in wire format. Every field is always present, and null if it has no value.

import type { Adjustment, Direction, Interval, Verdict } from "@assay/statistics";
import type { DirectionSource } from "../measures/direction.ts";

/** A caveat about the numbers. */
export interface StatisticsWarning {
  /** Its topic. */
  readonly code:
    | "selected_by_results"
    | "different_datasets"
    | "rows_not_shared"
    | "different_scorers"
    | "different_trials"
    | "missing_uneven"
    | "still_running"
    | "duplicate_trials"
    | "few_rows"
    | "few_clusters"
    | "skewed"
    | "no_variation"
    | "same_model"
    | "no_rows"
    | "no_cluster"
    | "too_many_slices"
    | "no_direction"
    | "unknown_field"
    | "unmet_type";
  /** The warning as a sentence. */
  readonly text: string;
  /** The evaluations that it is about. */
  readonly evaluations: readonly string[];
  /** The number of rows, trials, measures or slices in the text; null if it counts nothing. */
  readonly count: number | null;
}

/** One evaluation's values of a measure. */
export interface MeasureSide {
  /** The number of rows with a value. */
  readonly rows: number;
  /** The number of trials with a known value in these rows. */
  readonly trials: number;
  /** The number of selected rows of the evaluation without a value. */
  readonly missing: number;
  /** The mean over rows. */
  readonly mean: number | null;
  /** The standard deviation over rows. */
  readonly sd: number | null;
  /** The standard error of the mean. */
  readonly se: number | null;
  /** The confidence interval of the mean. */
  readonly interval: Interval | null;
}

/** How much of the variance comes from the limited number of trials per row. */
export interface MeasureNoise {
  /** The mean variance of one row's trials, in the baseline. */
  readonly baseline_within: number;
  /** The same in the candidate. */
  readonly candidate_within: number;
  /** The share of the variance of the differences that more trials would remove, 0 to 1. */
  readonly share_from_trials: number | null;
  /** The number of rows whose trials disagree in either evaluation. */
  readonly flaky_rows: number;
  /** `rows_needed` with four times the trials. */
  readonly rows_needed_with_4x_trials: number | null;
}

/** One measure of a candidate and the baseline. */
export interface MeasureComparison {
  /** The measure. */
  readonly field: string;
  /** The kind of its selected values; null without values. */
  readonly kind: "boolean" | "number" | null;
  /** Which values are better; null if unknown, and then there is no verdict. */
  readonly direction: Direction | null;
  /** Where the direction comes from: the question, the project, the measure's name, or boolean values. */
  readonly direction_source: DirectionSource | null;
  /** How a row's trials were reduced to one value. */
  readonly reduce: string;
  /** The smallest difference that matters. */
  readonly margin: number;
  /** The baseline by itself. */
  readonly baseline: MeasureSide;
  /** The candidate by itself. */
  readonly candidate: MeasureSide;
  /** Whether rows were compared in pairs. */
  readonly paired: boolean;
  /** The number of rows with a value in both. */
  readonly pairs: number;
  /** The mean of the baseline over the pairs; null for fewer than two pairs. */
  readonly baseline_mean: number | null;
  /** The same for the candidate. */
  readonly candidate_mean: number | null;
  /** The number of selected rows that the candidate does not have. */
  readonly only_baseline: number;
  /** The number of selected rows that the baseline does not have. */
  readonly only_candidate: number;
  /** The mean of candidate − baseline. */
  readonly difference: number | null;
  /** Its standard error. */
  readonly se: number | null;
  /** Its confidence interval. */
  readonly interval: Interval | null;
  /** The probability of a difference at least this large if there were none; null if only the interval decides. */
  readonly p_value: number | null;
  /**
   * The test: `mcnemar_mid_p`, `sign_flip`, `t`, `cluster_t`, `welch`, `two_proportions`, `cluster_bonett_price` or
   * `cluster_two_proportions`.
   */
  readonly p_method: string | null;
  /** `p_value`, adjusted for all pairs and measures of the answer. */
  readonly adjusted_p: number | null;
  /** The number of rows on which the candidate is better; null if unpaired, or without a direction. */
  readonly wins: number | null;
  /** The number of rows on which it is worse. */
  readonly losses: number | null;
  /** The number of rows on which they are equal. */
  readonly ties: number | null;
  /** Pearson's correlation of the two over rows. */
  readonly correlation: number | null;
  /** The difference in standard deviations of the rows' differences. */
  readonly effect: number | null;
  /** For booleans: the ratio of rows that only the candidate passes to rows that only the baseline passes. */
  readonly odds: number | null;
  /** The verdict. */
  readonly verdict: Verdict;
  /** Why it is inconclusive, or why there is no difference to show; else null. */
  readonly reason: string | null;
  /** The smallest difference that this many rows detect with power 0.8. */
  readonly minimum_detectable: number | null;
  /** The number of rows needed to detect the margin, or the observed difference if the margin is 0. */
  readonly rows_needed: number | null;
  /** Where the variance comes from; null with one trial per row. */
  readonly noise: MeasureNoise | null;
}

/** The answer to a comparison. */
export interface CompareResults {
  /** The number of selected rows. */
  readonly row_count: number;
  /** The baseline. */
  readonly baseline: string;
  /** The confidence of intervals. */
  readonly level: number;
  /** How p-values were corrected. */
  readonly adjustment: Adjustment;
  /** One entry for each candidate, in request order. */
  readonly comparisons: readonly {
    /** The candidate. */
    readonly candidate: string;
    /** Its measures, in request order, or by field. */
    readonly measures: readonly MeasureComparison[];
  }[];
  /** Caveats about the answer. */
  readonly warnings: readonly StatisticsWarning[];
}

/** Rows with one value of a field, or a range of its numbers. */
export interface SliceField {
  /** The field. */
  readonly field: string;
  /** Its value; null for a range. */
  readonly value: boolean | string | null;
  /** The least number of the range. */
  readonly low: number | null;
  /** The greatest number of the range, which is the least if it has only one. */
  readonly high: number | null;
}

/** One slice of the rows. */
export interface Slice {
  /** One field, or two. */
  readonly fields: readonly SliceField[];
  /**
   * The filter that selects its rows when added to the query's own. Null if no single filter does: if a row must match
   * in all evaluations and some lack rows, or if the query has filters for several evaluations and a row may match in
   * any.
   */
  readonly filter: {
    readonly evaluation_call_id: string | null;
    readonly query: { readonly $expr: object };
  } | null;
  /** The number of selected rows in it. */
  readonly rows: number;
  /** The number of these rows with a value in both. */
  readonly pairs: number;
  /** The mean of the baseline over the pairs. */
  readonly baseline_mean: number | null;
  /** The same for the candidate. */
  readonly candidate_mean: number | null;
  /** The mean of candidate − baseline. */
  readonly difference: number | null;
  /** Its confidence interval. */
  readonly interval: Interval | null;
  /** The probability of a difference at least this large if there were none. */
  readonly p_value: number | null;
  /** `p_value` adjusted for all tested slices, by Benjamini and Hochberg. */
  readonly q_value: number | null;
  /** The verdict. */
  readonly verdict: Verdict;
  /** Why it is inconclusive; else null. */
  readonly reason: string | null;
  /** The same comparison on the selected rows outside the slice. */
  readonly outside: { readonly rows: number; readonly difference: number | null };
  /** The slice's difference minus that of the rows outside. */
  readonly difference_to_outside: number | null;
}

/** The answer to slices. */
export interface SlicesResults {
  /** The number of slices. */
  readonly looked_at: number;
  /** The number of slices with enough rows to be tested. */
  readonly tested: number;
  /** The comparison on all selected rows. */
  readonly whole: MeasureComparison;
  /** By q-value, then by the size of the difference; untested slices last. */
  readonly slices: readonly Slice[];
  /** Caveats about the answer. */
  readonly warnings: readonly StatisticsWarning[];
}

/** One evaluation in a ranking. */
export interface RankedEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** The number of rows with a value. */
  readonly rows: number;
  /** The mean over rows. */
  readonly mean: number | null;
  /** The confidence interval of the mean. */
  readonly interval: Interval | null;
  /** The mean, shrunk towards the mean of all in proportion to the noise; null for fewer than four evaluations. */
  readonly shrunken: number | null;
  /** The range of places it may have; null without a mean. */
  readonly rank: { readonly low: number; readonly high: number } | null;
  /** Evaluations of one group cannot be distinguished from the best of it; null without a mean. */
  readonly group: number | null;
  /** Why it ranks above an evaluation with a better mean; null if it does not. */
  readonly ahead_of: AheadOf | null;
}

/**
 * An evaluation that ranks below one with a worse mean. Places depend on the rows that two evaluations share, means on
 * all rows of each.
 */
export interface AheadOf {
  /** The evaluation below; of several, the one with the best mean. */
  readonly evaluation_call_id: string;
  /**
   * The evaluation that was found better than it: the one above, or another that was not found better than the one
   * above.
   */
  readonly beaten_by: string;
  /** The number of rows that these two share. */
  readonly pairs: number;
  /** The mean of `beaten_by` − the evaluation below, over these rows. */
  readonly difference: number;
}

/** Two evaluations of a ranking. */
interface RankedPair {
  /** The one with the better mean. */
  readonly a: string;
  /** The other one. */
  readonly b: string;
  /** The mean of a − b. */
  readonly difference: number | null;
  /** Its confidence interval. */
  readonly interval: Interval | null;
  /** The probability of a difference at least this large if there were none. */
  readonly p_value: number | null;
  /** The p-value adjusted for all pairs, by Holm. */
  readonly adjusted_p: number | null;
}

/** The answer to a ranking. */
export interface RankingResults {
  /** The number of selected rows. */
  readonly row_count: number;
  /** Ordered by best possible place, then by mean. */
  readonly evaluations: readonly RankedEvaluation[];
  /** All pairs of evaluations. */
  readonly pairs: readonly RankedPair[];
  /** Caveats about the answer. */
  readonly warnings: readonly StatisticsWarning[];
}
