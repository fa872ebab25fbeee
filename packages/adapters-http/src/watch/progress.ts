// The progress of evaluations, as watchers see it.

import type { EvalResultsScorerStats } from "@assay/eval-engine";

/** How far one evaluation is. */
export interface EvaluationProgress {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its display name; null while it has none. */
  readonly display_name: string | null;
  /** ISO 8601; null before its root call was logged. */
  readonly started_at: string | null;
  /** ISO 8601; null while it is running. */
  readonly ended_at: string | null;
  /** Trials so far, those that are running too. */
  readonly trial_count: number;
  /** What scorers say so far. */
  readonly scorer_stats: readonly EvalResultsScorerStats[];
}

/** How far one evaluation is, to someone who has watched it for a while. */
export interface WatchedProgress extends EvaluationProgress {
  /** Trials a second over the last seconds that were watched, to one decimal. */
  readonly trials_per_second: number;
}

/** Where progress is asked for. When the storage itself fails, it throws a `Fault`. */
export interface ProgressSource {
  /** How far these evaluations are, in the order asked; one that nothing is known of has no trials. */
  progress(project: string, evaluations: readonly string[]): Promise<readonly EvaluationProgress[]>;
}
