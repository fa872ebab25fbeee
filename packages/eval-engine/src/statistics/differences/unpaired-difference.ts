// The difference of two evaluations as independent samples.

import {
  type Estimate,
  type Interval,
  newcombe,
  proportionsTest,
  tInterval,
  tTest,
  welch,
} from "@assay/statistics";
import type { Proportion } from "@assay/statistics/internal";
import { rowDifference } from "../rows/row-difference.ts";
import {
  type Difference,
  type DifferenceOptions,
  noDifference,
  sequence,
  type Test,
  withinRates,
} from "./difference.ts";
import { isEffective, type Side } from "./side.ts";

/** The difference of evaluations that share no rows. */
export function unpairedDifference(a: Side, b: Side, options: DifferenceOptions): Difference {
  const [n, m] = [a.answer.rows, b.answer.rows];
  const none = { ...noDifference(0), paired: false, rows: Math.min(n, m) };
  if (a.answer.mean === null || b.answer.mean === null)
    return { ...none, unknown: "one of the evaluations has no rows with a value" };
  const difference = rowDifference(a.answer.mean, b.answer.mean);
  const estimate =
    a.estimate === null || b.estimate === null
      ? null
      : { ...welch(a.estimate, b.estimate), mean: difference };
  const proportions =
    a.proportion === undefined || b.proportion === undefined
      ? undefined
      : ([a.proportion, b.proportion] as const);
  const interval = withinRates(unpairedInterval(a, b, estimate, proportions, options), options);
  const test: Test =
    proportions !== undefined
      ? {
          p: proportionsTest(...proportions),
          pMethod: proportions.some(isEffective) ? "cluster_two_proportions" : "two_proportions",
        }
      : estimate === null
        ? { p: null, pMethod: null }
        : { p: tTest(estimate), pMethod: options.clustered ? "cluster_t" : "welch" };
  return {
    ...none,
    difference,
    estimate,
    se: estimate?.se ?? null,
    interval,
    anytime: options.anytime !== undefined,
    ...(options.anytime === undefined ? test : {}),
    clusters: options.clustered ? Math.min(a.clusters!, b.clusters!) : undefined,
    effectiveClusters: options.clustered ? Math.min(a.effectiveClusters!, b.effectiveClusters!) : undefined,
    unknown: interval === null ? "too few rows, or all values are equal" : undefined,
  };
}

function unpairedInterval(
  a: Side,
  b: Side,
  estimate: Estimate | null,
  proportions: readonly [Proportion, Proportion] | undefined,
  { anytime, level, clustered }: DifferenceOptions,
): Interval | null {
  if (anytime !== undefined) {
    // The sequence of each side with half the error rate; their bounds add up.
    if (a.estimate === null || b.estimate === null) return null;
    const [first, second] = [a, b].map(({ estimate, clusters, answer }) =>
      sequence(estimate!, clusters ?? answer.rows, anytime.alpha / 2, anytime.rows),
    );
    if (first == null || second == null) return null;
    return { low: second.low - first.high, high: second.high - first.low, method: "confidence_sequence" };
  }
  if (proportions !== undefined) {
    const interval = newcombe(...proportions, level);
    return interval && proportions.some(isEffective) ? { ...interval, method: "cluster_newcombe" } : interval;
  }
  return estimate === null ? null : tInterval(estimate, level, clustered ? "cluster_t" : "welch");
}
