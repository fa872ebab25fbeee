// The measures of a trial that are not scores.

import type { FieldPath } from "@assay/query-lang";

/** The measure of the model's latency, in seconds. Less is better. */
export const LATENCY = "model_latency_seconds";

/** The measure of the tokens used. Less is better. */
export const TOKENS = "total_tokens";

/** Whether a measure is one of these two. */
export function isBuiltinMetric(path: FieldPath): boolean {
  return path.length === 1 && (path[0] === LATENCY || path[0] === TOKENS);
}
