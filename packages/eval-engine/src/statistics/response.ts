// The answers of statistics as they go over the wire. Every field is always there; what has no value is null.

import type { Adjustment, Direction, Interval, Verdict } from "@assay/statistics";
import type { DirectionSource } from "./direction.ts";

/** Something that a reader of the numbers must know. */
export interface StatisticsWarning {
  /** What it is about. */
  readonly code:
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
  /** It as a sentence. */
  readonly text: string;
  /** The evaluations that it is about. */
  readonly evaluations: readonly string[];
  /** How many rows, trials, measures or slices, as the text says; null when nothing is counted. */
  readonly count: number | null;
}

/** What is known of one evaluation at a measure. */
export interface MeasureSide {
  /** Rows with a value. */
  readonly rows: number;
  /** Trials in them with a known value. */
  readonly trials: number;
  /** Rows of the evaluation, in the selection, without a value. */
  readonly missing: number;
  /** Mean over rows. */
  readonly mean: number | null;
  /** Standard deviation over rows. */
  readonly sd: number | null;
  /** Standard error of the mean. */
  readonly se: number | null;
  /** Where the mean lies. */
  readonly interval: Interval | null;
}

/** How much of what varies comes from trying each row only so often. */
export interface MeasureNoise {
  /** Mean variance of one row's trials, in the baseline. */
  readonly baseline_within: number;
  /** The same in the candidate. */
  readonly candidate_within: number;
  /** Share of the variance of the differences that more trials would take away, 0 to 1. */
  readonly share_from_trials: number | null;
  /** Rows whose trials disagree in one of the two. */
  readonly flaky_rows: number;
  /** `rows_needed` with four times the trials. */
  readonly rows_needed_with_4x_trials: number | null;
}

/** One measure of a candidate and the baseline. */
export interface MeasureComparison {
  /** The measure. */
  readonly field: string;
  /** What its values are, in the selection; null when there are none. */
  readonly kind: "boolean" | "number" | null;
  /** Which values are better; null when it has not been said, and then nothing is decided. */
  readonly direction: Direction | null;
  /** Where the direction comes from: the question, the project, the measure's name, or values that are true or false. */
  readonly direction_source: DirectionSource | null;
  /** How a row's trials became one value. */
  readonly reduce: string;
  /** The smallest difference that matters. */
  readonly margin: number;
  /** The baseline by itself. */
  readonly baseline: MeasureSide;
  /** The candidate by itself. */
  readonly candidate: MeasureSide;
  /** Whether the rows of both were compared one by one. */
  readonly paired: boolean;
  /** Rows with a value in both. */
  readonly pairs: number;
  /** Mean of the baseline over the pairs; null when there are fewer than two. */
  readonly baseline_mean: number | null;
  /** The same of the candidate. */
  readonly candidate_mean: number | null;
  /** Selected rows that the candidate does not have. */
  readonly only_baseline: number;
  /** Selected rows that the baseline does not have. */
  readonly only_candidate: number;
  /** Mean of candidate − baseline. */
  readonly difference: number | null;
  /** Its standard error. */
  readonly se: number | null;
  /** Where it lies. */
  readonly interval: Interval | null;
  /** The probability of at least such a difference if there were none; null when only the interval decides. */
  readonly p_value: number | null;
  /**
   * How it was found: `mcnemar_mid_p`, `sign_flip`, `t`, `cluster_t`, `welch`, `two_proportions`, `cluster_bonett_price`
   * or `cluster_two_proportions`.
   */
  readonly p_method: string | null;
  /** `p_value`, adjusted for all pairs and measures of the answer. */
  readonly adjusted_p: number | null;
  /** Rows on which the candidate is better; null when unpaired, or without a direction. */
  readonly wins: number | null;
  /** Rows on which it is worse. */
  readonly losses: number | null;
  /** Rows on which they are equal. */
  readonly ties: number | null;
  /** Pearson's correlation of the two over rows. */
  readonly correlation: number | null;
  /** The difference in standard deviations of the rows' differences. */
  readonly effect: number | null;
  /** Booleans: rows that only the candidate passes, for each that only the baseline passes. */
  readonly odds: number | null;
  /** What it amounts to. */
  readonly verdict: Verdict;
  /** Why it is inconclusive, or why there is no difference to show; else null. */
  readonly reason: string | null;
  /** The smallest difference that this many rows detect with power 0.8. */
  readonly minimum_detectable: number | null;
  /** Rows that would show the margin, or the difference seen when the margin is 0. */
  readonly rows_needed: number | null;
  /** Where the spread comes from; null with one trial a row. */
  readonly noise: MeasureNoise | null;
}

/** The answer to a comparison. */
export interface CompareResults {
  /** Selected rows. */
  readonly row_count: number;
  /** The baseline. */
  readonly baseline: string;
  /** The confidence of intervals. */
  readonly level: number;
  /** How p-values were adjusted. */
  readonly adjustment: Adjustment;
  /** One for each candidate, in request order. */
  readonly comparisons: readonly {
    /** The candidate. */
    readonly candidate: string;
    /** Its measures, in the order asked for, or by field. */
    readonly measures: readonly MeasureComparison[];
  }[];
  /** What to know before believing it. */
  readonly warnings: readonly StatisticsWarning[];
}

/** Rows by a field's value, or by a range of its numbers. */
export interface SliceField {
  /** The field. */
  readonly field: string;
  /** Its value; null for a range. */
  readonly value: boolean | string | null;
  /** The range's lower bound, which is in it. */
  readonly low: number | null;
  /** The range's upper bound, included only in the last range. */
  readonly high: number | null;
}

/** One slice of the rows. */
export interface Slice {
  /** One field, or two. */
  readonly fields: readonly SliceField[];
  /**
   * The filter that, beside the query's own, selects its rows; null when no one filter does: where a row must match in all
   * evaluations and some lack rows, and where the query's filters are about several evaluations of which one may match.
   */
  readonly filter: {
    readonly evaluation_call_id: string | null;
    readonly query: { readonly $expr: object };
  } | null;
  /** Selected rows in it. */
  readonly rows: number;
  /** Those with a value in both. */
  readonly pairs: number;
  /** Mean of the baseline over the pairs. */
  readonly baseline_mean: number | null;
  /** The same of the candidate. */
  readonly candidate_mean: number | null;
  /** Mean of candidate − baseline. */
  readonly difference: number | null;
  /** Where it lies. */
  readonly interval: Interval | null;
  /** The chance of at least such a difference were there none. */
  readonly p_value: number | null;
  /** `p_value` adjusted for all slices tested, by Benjamini and Hochberg. */
  readonly q_value: number | null;
  /** What it amounts to. */
  readonly verdict: Verdict;
  /** Why it is inconclusive; else null. */
  readonly reason: string | null;
  /** The other selected rows with a value in both. */
  readonly outside: { readonly rows: number; readonly difference: number | null };
  /** The slice's difference less that of the rows outside. */
  readonly difference_to_outside: number | null;
}

/** The answer to slices. */
export interface SlicesResults {
  /** Slices that there are. */
  readonly looked_at: number;
  /** Those with enough rows to be tested. */
  readonly tested: number;
  /** All selected rows. */
  readonly whole: MeasureComparison;
  /** By q-value, then by the size of the difference; those not tested last. */
  readonly slices: readonly Slice[];
  /** What to know before believing it. */
  readonly warnings: readonly StatisticsWarning[];
}

/** One evaluation in a ranking. */
export interface RankedEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Rows with a value. */
  readonly rows: number;
  /** Mean over rows. */
  readonly mean: number | null;
  /** Where it lies. */
  readonly interval: Interval | null;
  /** The mean, drawn towards that of all by as much as noise explains; null for fewer than four. */
  readonly shrunken: number | null;
  /** The places it may have; null without a mean. */
  readonly rank: { readonly low: number; readonly high: number } | null;
  /** Evaluations of one group cannot be distinguished from the best of it; null without a mean. */
  readonly group: number | null;
  /** Why it stands above one whose mean is better; null when it stands above none. */
  readonly ahead_of: AheadOf | null;
}

/** An evaluation that stands below one whose mean is worse. Places go by the rows that two share, means by all of each. */
export interface AheadOf {
  /** The one below; of several the one with the best mean. */
  readonly evaluation_call_id: string;
  /** What was found better than it: the one above, or another that was not found better than the one above. */
  readonly beaten_by: string;
  /** Rows that these two share. */
  readonly pairs: number;
  /** Mean of `beaten_by` − the one below, over these rows. */
  readonly difference: number;
}

/** Two evaluations of a ranking. */
interface RankedPair {
  /** The one whose mean is better. */
  readonly a: string;
  /** The other. */
  readonly b: string;
  /** Mean of a − b. */
  readonly difference: number | null;
  /** Where it lies. */
  readonly interval: Interval | null;
  /** The chance of at least such a difference were there none. */
  readonly p_value: number | null;
  /** Adjusted for all pairs, by Holm. */
  readonly adjusted_p: number | null;
}

/** The answer to a ranking. */
export interface RankingResults {
  /** Selected rows. */
  readonly row_count: number;
  /** By the best place that each may have, then by mean. */
  readonly evaluations: readonly RankedEvaluation[];
  /** Each two of them. */
  readonly pairs: readonly RankedPair[];
  /** What to know before believing it. */
  readonly warnings: readonly StatisticsWarning[];
}
