// The statistics of trajectories for a model's log.

import { atOnce, type Steps } from "@assay/base";
import type { TrajectoryGroup } from "./trajectory.ts";
import type { Metrics } from "./worker-message.ts";

/** The number of trajectories counted per step. */
const STRETCH = 1000;

/**
 * Means over all trajectories of all groups: `reward` and each custom metric (over those that have it, booleans as 0
 * and 1); `exception_rate`, the share of attempts that failed with an exception; `reward_std_dev`, the mean over
 * groups of two or more of the population standard deviation of their rewards. Each name is `<split>/<name>`.
 * Undefined and non-finite values are left out.
 */
export function logMetrics(split: string, groups: readonly TrajectoryGroup[]): Metrics {
  return atOnce(logMetricsSteps(split, groups));
}

/** The same in steps: there may be a million trajectories. */
export function* logMetricsSteps(split: string, groups: readonly TrajectoryGroup[]): Steps<Metrics> {
  const sums = new Map<string, { sum: number; count: number }>();
  const add = (name: string, value: number) => {
    const known = sums.get(name);
    if (known === undefined) sums.set(name, { sum: value, count: 1 });
    else {
      known.sum += value;
      known.count++;
    }
  };

  let counted = 0;
  for (const { trajectories, exceptions } of groups) {
    for (const { reward, metrics } of trajectories) {
      for (const name in metrics) add(name, Number(metrics[name]));
      add("reward", reward);
      add("exception_rate", 0);
      if (++counted % STRETCH === 0) yield;
    }
    for (let i = 0; i < exceptions.length; i++) add("exception_rate", 1);
    if (trajectories.length > 1) add("reward_std_dev", spread(trajectories.map(({ reward }) => reward)));
  }
  const means = [...sums].map(([name, { sum, count }]) => [`${split}/${name}`, sum / count] as const);
  return Object.fromEntries(means.filter(([, value]) => Number.isFinite(value)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The population standard deviation. */
function spread(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
