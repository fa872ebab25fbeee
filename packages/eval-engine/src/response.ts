// The response of an evaluation query, field by field as API.md publishes it. Every field is always present.

import type { Json } from "@assay/base";

/** A reference to a span of an OpenTelemetry trace. */
export interface GenAISpanRef {
  /** The trace the span is in. */
  readonly trace_id: string;
  /** The span in it. */
  readonly span_id: string;
}

/** One trial of one row in one evaluation. */
export interface EvalResultsTrial {
  /** The call that this trial is. */
  readonly predict_and_score_call_id: string;
  /** Its child that asked the model; null when there is none or children were not read. */
  readonly predict_call_id: string | null;
  /** What the model gave; null when it gave nothing or the trial has not ended. */
  readonly model_output: Json;
  /** Scores by scorer, as the scorers gave them. */
  readonly scores: { readonly [scorer: string]: Json };
  /** How long the model took, in seconds; null when nobody measured. */
  readonly model_latency_seconds: number | null;
  /** Tokens that the model used, of prompt and answer; null when nobody counted. */
  readonly total_tokens: number | null;
  /** The scorer's call, by scorer. */
  readonly scorer_call_ids: { readonly [scorer: string]: string };
  /** Spans of the model's work in an OpenTelemetry trace; null when there are none. */
  readonly genai_span_ref: readonly GenAISpanRef[] | null;
}

/** A row's trials in one evaluation, by start and then id. */
export interface EvalResultsRowEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** At least one. */
  readonly trials: readonly EvalResultsTrial[];
}

/** One row, with the evaluations that have it in the order they were asked for. */
export interface EvalResultsRow {
  /** What makes it this row: equal for equal content, in every evaluation. */
  readonly row_digest: string;
  /** The row, or the reference to it, when asked for; else null. */
  readonly raw_data_row: Json;
  /** The evaluations that have the row, and only they. */
  readonly evaluations: readonly EvalResultsRowEvaluation[];
}

/** Statistics of one flattened score dimension of one evaluation. */
export interface EvalResultsScorerStats {
  /** The scorer: a key of the trials' scores. */
  readonly scorer_key: string;
  /** Subpath joined with `.`; null for a scorer that gives a bare value. */
  readonly path: string | null;
  /** The type of the first value seen: boolean, number, string. */
  readonly value_type: "binary" | "continuous" | "text" | null;
  /** Trials that have a value here. */
  readonly trial_count: number;
  /** How many of these are numbers. */
  readonly numeric_count: number;
  /** The mean of the numbers; null without any. */
  readonly numeric_mean: number | null;
  /** How many are true. */
  readonly pass_true_count: number;
  /** How many are booleans. */
  readonly pass_known_count: number;
  /** `pass_true_count / pass_known_count`; null when none is known. */
  readonly pass_rate: number | null;
  /** `pass_known_count / trial_count`. */
  readonly pass_signal_coverage: number | null;
}

/** One evaluation in a summary. */
export interface EvalResultsEvaluationSummary {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its trials in the rows that count. */
  readonly trial_count: number;
  /** One entry for each scorer and path, in order of first appearance. */
  readonly scorer_stats: readonly EvalResultsScorerStats[];
  /** Tokens of the trials together; null when none reports any. */
  readonly predict_total_tokens: number | null;
  /** The evaluation object, from the root call. */
  readonly evaluation_ref: string | null;
  /** The model that was evaluated, from the root call. */
  readonly model_ref: string | null;
  /** The name a person gave the root call. */
  readonly display_name: string | null;
  /** The trace of the root call. */
  readonly trace_id: string | null;
  /** When the root call started, ISO 8601. */
  readonly started_at: string | null;
}

/** The summary of a query: over all its rows, never paged. */
export interface EvalResultsSummary {
  /** Rows that are filtered in, and intersected as the summary was asked to be. */
  readonly row_count: number;
  /** The evaluations that have such a row, in request order. */
  readonly evaluations: readonly EvalResultsEvaluationSummary[];
}

/** The answer to an evaluation query. */
export interface EvalResults {
  /** The page. */
  readonly rows: readonly EvalResultsRow[];
  /** Rows before paging. */
  readonly total_rows: number;
  /** Null unless asked for. */
  readonly summary: EvalResultsSummary | null;
  /** What the reader should know and what is no error. */
  readonly warnings: readonly string[];
}

/** The one warning: some dataset-row references of the page name rows that are not there. */
export const UNRESOLVED_ROWS = "Failed to resolve dataset row refs; raw_data_row may contain refs";
