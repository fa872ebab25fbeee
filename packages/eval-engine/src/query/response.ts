// The response of an evaluation query, field by field as `/openapi.json` publishes it. Every field is always present.

import type { Json } from "@assay/base";
import type { GenAISpanRef } from "@assay/calls";

/** One trial of one row in one evaluation. */
export interface EvalResultsTrial {
  /** The call that is this trial. */
  readonly predict_and_score_call_id: string;
  /** The call of the model in it; null when it was not found or not asked for. */
  readonly predict_call_id: string | null;
  /** What the model gave. */
  readonly model_output: Json;
  /** Scores by scorer, as the scorers gave them. */
  readonly scores: { readonly [scorer: string]: Json };
  /** Seconds that the model took. */
  readonly model_latency_seconds: number | null;
  /** Tokens that the model used. */
  readonly total_tokens: number | null;
  /** What the model's call cost, in US dollars; null when it is not known. Absent unless costs are asked for. */
  readonly total_cost?: number | null;
  /** The scorer's call, by scorer. */
  readonly scorer_call_ids: { readonly [scorer: string]: string };
  /** Spans of the model's own trace. */
  readonly genai_span_ref: readonly GenAISpanRef[] | null;
}

/** A row's trials in one evaluation, by start and then id. */
export interface EvalResultsRowEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its trials of the row. */
  readonly trials: readonly EvalResultsTrial[];
}

/** One row, with the evaluations that have it in the order they were asked for. */
export interface EvalResultsRow {
  /** What identifies the row: the digest of its content. */
  readonly row_digest: string;
  /** The row, or the reference to it, when asked for; else null. */
  readonly raw_data_row: Json;
  /** The evaluations that have it. */
  readonly evaluations: readonly EvalResultsRowEvaluation[];
}

/** Statistics of one flattened score dimension of one evaluation. */
export interface EvalResultsScorerStats {
  /** The scorer. */
  readonly scorer_key: string;
  /** Subpath joined with `.`, as in a field: a dot within a key is `\.`. Null for a scorer that gives a bare value. */
  readonly path: string | null;
  /** The type of the first value seen: boolean, number, string. */
  readonly value_type: "binary" | "continuous" | "text" | null;
  /** Trials with a boolean, number or text here. */
  readonly trial_count: number;
  /** Trials with a number. */
  readonly numeric_count: number;
  /** Mean of the numbers; null without any. */
  readonly numeric_mean: number | null;
  /** Trials that passed: true. */
  readonly pass_true_count: number;
  /** Trials with a boolean. */
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
  /** Its trials in the rows of the summary. */
  readonly trial_count: number;
  /** Its score dimensions, in the order in which they first appear. */
  readonly scorer_stats: readonly EvalResultsScorerStats[];
  /** Tokens that its model used; null when no trial reports any. */
  readonly predict_total_tokens: number | null;
  /** What the calls of its model cost, in US dollars; null when no trial has a cost. Absent unless costs are asked for. */
  readonly predict_total_cost?: number | null;
  /** Reference of the evaluation object. */
  readonly evaluation_ref: string | null;
  /** Reference of the model. */
  readonly model_ref: string | null;
  /** A name that a person gave it. */
  readonly display_name: string | null;
  /** Its trace. */
  readonly trace_id: string | null;
  /** When it began, ISO 8601. */
  readonly started_at: string | null;
}

/** The summary of a query: over all its rows, never paged. */
export interface EvalResultsSummary {
  /** Rows it is computed over. */
  readonly row_count: number;
  /** The evaluations that have any of them, in request order. */
  readonly evaluations: readonly EvalResultsEvaluationSummary[];
}

/** The answer to an evaluation query. It shares parts with the engine that gave it: to be read, never changed. */
export interface EvalResults {
  /** The page. */
  readonly rows: readonly EvalResultsRow[];
  /** Rows before paging. */
  readonly total_rows: number;
  /** The summary, when asked for. */
  readonly summary: EvalResultsSummary | null;
  /** What went wrong without making the answer wrong. */
  readonly warnings: readonly string[];
}

/** An answer whose rows are written out as they are taken, so that a long page is never in memory whole. */
export interface EvalResultsInParts extends Omit<EvalResults, "rows" | "warnings"> {
  /** Rows of the page. */
  readonly row_count: number;
  /**
   * The page, some rows at a time, and the warnings once it is over. The data is as it was when the query was answered,
   * and is held until the last row was taken or the generator was returned: one of both must happen. Throws as the
   * query does.
   */
  readonly rows: AsyncGenerator<readonly EvalResultsRow[], readonly string[], undefined>;
}

/** The one warning: some dataset-row references of the page name rows that are not there. */
export const UNRESOLVED_ROWS = "Failed to resolve dataset row refs; raw_data_row may contain refs";
