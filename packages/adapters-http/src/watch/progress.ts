// The progress of evaluations, as watchers see it.

import type { EvalResultsScorerStats } from "@assay/eval-engine";

/** The progress of one evaluation. */
export interface EvaluationProgress {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its display name; null without one. */
  readonly display_name: string | null;
  /** ISO 8601; null before its root call was logged. */
  readonly started_at: string | null;
  /** ISO 8601; null while it is running. */
  readonly ended_at: string | null;
  /** The number of trials so far, including running ones. */
  readonly trial_count: number;
  /** The scores so far. */
  readonly scorer_stats: readonly EvalResultsScorerStats[];
}

/** The progress of one evaluation, as observed over some time. */
export interface WatchedProgress extends EvaluationProgress {
  /** Trials per second over the last observed seconds, to one decimal. */
  readonly trials_per_second: number;
}

/** The source of progress. Throws a `Fault` when the storage itself fails. */
export interface ProgressSource {
  /** The progress of these evaluations, in the requested order; unknown ones have no trials. */
  progress(project: string, evaluations: readonly string[]): Promise<readonly EvaluationProgress[]>;
}
