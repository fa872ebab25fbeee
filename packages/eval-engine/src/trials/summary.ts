// The parts of one evaluation's summary (docs/reference/semantics.md, "Summary") that do not depend on how trials are
// stored.

import type { Json } from "@assay/base";
import type { Call } from "@assay/calls";
import { getPath } from "@assay/query-lang";
import type { EvalResultsEvaluationSummary, EvalResultsScorerStats } from "../query/response.ts";

/** A leaf of a score's value: `keys` lead to it from the scorer's value. */
export interface ScoreLeaf {
  readonly keys: readonly string[];
  readonly value: boolean | number | string;
}

/**
 * The leaves of a scorer's value, in order: booleans, numbers and strings at any depth of objects. Null, arrays and
 * empty objects have none. Calls nest at most `MAX_CALL_DEPTH` deep, which limits the recursion.
 */
export function scoreLeaves(
  value: Json,
  keys: readonly string[] = [],
  leaves: ScoreLeaf[] = [],
): ScoreLeaf[] {
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") {
    leaves.push({ keys, value });
  } else if (value !== null && !Array.isArray(value)) {
    for (const [key, child] of Object.entries(value)) scoreLeaves(child as Json, [...keys, key], leaves);
  }
  return leaves;
}

/** The counts of one score dimension. */
export interface ScoreCounts {
  readonly valueType: "binary" | "continuous" | "text";
  readonly trials: number;
  readonly numeric: number;
  /** The mean of the numbers; NaN if there are none. */
  readonly mean: number;
  readonly passTrue: number;
  readonly passKnown: number;
}

/** The statistics entry of a dimension, from its counts. */
export function scorerStats(
  scorer: string,
  path: string | null,
  counts: ScoreCounts,
): EvalResultsScorerStats {
  const { valueType, trials, numeric, mean, passTrue, passKnown } = counts;
  return {
    scorer_key: scorer,
    path,
    value_type: valueType,
    trial_count: trials,
    numeric_count: numeric,
    numeric_mean: Number.isFinite(mean) ? mean : null,
    pass_true_count: passTrue,
    pass_known_count: passKnown,
    pass_rate: passKnown === 0 ? null : passTrue / passKnown,
    pass_signal_coverage: passKnown / trials,
  };
}

/** The metadata of an evaluation, from its root call, which may not exist. */
export function summaryMetadata(
  root: Call | undefined,
): Pick<
  EvalResultsEvaluationSummary,
  "evaluation_ref" | "model_ref" | "display_name" | "trace_id" | "started_at"
> {
  const inputs = root?.inputs ?? null;
  return {
    evaluation_ref: text(getPath(inputs, ["self"])) ?? text(getPath(inputs, ["this"])),
    model_ref: text(getPath(inputs, ["model"])),
    display_name: root?.display_name ?? null,
    trace_id: root?.trace_id ?? null,
    started_at: root?.started_at ?? null,
  };
}

function text(value: Json): string | null {
  return typeof value === "string" ? value : null;
}
