// The response of an evaluation query, field by field as API.md publishes it. Every field is always present.

import type { Json } from "@assay/base";

/** A reference to a span of an OpenTelemetry trace. */
export interface GenAISpanRef {
  readonly trace_id: string;
  readonly span_id: string;
}

/** One trial of one row in one evaluation. */
export interface EvalResultsTrial {
  readonly predict_and_score_call_id: string;
  readonly predict_call_id: string | null;
  readonly model_output: Json;
  /** Scores by scorer, as the scorers gave them. */
  readonly scores: { readonly [scorer: string]: Json };
  readonly model_latency_seconds: number | null;
  readonly total_tokens: number | null;
  /** The scorer's call, by scorer. */
  readonly scorer_call_ids: { readonly [scorer: string]: string };
  readonly genai_span_ref: readonly GenAISpanRef[] | null;
}

/** A row's trials in one evaluation, by start and then id. */
export interface EvalResultsRowEvaluation {
  readonly evaluation_call_id: string;
  readonly trials: readonly EvalResultsTrial[];
}

/** One row, with the evaluations that have it in the order they were asked for. */
export interface EvalResultsRow {
  readonly row_digest: string;
  /** The row, or the reference to it, when asked for; else null. */
  readonly raw_data_row: Json;
  readonly evaluations: readonly EvalResultsRowEvaluation[];
}

/** Statistics of one flattened score dimension of one evaluation. */
export interface EvalResultsScorerStats {
  readonly scorer_key: string;
  /** Subpath joined with `.`; null for a scorer that gives a bare value. */
  readonly path: string | null;
  /** The type of the first value seen: boolean, number, string. */
  readonly value_type: "binary" | "continuous" | "text" | null;
  readonly trial_count: number;
  readonly numeric_count: number;
  readonly numeric_mean: number | null;
  readonly pass_true_count: number;
  readonly pass_known_count: number;
  /** `pass_true_count / pass_known_count`; null when none is known. */
  readonly pass_rate: number | null;
  /** `pass_known_count / trial_count`. */
  readonly pass_signal_coverage: number | null;
}

/** One evaluation in a summary. */
export interface EvalResultsEvaluationSummary {
  readonly evaluation_call_id: string;
  readonly trial_count: number;
  readonly scorer_stats: readonly EvalResultsScorerStats[];
  readonly predict_total_tokens: number | null;
  readonly evaluation_ref: string | null;
  readonly model_ref: string | null;
  readonly display_name: string | null;
  readonly trace_id: string | null;
  readonly started_at: string | null;
}

/** The summary of a query: over all its rows, never paged. */
export interface EvalResultsSummary {
  readonly row_count: number;
  readonly evaluations: readonly EvalResultsEvaluationSummary[];
}

/** The answer to an evaluation query. */
export interface EvalResults {
  readonly rows: readonly EvalResultsRow[];
  /** Rows before paging. */
  readonly total_rows: number;
  readonly summary: EvalResultsSummary | null;
  readonly warnings: readonly string[];
}

/** The one warning: some dataset-row references of the page name rows that are not there. */
export const UNRESOLVED_ROWS = "Failed to resolve dataset row refs; raw_data_row may contain refs";
