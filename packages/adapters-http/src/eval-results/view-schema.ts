// Response schemas of the page's questions for the OpenAPI document, and example requests. A test validates real
// responses against them.

import type { Json } from "@assay/base";
import type { ViewQuestion } from "@assay/eval-engine/internal";
import {
  anyJson,
  count,
  integerOrNull,
  listOf,
  named,
  numberOrNull,
  object,
  orNull,
  type Schema,
  text,
} from "./schema-parts.ts";

const bool: Schema = { type: "boolean" };
const scalar: Schema = { type: ["string", "number", "boolean"] };

/** By name, for `#/components/schemas/`. */
export const VIEW_SCHEMAS: { readonly [name: string]: Schema } = {
  EvalResultsPageRes: object("A page of rows.", {
    rows: listOf(named("EvalResultsPageRow")),
    total_rows: { ...count, description: "Rows before paging." },
    measures: {
      ...listOf(text),
      description: "The measures of `values`, `means` and `differences`, in order.",
    },
    counts: orNull(named("EvalResultsChangeCounts")),
    warnings: listOf(text),
  }),
  EvalResultsChangeCounts: object(
    "How many rows changed in which way, before `change`: a page with that `change` has exactly this number. Those of a comparison are null without a baseline.",
    {
      all: count,
      worse: { ...integerOrNull, description: "Rows on which some candidate is worse than the baseline." },
      better: integerOrNull,
      changed: { ...integerOrNull, description: "Rows on which some candidate is worse or better." },
      equal: { ...integerOrNull, description: "Rows on which every value is known and equal." },
      flaky: { ...count, description: "Rows whose trials disagree within one of the compared evaluations." },
      missing: { ...count, description: "Rows for which a compared evaluation has no value." },
    },
  ),
  EvalResultsPageRow: object("One row, with the evaluations that have it.", {
    row_digest: text,
    row: named("EvalResultsPreview"),
    evaluations: listOf(named("EvalResultsPageRowEvaluation")),
  }),
  EvalResultsPreview: object("The beginning of a value that may be long.", {
    value: anyJson,
    length: {
      ...count,
      description: "Length of the whole in characters: of the text, or of the JSON of other values.",
    },
    cut: { ...bool, description: "Whether the value is cut." },
  }),
  EvalResultsPageRowEvaluation: object("A row's trials in one evaluation.", {
    evaluation_call_id: text,
    trials: listOf(
      object("One trial.", {
        predict_and_score_call_id: text,
        output: named("EvalResultsPreview"),
        values: listOf({ type: ["boolean", "number", "null"] }),
      }),
    ),
    means: { ...listOf(numberOrNull), description: "The mean of what the trials have; null for nothing." },
    differences: {
      ...orNull(listOf(numberOrNull)),
      description: "The means minus the baseline's; null for the baseline itself, and without one.",
    },
  }),
  EvalResultsRowFilter: object(
    "A condition on rows, for `row_filters`.",
    { field: text },
    {
      evaluation_call_id: text,
      baseline: text,
      equals: scalar,
      none_of: listOf(scalar),
      at_least: { type: "number" },
      below: { type: "number" },
      at_most: { type: "number" },
      known: bool,
    },
  ),
  EvalResultsGroupsRes: object("Groups of rows: each row is in one of them.", {
    rows: count,
    groups: listOf(named("EvalResultsGroup")),
    measures: listOf(text),
    warnings: listOf(text),
  }),
  EvalResultsGroup: object("A group of rows.", {
    label: text,
    kind: { enum: ["value", "range", "other", "missing"] },
    value: { type: ["string", "number", "boolean", "null"] },
    low: numberOrNull,
    high: { ...numberOrNull, description: "The upper bound, excluded; included in the last range." },
    row_filter: named("EvalResultsRowFilter"),
    filter: {
      ...orNull({ type: "object" }),
      description: "The same as one of the query's `filters`, when one can express it.",
    },
    rows: { ...count, description: "The number of rows of a page with `row_filter`." },
    evaluations: listOf(
      object("One evaluation in it.", {
        evaluation_call_id: text,
        measures: listOf(object("One measure.", { rows: count, mean: numberOrNull })),
      }),
    ),
    differences: orNull(
      listOf(
        object("One evaluation minus the baseline.", {
          evaluation_call_id: text,
          measures: listOf(
            object("One measure, on the rows that both have.", {
              pairs: count,
              difference: numberOrNull,
              interval: { ...orNull({ type: "object" }), description: "Null below ten pairs." },
              p_value: numberOrNull,
              q_value: { ...numberOrNull, description: "Adjusted for the number of groups." },
            }),
          ),
        }),
      ),
    ),
  }),
  EvalResultsFieldsRes: object("The available fields.", {
    rows: count,
    inputs: { ...listOf(named("EvalResultsField")), description: "Fields of the row, of all rows." },
    scores: {
      ...listOf(named("EvalResultsField")),
      description: "Leaves with numbers or booleans of all rows, and texts of the sampled trials.",
    },
    outputs: {
      ...listOf(named("EvalResultsField")),
      description: "Of the sampled trials.",
    },
    looked_at: {
      ...count,
      description: "The sampled trials: the first of each of the first thousand rows of an evaluation.",
    },
  }),
  EvalResultsField: object("A field.", {
    field: { ...text, description: "The field as written in a query." },
    types: listOf({ enum: ["boolean", "number", "string", "array"] }),
    count: { ...count, description: "Rows or trials with a value." },
    min: numberOrNull,
    max: numberOrNull,
    values: {
      ...listOf(object("A value.", { value: scalar, count })),
      description: "Up to 20, the most frequent first; empty when values hardly repeat.",
    },
  }),
};

const query = { evaluation_call_ids: ["OLD-ID", "NEW-ID"] };

/** An example of a page's body. */
export const VIEW_EXAMPLES: { readonly [Question in ViewQuestion]: readonly Json[] } = {
  page: [
    {
      query: { ...query, limit: 50 },
      measure: "scores.correct",
      baseline: "OLD-ID",
      change: "worse",
      order: "worst_first",
    },
    {
      query,
      row_filters: [{ field: "inputs.kind", equals: "in words" }],
      measure: { field: "scores.magnitudes_off", direction: "lower" },
      baseline: "OLD-ID",
    },
  ],
  groups: [
    { query, by: { field: "inputs.kind" }, measures: ["scores.correct"], baseline: "OLD-ID" },
    { query, by: { field: "scores.correct", evaluation_call_id: "NEW-ID", baseline: "OLD-ID", bins: 20 } },
  ],
  fields: [query],
};
