// The statistics of trajectories, as a model's log shows them.

import type { Metrics } from "../ports/worker-message.ts";
import type { TrajectoryGroup } from "./trajectory.ts";

/**
 * Means over all trajectories of all groups: `reward` and each custom metric (over those that have it, booleans
 * as 0 and 1); `exception_rate`, the share of attempts that broke off; `reward_std_dev`, the mean over groups of
 * two or more of the population standard deviation of their rewards. Each name is `<split>/<name>`. What cannot
 * be computed, or is not finite, is left out.
 */
export function logMetrics(split: string, groups: readonly TrajectoryGroup[]): Metrics {
  const values = new Map<string, number[]>();
  const add = (name: string, value: number) => {
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  };

  for (const { trajectories, exceptions } of groups) {
    for (const { reward, metrics } of trajectories) {
      for (const [name, value] of Object.entries(metrics)) add(name, Number(value));
      add("reward", reward);
      add("exception_rate", 0);
    }
    for (let i = 0; i < exceptions.length; i++) add("exception_rate", 1);
    if (trajectories.length > 1) add("reward_std_dev", spread(trajectories.map(({ reward }) => reward)));
  }
  const means = [...values].map(([name, list]) => [`${split}/${name}`, mean(list)] as const);
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
