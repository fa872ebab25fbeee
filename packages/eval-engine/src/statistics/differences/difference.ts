// Analyses the difference of two evaluations on the rows that both have: chooses the method and computes the result.

import {
  bonettPrice,
  clusterEstimate,
  confidenceSequence,
  type Direction,
  designEffect,
  type Estimate,
  type Interval,
  type Moments,
  mcnemar,
  meanEstimate,
  moments,
  signFlip,
  tInterval,
  tTest,
} from "@assay/statistics";
import { bonettPriceTest, SEQUENCE_FROM } from "@assay/statistics/internal";
import type { BufferPool } from "../../kernels/buffer-pool.ts";
import type { Work } from "../../kernels/work.ts";
import { effectiveClusters } from "../rows/clusters.ts";
import type { PairSums } from "../rows/dyadic-rows.ts";
import {
  levelRounding,
  roundingOf,
  roundingOfRow,
  rowDifference,
  zeroIfRounding,
} from "../rows/row-difference.ts";
import type { PairTable } from "../rows/row-table.ts";
import { bootstrap, type IntervalOptions, isOfBits, isSkewed, spendOnSums, standardError } from "./side.ts";

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

export function noDifference(n: number): Difference {
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

export type Test = { readonly p: number | null; readonly pMethod: string | null };

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
export function withinRates(interval: Interval | null, { kind }: DifferenceOptions): Interval | null {
  if (interval === null || kind !== "boolean") return interval;
  return { ...interval, low: Math.max(-1, interval.low), high: Math.min(1, interval.high) };
}

/** The confidence sequence of a mean of this many independent rows or clusters. */
export function sequence({ mean, se }: Estimate, n: number, alpha: number, tunedTo: number): Interval | null {
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

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
