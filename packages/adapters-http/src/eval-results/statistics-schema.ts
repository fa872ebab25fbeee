// Response schemas of statistics for the OpenAPI document. A test validates real responses against them.

import {
  count,
  integerOrNull,
  listOf,
  named,
  numberOrNull,
  object,
  orNull,
  type Schema,
  text,
  textOrNull,
} from "./schema-parts.ts";

const as = (schema: Schema, description: string): Schema => ({ ...schema, description });
const number: Schema = { type: "number" };
const probabilityOrNull: Schema = { type: ["number", "null"], minimum: 0, maximum: 1 };
const fromZeroOrNull: Schema = { type: ["number", "null"], minimum: 0 };
const countOrNull: Schema = { type: ["integer", "null"], minimum: 0 };
const interval = orNull(named("EvalResultsInterval"));
const warnings = as(
  listOf(named("EvalResultsStatisticsWarning")),
  "Warnings that limit what the numbers mean.",
);
const pValue = as(
  probabilityOrNull,
  "The probability of a difference at least this large if there were none.",
);
const verdict: Schema = {
  enum: ["improved", "regressed", "equivalent", "not_worse", "inconclusive", "no_direction"],
  description: "The verdict.",
};

/** By name, for `#/components/schemas/`. */
export const STATISTICS_SCHEMAS: { readonly [name: string]: Schema } = {
  EvalResultsCompareRes: object("The answer to a comparison.", {
    row_count: as(count, "Selected rows."),
    baseline: as(text, "The baseline."),
    level: as(number, "The confidence of intervals."),
    adjustment: { enum: ["holm", "bh", "none"], description: "How p-values were adjusted." },
    comparisons: as(
      listOf(
        object("A candidate against the baseline.", {
          candidate: as(text, "The candidate."),
          measures: as(
            listOf(named("EvalResultsMeasure")),
            "Its measures, in the requested order, or by field.",
          ),
        }),
      ),
      "One for each candidate, in request order.",
    ),
    warnings,
  }),
  EvalResultsSlicesRes: object("The answer to slices.", {
    looked_at: as(count, "Number of slices."),
    tested: as(count, "Those with enough rows to be tested."),
    whole: as(named("EvalResultsMeasure"), "All selected rows."),
    slices: as(
      listOf(named("EvalResultsSlice")),
      "By q-value, then by the size of the difference; those not tested last.",
    ),
    warnings,
  }),
  EvalResultsRankingRes: object("The answer to a ranking.", {
    row_count: as(count, "Selected rows."),
    evaluations: as(
      listOf(named("EvalResultsRankedEvaluation")),
      "By the best place that each may have, then by mean.",
    ),
    pairs: as(listOf(named("EvalResultsRankedPair")), "Each pair of them."),
    warnings,
  }),
  EvalResultsInterval: object("A confidence interval at the requested level, both bounds included.", {
    low: as(number, "The lower bound."),
    high: as(number, "The upper bound."),
    method: {
      enum: [
        ...["wilson", "clopper_pearson", "jeffreys", "t", "cluster_t", "bootstrap_bca", "bonett_price"],
        ...["newcombe", "welch", "confidence_sequence", "cluster_wilson", "cluster_bonett_price"],
        ...["cluster_newcombe"],
      ],
      description: "The method.",
    },
  }),
  EvalResultsStatisticsWarning: object("A warning about the numbers.", {
    code: {
      enum: [
        ...[
          "selected_by_results",
          "different_datasets",
          "rows_not_shared",
          "different_scorers",
          "different_trials",
        ],
        ...["missing_uneven", "still_running", "duplicate_trials", "few_rows", "few_clusters", "skewed"],
        ...["no_variation", "same_model", "no_rows", "no_cluster", "too_many_slices"],
        ...["no_direction", "unknown_field", "unmet_type"],
      ],
      description: "What it is about.",
    },
    text: as(text, "The warning as a sentence."),
    evaluations: as(listOf(text), "The evaluations that it is about."),
    count: as(
      countOrNull,
      "Number of the rows, trials, measures or slices that the text mentions; null when nothing is counted.",
    ),
  }),
  EvalResultsMeasureSide: object("One evaluation at a measure.", {
    rows: as(count, "Rows with a value."),
    trials: as(count, "Trials in them with a known value."),
    missing: as(count, "Rows of the evaluation, in the selection, without a value."),
    mean: as(numberOrNull, "Mean over rows."),
    sd: as(fromZeroOrNull, "Standard deviation over rows."),
    se: as(fromZeroOrNull, "Standard error of the mean."),
    interval: as(interval, "The interval of the mean."),
  }),
  EvalResultsMeasureNoise: object("How much of the variation comes from repeated trials.", {
    baseline_within: as(number, "Mean variance of one row's trials, in the baseline."),
    candidate_within: as(number, "The same in the candidate."),
    share_from_trials: as(
      probabilityOrNull,
      "Share of the variance of the differences that comes from trials, and that more trials would remove.",
    ),
    flaky_rows: as(count, "Rows whose trials disagree in one of the two."),
    rows_needed_with_4x_trials: as(fromZeroOrNull, "`rows_needed` with four times the trials."),
  }),
  EvalResultsMeasure: object("One measure of a candidate and the baseline.", {
    field: as(text, "The measure."),
    kind: {
      enum: ["boolean", "number", null],
      description: "The kind of its values in the selection; null when there are none.",
    },
    direction: {
      enum: ["higher", "lower", null],
      description: "Whether higher or lower values are better; null when it is not set.",
    },
    direction_source: {
      enum: ["asked", "project", "name", "values", null],
      description:
        "Where the direction comes from: the question, the project, the measure's name, or values that are true or false; null when it is not set.",
    },
    reduce: as(text, "How a row's trials became one value."),
    margin: as({ type: "number", minimum: 0 }, "The smallest difference that matters."),
    baseline: as(named("EvalResultsMeasureSide"), "The baseline by itself."),
    candidate: as(named("EvalResultsMeasureSide"), "The candidate by itself."),
    paired: as({ type: "boolean" }, "Whether the rows of both were compared one by one."),
    pairs: as(count, "Rows with a value in both."),
    baseline_mean: as(
      numberOrNull,
      "Mean of the baseline over the pairs; null when there are fewer than two.",
    ),
    candidate_mean: as(numberOrNull, "The same for the candidate."),
    only_baseline: as(count, "Selected rows that the candidate does not have."),
    only_candidate: as(count, "Selected rows that the baseline does not have."),
    difference: as(numberOrNull, "Mean of candidate − baseline."),
    se: as(fromZeroOrNull, "Its standard error."),
    interval: as(interval, "Its interval."),
    p_value: as(
      probabilityOrNull,
      "The probability of a difference at least this large if there were none; null when only the interval decides.",
    ),
    p_method: as(
      {
        enum: [
          ...["mcnemar_mid_p", "sign_flip", "t", "cluster_t", "welch", "two_proportions"],
          ...["cluster_bonett_price", "cluster_two_proportions", null],
        ],
      },
      "The test.",
    ),
    adjusted_p: as(probabilityOrNull, "`p_value`, adjusted for all pairs and measures of the answer."),
    wins: as(countOrNull, "Rows on which the candidate is better; null when unpaired."),
    losses: as(countOrNull, "Rows on which it is worse."),
    ties: as(countOrNull, "Rows on which they are equal."),
    correlation: as(
      { type: ["number", "null"], minimum: -1, maximum: 1 },
      "Pearson's correlation of the two over rows.",
    ),
    effect: as(numberOrNull, "The difference in standard deviations of the rows' differences."),
    odds: as(
      fromZeroOrNull,
      "Booleans: rows that only the candidate passes, for each that only the baseline passes.",
    ),
    verdict,
    reason: as(textOrNull, "Why it is inconclusive; otherwise null."),
    minimum_detectable: as(
      fromZeroOrNull,
      "The smallest difference that this many rows detect with power 0.8.",
    ),
    rows_needed: as(
      fromZeroOrNull,
      "Rows needed to detect the margin, or the observed difference when the margin is 0.",
    ),
    noise: as(
      orNull(named("EvalResultsMeasureNoise")),
      "Where the variation comes from; null with one trial per row.",
    ),
  }),
  EvalResultsSlice: object("One slice of the rows.", {
    fields: as(
      listOf(
        object("Rows by a field's value, or by a range of its numbers.", {
          field: as(text, "The field."),
          value: as({ type: ["boolean", "string", "null"] }, "Its value; null for a range."),
          low: as(numberOrNull, "The range's lower bound, included."),
          high: as(numberOrNull, "The range's upper bound, included only in the last range."),
        }),
      ),
      "One field, or two.",
    ),
    filter: as(
      {
        anyOf: [
          object("A filter.", { evaluation_call_id: textOrNull, query: named("Query") }),
          { type: "null" },
        ],
      },
      "The filter that, with the query's own, selects its rows; null when no single filter does.",
    ),
    rows: as(count, "Selected rows in it."),
    pairs: as(count, "Those with a value in both."),
    baseline_mean: as(numberOrNull, "Mean of the baseline over the pairs."),
    candidate_mean: as(numberOrNull, "The same for the candidate."),
    difference: as(numberOrNull, "Mean of candidate − baseline."),
    interval: as(interval, "Its interval."),
    p_value: pValue,
    q_value: as(
      probabilityOrNull,
      "`p_value` adjusted for all slices tested, by Benjamini and Hochberg; null when it was not tested.",
    ),
    verdict,
    reason: as(textOrNull, "Why it is inconclusive; otherwise null."),
    outside: object("The other selected rows with a value in both.", {
      rows: as(count, "How many."),
      difference: as(numberOrNull, "Mean of candidate − baseline over them."),
    }),
    difference_to_outside: as(numberOrNull, "The slice's difference minus that of the rows outside."),
  }),
  EvalResultsRankedEvaluation: object("One evaluation in a ranking.", {
    evaluation_call_id: as(text, "The evaluation."),
    rows: as(count, "Rows with a value."),
    mean: as(numberOrNull, "Mean over rows."),
    interval: as(interval, "Its interval."),
    shrunken: as(
      numberOrNull,
      "The mean, shrunk towards the overall mean by as much as noise explains; null for fewer than four evaluations.",
    ),
    rank: as(
      orNull(
        object("The places it may have.", {
          low: as({ type: "integer", minimum: 1 }, "The best of them."),
          high: as({ type: "integer", minimum: 1 }, "The worst of them."),
        }),
      ),
      "The places it may have; null without a mean.",
    ),
    group: as(
      integerOrNull,
      "Evaluations of one group cannot be distinguished from the best of it; null without a mean.",
    ),
    ahead_of: as(
      orNull(
        object(
          "An evaluation that ranks below one with a worse mean. Places compare the rows that two share; means are over all rows of each.",
          {
            evaluation_call_id: as(text, "The lower one; of several, the one with the best mean."),
            beaten_by: as(
              text,
              "The evaluation that beats it: the one above, or another that does not beat the one above.",
            ),
            pairs: as(count, "Rows that the two share."),
            difference: as(number, "Mean of `beaten_by` − the one below, over these rows."),
          },
        ),
      ),
      "Why it ranks above one with a better mean; null when it does not.",
    ),
  }),
  EvalResultsRankedPair: object("Two evaluations of a ranking.", {
    a: as(text, "The one whose mean is better."),
    b: as(text, "The other."),
    difference: as(numberOrNull, "Mean of a − b."),
    interval: as(interval, "Its interval."),
    p_value: pValue,
    adjusted_p: as(probabilityOrNull, "Adjusted for all pairs, by Holm."),
  }),
};
