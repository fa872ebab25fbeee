// The schemas of what statistics answer, for the OpenAPI document. A test holds real answers against them.

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
const warnings = as(listOf(named("EvalResultsStatisticsWarning")), "What to know before believing it.");
const pValue = as(probabilityOrNull, "The chance of at least such a difference were there none.");
const verdict: Schema = {
  enum: ["improved", "regressed", "equivalent", "not_worse", "inconclusive", "no_direction"],
  description: "What it amounts to.",
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
            "Its measures, in the order asked for, or by field.",
          ),
        }),
      ),
      "One for each candidate, in request order.",
    ),
    warnings,
  }),
  EvalResultsSlicesRes: object("The answer to slices.", {
    looked_at: as(count, "Slices that there are."),
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
    pairs: as(listOf(named("EvalResultsRankedPair")), "Each two of them."),
    warnings,
  }),
  EvalResultsInterval: object("Where a quantity lies with the confidence asked for, both bounds included.", {
    low: as(number, "The lower bound."),
    high: as(number, "The upper bound."),
    method: {
      enum: [
        ...["wilson", "clopper_pearson", "jeffreys", "t", "cluster_t", "bootstrap_bca", "bonett_price"],
        ...["newcombe", "welch", "confidence_sequence", "cluster_wilson", "cluster_bonett_price"],
        ...["cluster_newcombe"],
      ],
      description: "How it was made.",
    },
  }),
  EvalResultsStatisticsWarning: object("Something that a reader of the numbers must know.", {
    code: {
      enum: [
        ...["different_datasets", "rows_not_shared", "different_scorers", "different_trials"],
        ...["missing_uneven", "still_running", "duplicate_trials", "few_rows", "few_clusters", "skewed"],
        ...["no_variation", "same_model", "no_rows", "no_cluster", "too_many_slices"],
        ...["no_direction", "unknown_field", "unmet_type"],
      ],
      description: "What it is about.",
    },
    text: as(text, "It as a sentence."),
    evaluations: as(listOf(text), "The evaluations that it is about."),
    count: as(
      countOrNull,
      "How many rows, trials, measures or slices, as the text says; null when nothing is counted.",
    ),
  }),
  EvalResultsMeasureSide: object("What is known of one evaluation at a measure.", {
    rows: as(count, "Rows with a value."),
    trials: as(count, "Trials in them with a known value."),
    missing: as(count, "Rows of the evaluation, in the selection, without a value."),
    mean: as(numberOrNull, "Mean over rows."),
    sd: as(fromZeroOrNull, "Standard deviation over rows."),
    se: as(fromZeroOrNull, "Standard error of the mean."),
    interval: as(interval, "Where the mean lies."),
  }),
  EvalResultsMeasureNoise: object("How much of what varies comes from trying each row only so often.", {
    baseline_within: as(number, "Mean variance of one row's trials, in the baseline."),
    candidate_within: as(number, "The same in the candidate."),
    share_from_trials: as(
      probabilityOrNull,
      "Share of the variance of the differences that more trials would take away.",
    ),
    flaky_rows: as(count, "Rows whose trials disagree in one of the two."),
    rows_needed_with_4x_trials: as(fromZeroOrNull, "`rows_needed` with four times the trials."),
  }),
  EvalResultsMeasure: object("One measure of a candidate and the baseline.", {
    field: as(text, "The measure."),
    kind: {
      enum: ["boolean", "number", null],
      description: "What its values are, in the selection; null when there are none.",
    },
    direction: {
      enum: ["higher", "lower", null],
      description: "Which values are better; null when it has not been said.",
    },
    direction_source: {
      enum: ["asked", "project", "name", "values", null],
      description:
        "Where the direction comes from: the question, the project, the measure's name, or values that are true or false; null when it has not been said.",
    },
    reduce: as(text, "How a row's trials became one value."),
    margin: as({ type: "number", minimum: 0 }, "The smallest difference that matters."),
    baseline: as(named("EvalResultsMeasureSide"), "The baseline alone."),
    candidate: as(named("EvalResultsMeasureSide"), "The candidate alone."),
    paired: as({ type: "boolean" }, "Whether the rows of both were compared one by one."),
    pairs: as(count, "Rows with a value in both."),
    baseline_mean: as(
      numberOrNull,
      "Mean of the baseline over the pairs; null when there are fewer than two.",
    ),
    candidate_mean: as(numberOrNull, "The same of the candidate."),
    only_baseline: as(count, "Selected rows that the candidate does not have."),
    only_candidate: as(count, "Selected rows that the baseline does not have."),
    difference: as(numberOrNull, "Mean of candidate − baseline."),
    se: as(fromZeroOrNull, "Its standard error."),
    interval: as(interval, "Where it lies."),
    p_value: as(
      probabilityOrNull,
      "The chance of at least such a difference were there none; null when the interval alone decides.",
    ),
    p_method: as(
      {
        enum: [
          ...["mcnemar_mid_p", "sign_flip", "t", "cluster_t", "welch", "two_proportions"],
          ...["cluster_bonett_price", "cluster_two_proportions", null],
        ],
      },
      "How it was found.",
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
      "Booleans: rows that the candidate alone passes, for each that the baseline alone passes.",
    ),
    verdict,
    reason: as(textOrNull, "Why it is inconclusive; else null."),
    minimum_detectable: as(fromZeroOrNull, "The difference that so many rows would show with power 0.8."),
    rows_needed: as(
      fromZeroOrNull,
      "Rows that would show the margin, or the difference seen when the margin is 0.",
    ),
    noise: as(
      orNull(named("EvalResultsMeasureNoise")),
      "Where the spread comes from; null with one trial a row.",
    ),
  }),
  EvalResultsSlice: object("One slice of the rows.", {
    fields: as(
      listOf(
        object("Rows by a field's value, or by a range of its numbers.", {
          field: as(text, "The field."),
          value: as({ type: ["boolean", "string", "null"] }, "Its value; null for a range."),
          low: as(numberOrNull, "The range's lower bound, which is in it."),
          high: as(numberOrNull, "The range's upper bound, which is in the last range alone."),
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
      "The filter that, beside the query's own, selects its rows; null when no one filter does.",
    ),
    rows: as(count, "Selected rows in it."),
    pairs: as(count, "Those with a value in both."),
    baseline_mean: as(numberOrNull, "Mean of the baseline over the pairs."),
    candidate_mean: as(numberOrNull, "The same of the candidate."),
    difference: as(numberOrNull, "Mean of candidate − baseline."),
    interval: as(interval, "Where it lies."),
    p_value: pValue,
    q_value: as(
      probabilityOrNull,
      "`p_value` adjusted for all slices tested, by Benjamini and Hochberg; null when it was not tested.",
    ),
    verdict,
    reason: as(textOrNull, "Why it is inconclusive; else null."),
    outside: object("The other selected rows with a value in both.", {
      rows: as(count, "How many."),
      difference: as(numberOrNull, "Mean of candidate − baseline over them."),
    }),
    difference_to_outside: as(numberOrNull, "The slice's difference less that of the rows outside."),
  }),
  EvalResultsRankedEvaluation: object("One evaluation in a ranking.", {
    evaluation_call_id: as(text, "The evaluation."),
    rows: as(count, "Rows with a value."),
    mean: as(numberOrNull, "Mean over rows."),
    interval: as(interval, "Where it lies."),
    shrunken: as(
      numberOrNull,
      "The mean, drawn towards that of all by as much as noise explains; null for fewer than four.",
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
      "Evaluations of one group cannot be told from the best of it; null without a mean.",
    ),
    ahead_of: as(
      orNull(
        object(
          "An evaluation that stands below one whose mean is worse. Places go by the rows that two share, means by all of each.",
          {
            evaluation_call_id: as(text, "The one below; of several the one with the best mean."),
            beaten_by: as(
              text,
              "What was found better than it: the one above, or another that was not found better than the one above.",
            ),
            pairs: as(count, "Rows that these two share."),
            difference: as(number, "Mean of `beaten_by` − the one below, over these rows."),
          },
        ),
      ),
      "Why it stands above one whose mean is better; null when it stands above none.",
    ),
  }),
  EvalResultsRankedPair: object("Two evaluations of a ranking.", {
    a: as(text, "The one whose mean is better."),
    b: as(text, "The other."),
    difference: as(numberOrNull, "Mean of a − b."),
    interval: as(interval, "Where it lies."),
    p_value: pValue,
    adjusted_p: as(probabilityOrNull, "Adjusted for all pairs, by Holm."),
  }),
};
