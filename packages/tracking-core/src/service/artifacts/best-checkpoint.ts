// Finds a model's best checkpoint by a metric.

import type { Checkpoint } from "@assay/training-core";
import type { FollowedMetric } from "../../artifact/artifact.ts";

/** The checkpoint with the best metric; of equal ones, the newest. */
export function bestOf(
  checkpoints: readonly Checkpoint[],
  { metric, goal }: FollowedMetric,
): Checkpoint | undefined {
  const sign = goal === "max" ? 1 : -1;
  let best: Checkpoint | undefined;
  for (const one of checkpoints) {
    const value = one.metrics[metric];
    if (value === undefined) continue;
    if (best === undefined || sign * value >= sign * best.metrics[metric]!) best = one;
  }
  return best;
}
