// Response schemas of area A for the OpenAPI document. A test validates real responses against them.

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
  textOrNull,
} from "./schema-parts.ts";

/** By name, for `#/components/schemas/`. */
export const RESPONSE_SCHEMAS: { readonly [name: string]: Schema } = {
  EvalResultsQueryRes: object("The answer to an evaluation query.", {
    rows: listOf(named("EvalResultsRow")),
    total_rows: { ...count, description: "Rows before paging." },
    summary: orNull(named("EvalResultsSummaryRes")),
    warnings: listOf(text),
  }),
  EvalResultsRow: object("One row, with the evaluations that have it.", {
    row_digest: text,
    raw_data_row: anyJson,
    evaluations: listOf(named("EvalResultsRowEvaluation")),
  }),
  EvalResultsRowEvaluation: object("A row's trials in one evaluation.", {
    evaluation_call_id: text,
    trials: listOf(named("EvalResultsTrial")),
  }),
  EvalResultsTrial: object(
    "One trial of one row.",
    {
      predict_and_score_call_id: text,
      predict_call_id: textOrNull,
      model_output: anyJson,
      scores: { type: "object", description: "Scores by scorer.", additionalProperties: true },
      model_latency_seconds: numberOrNull,
      total_tokens: integerOrNull,
      scorer_call_ids: { type: "object", description: "Calls by scorer.", additionalProperties: text },
      genai_span_ref: orNull(listOf(named("GenAISpanRef"))),
    },
    {
      total_cost: {
        ...numberOrNull,
        description:
          "With include_costs: what the model's call cost, in US dollars; null where its price or its tokens are not known.",
      },
    },
  ),
  GenAISpanRef: object("A span of an OpenTelemetry trace.", { trace_id: text, span_id: text }),
  EvalResultsSummaryRes: object("Statistics over all rows of the query, never paged.", {
    row_count: count,
    evaluations: listOf(named("EvalResultsEvaluationSummary")),
  }),
  EvalResultsEvaluationSummary: object(
    "One evaluation in a summary.",
    {
      evaluation_call_id: text,
      trial_count: count,
      scorer_stats: listOf(named("EvalResultsScorerStats")),
      predict_total_tokens: integerOrNull,
      evaluation_ref: textOrNull,
      model_ref: textOrNull,
      display_name: textOrNull,
      trace_id: textOrNull,
      started_at: textOrNull,
    },
    {
      predict_total_cost: {
        ...numberOrNull,
        description:
          "With include_costs: the sum of total_cost over the trials of the summary, in US dollars; null when none has one.",
      },
    },
  ),
  EvalResultsScorerStats: object("Statistics of one flattened score dimension.", {
    scorer_key: text,
    path: {
      ...textOrNull,
      description:
        "Subpath joined by dots, with a dot within a key written as \\.; null for a scorer that returns a bare value.",
    },
    value_type: { enum: ["binary", "continuous", "text", null] },
    trial_count: count,
    numeric_count: count,
    numeric_mean: numberOrNull,
    pass_true_count: count,
    pass_known_count: count,
    pass_rate: numberOrNull,
    pass_signal_coverage: numberOrNull,
  }),
  HTTPValidationError: object("Everything that is wrong with a request.", {
    detail: listOf(named("ValidationError")),
  }),
  ValidationError: object("One thing that is wrong with a request.", {
    loc: listOf({ type: ["string", "integer"] }),
    msg: text,
    type: text,
  }),
};
