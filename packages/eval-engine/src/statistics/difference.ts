// Analyses one evaluation at a measure, and the difference of two: chooses the method and computes the result.

import {
  bonettPrice,
  clusterEstimate,
  confidenceSequence,
  type Direction,
  designEffect,
  type Estimate,
  effectiveProportion,
  type Interval,
  type Moments,
  mcnemar,
  meanEstimate,
  moments,
  newcombe,
  proportionsTest,
  type Sample,
  signFlip,
  skewness,
  tInterval,
  tTest,
  welch,
  wilson,
} from "@assay/statistics";
import {
  bonettPriceTest,
  bootstrapSteps,
  type IntervalMethod,
  type Proportion,
  SEQUENCE_FROM,
} from "@assay/statistics/internal";
import type { BufferPool } from "../kernels/buffer-pool.ts";
import type { Work } from "../kernels/work.ts";
import { effectiveClusters } from "./rows/clusters.ts";
import type { PairSums, SideSums } from "./rows/dyadic-rows.ts";
import { roundingOfRow, rowDifference } from "./rows/row-difference.ts";
import type { PairTable, SideTable } from "./rows/row-table.ts";
import type { MeasureSide } from "./wire/response.ts";

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
function standardError(
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
const isEffective = ({ df }: Proportion): boolean => df !== undefined;

async function bootstrap(
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

function isOfBits(values: Float64Array): boolean {
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
function isSkewed(
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

/** How to compare. */
export interface DifferenceOptions extends IntervalOptions {
  readonly kind: "boolean" | "number" | null;
  readonly direction: Direction | null;
  /** The scratch room for columns. */
  readonly room: BufferPool;
  /** The error rate over all looks, and the number of rows it is tuned to; undefined for a single look. */
  readonly anytime: { readonly alpha: number; readonly rows: number } | undefined;
}

/** A difference before p-values are corrected for multiple testing. */
export interface Difference {
  readonly paired: boolean;
  readonly pairs: number;
  /** The number of rows it is based on: the pairs, or the rows of the smaller side. */
  readonly rows: number;
  readonly difference: number | null;
  readonly estimate: Estimate | null;
  /** The standard error of the difference; 0 if all rows are equal. */
  readonly se: number | null;
  readonly interval: Interval | null;
  /** Whether its interval holds at every look; there is then no p-value. */
  readonly anytime: boolean;
  readonly p: number | null;
  readonly pMethod: string | null;
  readonly wins: number | null;
  readonly losses: number | null;
  readonly ties: number | null;
  readonly effect: number | null;
  readonly odds: number | null;
  readonly clusters: number | undefined;
  /** The number of clusters of equal size that they are worth. */
  readonly effectiveClusters: number | undefined;
  /** Whether it has a t interval over differences that are too skewed for so few rows or clusters. */
  readonly skewed: boolean;
  /** The variance of the differences; null if unknown. */
  readonly variance: number | null;
  /** Why there is no interval; undefined if there is one. */
  readonly unknown: string | undefined;
}

/** Pairs of values with their clusters. */
export type PairValues = Pick<PairTable, "a" | "b" | "counts" | "clusterOf">;

/** The difference of each pair. */
export function differencesOf({ a, b }: Pick<PairTable, "a" | "b">, room: BufferPool): Float64Array {
  const d = room.floats(a.length);
  for (let i = 0; i < d.length; i++) d[i] = rowDifference(a[i]!, b[i]!);
  return d;
}

/**
 * Makes values equal that only rounding tells apart: 0.7 − 0.702 and 0.3 − 0.302 differ in doubles, and their spread
 * means nothing.
 */
function levelRounding(d: Float64Array, pairs: Pick<PairTable, "a" | "b">): void {
  let [low, high, least] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < d.length; i++) {
    const off = roundingOfRow(pairs.a[i]!, pairs.b[i]!);
    low = Math.max(low, d[i]! - off);
    high = Math.min(high, d[i]! + off);
    if (low > high) return;
    least = Math.min(least, d[i]!);
  }
  d.fill(least);
}

/** The rounding error of the sum of differences: 0.4 − 0.3 and 0.2 − 0.3 add up to 5.6e-17 in doubles. */
export function roundingOf(
  d: Float64Array,
  pairs: Pick<PairTable, "a" | "b" | "counts">,
  [from, to]: readonly [number, number] = [0, d.length],
): number {
  const { counts } = pairs;
  let off = 0;
  for (let i = from; i < to; i++) {
    if (d[i] === 0) continue;
    off += (counts === undefined ? 1 : counts[i]!) * roundingOfRow(pairs.a[i]!, pairs.b[i]!);
  }
  return off;
}

/** The mean difference of `n` pairs; 0 if it is within the rounding error. */
export function zeroIfRounding<M extends number | null>(mean: M, n: number, off: number): M | 0 {
  return mean !== null && Math.abs(mean) * n <= off ? 0 : mean;
}

/** The moments of the differences `d` of these pairs; the mean is 0 if it is within the rounding error. */
export function momentsOfDifferences(d: Float64Array, pairs: PairValues): Moments {
  const found = moments({ values: d, counts: pairs.counts });
  return { ...found, mean: zeroIfRounding(found.mean, found.n, roundingOf(d, pairs)) };
}

/** The difference on the rows that both have. */
export async function pairedDifference(
  table: PairValues,
  options: DifferenceOptions,
  work: Work,
): Promise<Difference> {
  const { a, b, counts, clusterOf } = table;
  const d = differencesOf(table, options.room);
  levelRounding(d, table);
  const found = momentsOfDifferences(d, table);
  const { n, mean, variance } = found;
  await spendOnSums(work, 2 * d.length);
  if (n < 2 || mean === null || variance === null) return noDifference(n);
  const clustered = options.clustered
    ? clusterEstimate(d, clusterOf!, (pair) => roundingOfRow(a[pair]!, b[pair]!))
    : undefined;
  const estimate =
    clustered === undefined ? meanEstimate(found) : clustered.estimate && { ...clustered.estimate, mean };
  const { up, down } = signs(d, counts);
  const bits = options.kind === "boolean" && isOfBits(a) && isOfBits(b);
  // The effective proportions of clustered rows that pass or fail.
  const worth = clustered !== undefined && bits ? pairsWorth(found, { up, down }, clustered) : undefined;
  const test =
    worth !== undefined
      ? { p: worth.p, pMethod: "cluster_bonett_price" }
      : clustered === undefined
        ? testOf(d, counts, { bits, up, down, estimate })
        : clusterTest(estimate);
  const interval = await pairedInterval(
    d,
    clusterOf,
    { n, bits, up, down, estimate, clustered: clustered?.clusters, worth },
    options,
    work,
  );
  return {
    ...pairedAnswer(found, { up, down, estimate, test, interval, clusters: clustered?.clusters }, options),
    odds: bits && down > 0 ? up / down : null,
    effectiveClusters: clustered && effectiveClusters(clusterOf!),
    skewed: isSkewed({ values: d, counts }, found, clustered?.residuals, interval),
  };
}

/** The same for numbers that were summed pair by pair: too many to be skewed, and on no grid for the exact test. */
export function differenceOfSums({ found, up, down }: PairSums, options: DifferenceOptions): Difference {
  const { n } = found;
  const estimate = meanEstimate(found);
  const test = tTestOf(estimate);
  const interval =
    estimate === null
      ? null
      : options.anytime === undefined
        ? tInterval(estimate, options.level)
        : sequence(estimate, n, options.anytime.alpha, options.anytime.rows);
  return pairedAnswer(found, { up, down, estimate, test, interval, clusters: undefined }, options);
}

/** The difference of pairs, from single pairs or from their sums. */
function pairedAnswer(
  found: Moments,
  {
    up,
    down,
    estimate,
    test,
    interval,
    clusters,
  }: Pick<Seen, "up" | "down" | "estimate"> & {
    readonly test: Test;
    readonly interval: Interval | null;
    readonly clusters: number | undefined;
  },
  options: DifferenceOptions,
): Difference {
  const { n } = found;
  const [mean, variance] = [found.mean!, found.variance!];
  const [better, worse] = options.direction === "lower" ? [down, up] : [up, down];
  const isTold = options.direction !== null;
  return {
    paired: true,
    pairs: n,
    rows: n,
    difference: mean,
    estimate,
    se: standardError(estimate, found, clusters !== undefined),
    interval,
    anytime: options.anytime !== undefined,
    ...(options.anytime === undefined ? test : { p: null, pMethod: null }),
    wins: isTold ? better : null,
    losses: isTold ? worse : null,
    ties: n - up - down,
    effect: variance > 0 ? finite(mean / Math.sqrt(variance)) : null,
    odds: null,
    clusters,
    effectiveClusters: undefined,
    skewed: false,
    variance,
    unknown: interval === null ? whyUnknown(clusters, n, options) : undefined,
  };
}

function noDifference(n: number): Difference {
  return {
    ...{
      paired: true,
      pairs: n,
      rows: n,
      difference: null,
      estimate: null,
      se: null,
      interval: null,
      anytime: false,
      p: null,
      pMethod: null,
    },
    ...{ wins: null, losses: null, ties: null, effect: null, odds: null },
    ...{ clusters: undefined, effectiveClusters: undefined, skewed: false, variance: null },
    unknown:
      n === 0
        ? "no row has a value in both evaluations"
        : n === 1
          ? "one row cannot show how much rows vary"
          : "the differences are too large for their spread to be computed",
  };
}

interface Seen {
  readonly bits: boolean;
  readonly up: number;
  readonly down: number;
  readonly estimate: Estimate | null;
}

type Test = { readonly p: number | null; readonly pMethod: string | null };

function testOf(d: Float64Array, counts: Float64Array | undefined, { bits, up, down, estimate }: Seen): Test {
  if (bits) return { p: mcnemar(up, down).midP, pMethod: "mcnemar_mid_p" };
  const exact = signFlip({ values: d, counts });
  if (exact !== null) return { p: exact, pMethod: "sign_flip" };
  return tTestOf(estimate);
}

function tTestOf(estimate: Estimate | null): Test {
  return estimate === null ? { p: null, pMethod: null } : { p: tTest(estimate), pMethod: "t" };
}

function clusterTest(estimate: Estimate | null): Test {
  return estimate === null ? { p: null, pMethod: null } : { p: tTest(estimate), pMethod: "cluster_t" };
}

/** Clustered pairs that pass or fail: the equivalent number of independent pairs, and their test. */
interface PairsWorth {
  readonly of: readonly [up: number, down: number, n: number];
  readonly df: number;
  readonly p: number;
}

function pairsWorth(
  found: Moments,
  { up, down }: { readonly up: number; readonly down: number },
  clustered: Parameters<typeof designEffect>[1],
): PairsWorth | undefined {
  if (clustered.clusters < 2) return undefined;
  const effect = designEffect(found, clustered);
  const of = [up / effect, down / effect, found.n / effect] as const;
  // If all rows are equal, no variance was estimated.
  const df = found.variance === 0 ? Number.POSITIVE_INFINITY : clustered.clusters - 1;
  return { of, df, p: bonettPriceTest(...of, df) };
}

async function pairedInterval(
  d: Float64Array,
  clusterOf: Int32Array | undefined,
  seen: Seen & {
    readonly n: number;
    readonly clustered: number | undefined;
    readonly worth: PairsWorth | undefined;
  },
  options: DifferenceOptions,
  work: Work,
): Promise<Interval | null> {
  if (options.anytime === undefined && options.bootstrapSeed !== undefined)
    return seen.estimate === null ? null : bootstrap(d, clusterOf, options, work);
  return withinRates(computedInterval(seen, options), options);
}

function computedInterval(
  { n, bits, up, down, estimate, clustered, worth }: Parameters<typeof pairedInterval>[2],
  { anytime, level }: DifferenceOptions,
): Interval | null {
  if (anytime !== undefined)
    return estimate === null ? null : sequence(estimate, clustered ?? n, anytime.alpha, anytime.rows);
  if (worth !== undefined) {
    const interval = bonettPrice(...worth.of, level, worth.df);
    return interval && { ...interval, method: "cluster_bonett_price" };
  }
  if (clustered === undefined && bits) return bonettPrice(up, down, n, level);
  return estimate === null ? null : tInterval(estimate, level, clustered === undefined ? "t" : "cluster_t");
}

/** The interval of a difference, cut to the possible range of a difference of rates. */
function withinRates(interval: Interval | null, { kind }: DifferenceOptions): Interval | null {
  if (interval === null || kind !== "boolean") return interval;
  return { ...interval, low: Math.max(-1, interval.low), high: Math.min(1, interval.high) };
}

/** The confidence sequence of a mean of this many independent rows or clusters. */
function sequence({ mean, se }: Estimate, n: number, alpha: number, tunedTo: number): Interval | null {
  return confidenceSequence({ mean, sd: se * Math.sqrt(n), n, alpha, tunedTo });
}

/** How many differences are above and below 0. */
function signs(
  d: Float64Array,
  counts: Float64Array | undefined,
): { readonly up: number; readonly down: number } {
  let up = 0;
  let down = 0;
  for (let i = 0; i < d.length; i++) {
    const count = counts === undefined ? 1 : counts[i]!;
    // Without a branch: the side of a row is unpredictable.
    up += Number(d[i]! > 0) * count;
    down += Number(d[i]! < 0) * count;
  }
  return { up, down };
}

function whyUnknown(clusters: number | undefined, n: number, { anytime }: DifferenceOptions): string {
  if (clusters !== undefined && clusters < 2) return "all rows are in one cluster";
  if (anytime !== undefined && (clusters ?? n) < SEQUENCE_FROM)
    return `a running evaluation needs at least ${SEQUENCE_FROM} ${clusters === undefined ? "rows" : "clusters"}`;
  const equal = clusters === undefined ? "all differences are equal" : "all clusters differ by the same";
  return `${equal}, so their spread is unknown`;
}

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

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
