// The response of an evaluation query, field by field as `/openapi.json` publishes it. Every field is always present.

import type { Json } from "@assay/base";
import type { GenAISpanRef } from "@assay/calls";

/** One trial of one row in one evaluation. */
export interface EvalResultsTrial {
  /** The ID of the predict-and-score call. */
  readonly predict_and_score_call_id: string;
  /** The ID of the model's call; null if it was not found or not requested. */
  readonly predict_call_id: string | null;
  /** The model's output. */
  readonly model_output: Json;
  /** Scores by scorer, as the scorers returned them. */
  readonly scores: { readonly [scorer: string]: Json };
  /** The model's latency in seconds. */
  readonly model_latency_seconds: number | null;
  /** The tokens that the model used. */
  readonly total_tokens: number | null;
  /** The cost of the model's call, in US dollars; null if unknown. Absent unless costs are requested. */
  readonly total_cost?: number | null;
  /** The ID of the scorer's call, by scorer. */
  readonly scorer_call_ids: { readonly [scorer: string]: string };
  /** Spans of the model's own trace. */
  readonly genai_span_ref: readonly GenAISpanRef[] | null;
}

/** A row's trials in one evaluation, by start and then ID. */
export interface EvalResultsRowEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its trials of the row. */
  readonly trials: readonly EvalResultsTrial[];
}

/** One row, with the evaluations that have it in request order. */
export interface EvalResultsRow {
  /** The digest of the row's content, which identifies it. */
  readonly row_digest: string;
  /** The row, or the reference to it, if requested; else null. */
  readonly raw_data_row: Json;
  /** The evaluations that have it. */
  readonly evaluations: readonly EvalResultsRowEvaluation[];
}

/** Statistics of one flattened score dimension of one evaluation. */
export interface EvalResultsScorerStats {
  /** The scorer. */
  readonly scorer_key: string;
  /** Subpath joined with `.`, as in a field; a dot within a key is `\.`. Null if the scorer returns a bare value. */
  readonly path: string | null;
  /** The type of the first value: boolean, number or string. */
  readonly value_type: "binary" | "continuous" | "text" | null;
  /** The number of trials with a boolean, number or text. */
  readonly trial_count: number;
  /** The number of trials with a number. */
  readonly numeric_count: number;
  /** The mean of the numbers; null without numbers. */
  readonly numeric_mean: number | null;
  /** The number of trials that passed (true). */
  readonly pass_true_count: number;
  /** The number of trials with a boolean. */
  readonly pass_known_count: number;
  /** `pass_true_count / pass_known_count`; null without booleans. */
  readonly pass_rate: number | null;
  /** `pass_known_count / trial_count`. */
  readonly pass_signal_coverage: number | null;
}

/** One evaluation in a summary. */
export interface EvalResultsEvaluationSummary {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** The number of its trials in the rows of the summary. */
  readonly trial_count: number;
  /** Its score dimensions, in order of first appearance. */
  readonly scorer_stats: readonly EvalResultsScorerStats[];
  /** The tokens that its model used; null if no trial reports any. */
  readonly predict_total_tokens: number | null;
  /** The cost of its model's calls, in US dollars; null if no trial has a cost. Absent unless costs are requested. */
  readonly predict_total_cost?: number | null;
  /** The reference of the evaluation object. */
  readonly evaluation_ref: string | null;
  /** The reference of the model. */
  readonly model_ref: string | null;
  /** Its display name. */
  readonly display_name: string | null;
  /** Its trace ID. */
  readonly trace_id: string | null;
  /** When it started, ISO 8601. */
  readonly started_at: string | null;
}

/** The summary of a query: over all its rows, regardless of paging. */
export interface EvalResultsSummary {
  /** The number of rows it covers. */
  readonly row_count: number;
  /** The evaluations that have any of these rows, in request order. */
  readonly evaluations: readonly EvalResultsEvaluationSummary[];
}

/** The answer to an evaluation query. It shares data with the engine: do not change it. */
export interface EvalResults {
  /** The page. */
  readonly rows: readonly EvalResultsRow[];
  /** The number of rows before paging. */
  readonly total_rows: number;
  /** The summary, if requested. */
  readonly summary: EvalResultsSummary | null;
  /** Problems that did not make the answer wrong. */
  readonly warnings: readonly string[];
}

/** An answer whose rows are built as they are read, so that a long page is never in memory as a whole. */
export interface EvalResultsInParts extends Omit<EvalResults, "rows" | "warnings"> {
  /** The number of rows on the page. */
  readonly row_count: number;
  /**
   * The page in chunks of rows, then its warnings as the return value. The data is as it was when the query was
   * answered, and is held until the generator ends or is returned: make sure that one of these happens. Throws as the
   * query does.
   */
  readonly rows: AsyncGenerator<readonly EvalResultsRow[], readonly string[], undefined>;
}

/** The only warning: some dataset-row references of the page could not be resolved. */
export const UNRESOLVED_ROWS = "Failed to resolve dataset row refs; raw_data_row may contain refs";
