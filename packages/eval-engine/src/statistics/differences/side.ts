// Analyses one evaluation at a measure: its mean, and the interval of that.

import {
  clusterEstimate,
  type Estimate,
  effectiveProportion,
  type Interval,
  type Moments,
  meanEstimate,
  moments,
  type Sample,
  skewness,
  tInterval,
  wilson,
} from "@assay/statistics";
import { bootstrapSteps, type IntervalMethod, type Proportion } from "@assay/statistics/internal";
import type { Work } from "../../kernels/work.ts";
import { effectiveClusters } from "../rows/clusters.ts";
import type { SideSums } from "../rows/dyadic-rows.ts";
import { levelRounding } from "../rows/row-difference.ts";
import type { SideTable } from "../rows/row-table.ts";
import type { MeasureSide } from "../wire/response.ts";

/** How to compute intervals. */
export interface IntervalOptions {
  readonly level: number;
  /** Whether rows come in clusters. */
  readonly clustered: boolean;
  /** The seed of the bootstrap; undefined if it was not requested. */
  readonly bootstrapSeed: number | undefined;
  /** The number of resamples. Default: the bootstrap's own. */
  readonly resamples?: number | undefined;
}

/** One evaluation, with what an unpaired comparison needs. */
export interface Side {
  readonly answer: MeasureSide;
  readonly estimate: Estimate | null;
  /** A rate with its sample size: the number of rows, or the effective size if rows are, or come in, clusters. */
  readonly proportion: Proportion | undefined;
  /** The number of clusters; undefined without clusters. */
  readonly clusters: number | undefined;
  /** The number of clusters of equal size that they are worth. */
  readonly effectiveClusters: number | undefined;
  /** Whether it has a t interval over values that are too skewed for so few rows or clusters. */
  readonly skewed: boolean;
}

/** The summary of one evaluation. */
export async function sideOf(
  table: SideTable,
  kind: "boolean" | "number" | null,
  options: IntervalOptions,
  work: Work,
): Promise<Side> {
  const { values, counts, trials, missing, clusterOf } = table;
  levelRounding(values, { a: values, b: values });
  const found = moments({ values, counts });
  await spendOnSums(work, values.length);
  const clustered = options.clustered ? clusterEstimate(values, clusterOf!) : undefined;
  const estimate = clustered === undefined ? meanEstimate(found) : clustered.estimate;
  const proportion =
    kind === "boolean" ? proportionOf(table, found, clustered ?? { clusters: found.n, estimate }) : undefined;
  let interval: Interval | null;
  if (options.bootstrapSeed !== undefined)
    interval = estimate === null ? null : await bootstrap(values, clusterOf, options, work);
  else if (kind === "boolean")
    interval = proportion === undefined ? null : rateInterval(proportion, options.level);
  else
    interval =
      estimate === null
        ? null
        : tInterval(estimate, options.level, clustered === undefined ? "t" : "cluster_t");
  return {
    answer: {
      ...answerOf(found, { trials, missing }),
      se: standardError(estimate, found, clustered !== undefined),
      interval,
    },
    estimate,
    proportion,
    clusters: clustered?.clusters,
    effectiveClusters: clustered && effectiveClusters(clusterOf!),
    skewed: isSkewed({ values, counts }, found, clustered?.residuals, interval),
  };
}

/** The same for numbers summed per row; with this many rows, none is too skewed. */
export function sideOfSums({ found, trials }: SideSums, rows: number, { level }: IntervalOptions): Side {
  const estimate = meanEstimate(found);
  return {
    answer: {
      ...answerOf(found, { trials, missing: rows - found.n }),
      se: standardError(estimate, found, false),
      interval: estimate === null ? null : tInterval(estimate, level),
    },
    estimate,
    proportion: undefined,
    ...{ clusters: undefined, effectiveClusters: undefined },
    skewed: false,
  };
}

function answerOf(
  { n, mean, variance }: Moments,
  { trials, missing }: Pick<MeasureSide, "trials" | "missing">,
): Omit<MeasureSide, "se" | "interval"> {
  return { rows: n, trials, missing, mean, sd: variance === null ? null : Math.sqrt(variance) };
}

/** se = sd/√n, also if nothing varies; with clusters, the clustered standard error. */
export function standardError(
  estimate: Estimate | null,
  { n, variance }: Moments,
  clustered: boolean,
): number | null {
  if (clustered || variance === null) return estimate?.se ?? null;
  return Math.sqrt(variance / n);
}

function proportionOf(
  { values, counts, clusterOf }: SideTable,
  found: Moments,
  clustered: Parameters<typeof effectiveProportion>[1],
): Proportion | undefined {
  if (clusterOf === undefined && isOfBits(values)) return { successes: passesIn(values, counts), n: found.n };
  // The trials of a row are a cluster too.
  return effectiveProportion(found, clustered) ?? undefined;
}

function rateInterval(of: Proportion, level: number): Interval | null {
  const interval = wilson(of.successes, of.n, level, of.df);
  return interval && isEffective(of) ? { ...interval, method: "cluster_wilson" } : interval;
}

/** Whether the sample size of a rate was estimated. */
export const isEffective = ({ df }: Proportion): boolean => df !== undefined;

export async function bootstrap(
  values: Float64Array,
  clusterOf: Int32Array | undefined,
  { level, bootstrapSeed, resamples }: IntervalOptions,
  work: Work,
): Promise<Interval | null> {
  const steps = bootstrapSteps(values, { level, seed: bootstrapSeed, resamples, clusterOf });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = work.spend(step.value * DRAW_COST);
    if (pause !== undefined) await pause;
  }
}

// The work of adding up a value of a column, in array items touched.
const SUM_COST = 6;

/** Counts the work of adding up a column of values, and pauses when it is time. */
export async function spendOnSums(work: Work, values: number): Promise<void> {
  const pause = work.spend(values * SUM_COST);
  if (pause !== undefined) await pause;
}

// The work of drawing a row, in array items touched.
const DRAW_COST = 10;

export function isOfBits(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false;
  return true;
}

function passesIn(values: Float64Array, counts: Float64Array | undefined): number {
  let passes = 0;
  for (let i = 0; i < values.length; i++)
    if (values[i] === 1) passes += counts === undefined ? 1 : counts[i]!;
  return passes;
}

/**
 * With more rows, only a few dominant rows could make them too skewed, and checking would slow down every comparison.
 */
export const MAX_ROWS_FOR_SKEW = 5000;

/**
 * Methods whose intervals are too short if a long tail is missing from the sample; resampling cannot find it either.
 */
const MISSED_BY_SKEW: ReadonlySet<IntervalMethod> = new Set([
  "t",
  "cluster_t",
  "bootstrap_bca",
  "confidence_sequence",
]);

/**
 * Whether a mean has fewer rows (or clusters) than its skewness requires, so that its interval is too short: 25 times
 * its square (Cochran, "Sampling Techniques", 1977, section 2.15).
 */
export function isSkewed(
  sample: Sample,
  found: Moments,
  residuals: readonly number[] | undefined,
  interval: Interval | null,
): boolean {
  if (interval === null || !MISSED_BY_SKEW.has(interval.method)) return false;
  const units = residuals === undefined ? sample : { values: residuals };
  const of = residuals === undefined ? found : moments(units);
  if (of.n > MAX_ROWS_FOR_SKEW) return false;
  const skew = skewness(units, of);
  return skew !== null && of.n < 25 * skew * skew;
}
