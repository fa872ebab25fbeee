// The comparison of a candidate and the baseline at one measure, as an entry of the answer.

import {
  correlation,
  minimumDetectable,
  moments,
  rowsNeeded,
  type Verdict,
  verdict,
} from "@assay/statistics";
import { mayFlip } from "@assay/statistics/internal";
import type { BufferPool } from "../kernels/buffer-pool.ts";
import type { Sides } from "../kernels/row-sums.ts";
import type { Work } from "../kernels/work.ts";
import {
  type Difference,
  type DifferenceOptions,
  differenceOfSums,
  pairedDifference,
} from "./differences/difference.ts";
import {
  type IntervalOptions,
  MAX_ROWS_FOR_SKEW,
  type Side,
  sideOf,
  sideOfSums,
  spendOnSums,
} from "./differences/side.ts";
import { unpairedDifference } from "./differences/unpaired-difference.ts";
import type { Measure } from "./measure.ts";
import { type PairSums, pairSums, sideSums } from "./rows/dyadic-rows.ts";
import {
  type PairTable,
  pairStates,
  pairTable,
  type RowChoice,
  type RowColumn,
  rowColumn,
  sideTable,
} from "./rows/row-table.ts";
import type { RowValues } from "./rows/row-values.ts";
import type { Presence, PresentRows, SharedRows } from "./rows/shared-rows.ts";
import { type PairStates, type TrialNoise, trialNoise } from "./trial-noise.ts";
import { chanceText, numberText } from "./wire/number-text.ts";
import type { MeasureComparison, MeasureNoise } from "./wire/response.ts";

/** How measures are analysed. */
export interface AnalysisOptions extends IntervalOptions {
  /** The cluster of each selected row. */
  readonly clusters: Int32Array | undefined;
  /** The scratch room for columns; results are valid until it is left. */
  readonly room: BufferPool;
}

/** An evaluation's values of a measure. */
export interface SideAnalysis {
  readonly side: Side;
  readonly rows: PresentRows;
  readonly values: RowValues;
  /** The values of its rows, one by one or as counted states; computed on first use. */
  column(): RowColumn;
}

/** Analyses one evaluation. */
export async function analyseSide(
  { of }: Presence,
  measure: Measure,
  evaluation: number,
  options: AnalysisOptions,
  work: Work,
): Promise<SideAnalysis> {
  const [rows, values] = [of[evaluation]!, measure.values[evaluation]!];
  let column: RowColumn | undefined;
  const analysis = {
    rows,
    values,
    column: () => {
      column ??= rowColumn(rows.places, values, choiceOf(options));
      return column;
    },
  };
  await spendOnSums(work, rows.places.length);
  const sums = isAddedUp(measure, [values], options) ? sideSums(values, rows.present()) : undefined;
  if (sums !== undefined && sums.found.n > MAX_ROWS_FOR_SKEW)
    return { ...analysis, side: sideOfSums(sums, rows.count, options) };
  const table = sideTable(analysis.column(), rows.count, options);
  return { ...analysis, side: await sideOf(table, measure.kind, options, work) };
}

/**
 * Whether sums over rows suffice. Resampling, clusters and exact tests need single rows; so do passes, which have few
 * distinct states.
 */
function isAddedUp(
  { kind }: Measure,
  values: readonly RowValues[],
  { clustered, bootstrapSeed }: AnalysisOptions,
): boolean {
  return (
    kind === "number" &&
    !clustered &&
    bootstrapSeed === undefined &&
    values.every(({ scales }) => scales !== undefined)
  );
}

/** How a pair is analysed. */
export type PairOptions = AnalysisOptions & Pick<DifferenceOptions, "anytime">;

/** A pair: the rows that its sides share, and the sides. */
export interface Pair {
  readonly shared: SharedRows;
  readonly sides: readonly [SideAnalysis, SideAnalysis];
}

/** The difference of a pair, before p-values are corrected, and its pairs; undefined if it shares no rows. */
export async function differenceAt(
  measure: Measure,
  pair: Pair,
  options: PairOptions,
  work: Work,
): Promise<{ readonly difference: Difference; readonly pairs: PairTable | PairSums | undefined }> {
  const {
    shared: { both, onlyBaseline, onlyCandidate },
    sides: [a, b],
  } = pair;
  const of = { ...options, kind: measure.kind, direction: measure.direction };
  if (both === 0 && onlyBaseline > 0 && onlyCandidate > 0)
    return { difference: unpairedDifference(a.side, b.side, of), pairs: undefined };
  await spendOnSums(work, a.rows.places.length);
  const sums = addedUp(measure, pair, options);
  if (sums !== undefined) return { difference: differenceOfSums(sums, of), pairs: sums };
  const table = pairTable(a.column(), b.column(), options);
  return { difference: await pairedDifference(table, of, work), pairs: table };
}

/** The sums of a pair, if they determine its difference. */
function addedUp(measure: Measure, { shared, sides }: Pair, options: PairOptions): PairSums | undefined {
  const [{ values: a }, { values: b }] = sides;
  if (shared.both <= MAX_ROWS_FOR_SKEW || !isAddedUp(measure, [a, b], options)) return undefined;
  const sums = pairSums({ a, b }, shared.places(), options.room);
  // Whether differences lie on a grid coarse enough for the exact test can only be decided one by one.
  return sums === undefined ||
    sums.found.n <= MAX_ROWS_FOR_SKEW ||
    mayFlip({ least: sums.least, sum: sums.distance })
    ? undefined
    : sums;
}

/** The values of two evaluations on the same rows. */
interface Together {
  readonly means: Sides<number | null>;
  /** Pearson's correlation of the two; null if unknown. */
  readonly correlation: number | null;
}

/** A pair's values of a measure. */
export interface PairAnalysis {
  readonly measure: Measure;
  readonly sides: readonly [Side, Side];
  readonly shared: SharedRows;
  readonly difference: Difference;
  /** The values of both sides on the rows that both have; undefined for fewer than two rows. */
  readonly together: Together | undefined;
  /** The noise from trials; undefined if unknown. */
  readonly noise: TrialNoise | undefined;
}

/** Analyses a pair: its difference, and the correlation of its sides. */
export async function analysePair(
  measure: Measure,
  pair: Pair,
  options: PairOptions,
  work: Work,
): Promise<PairAnalysis> {
  const { difference, pairs } = await differenceAt(measure, pair, options, work);
  const [a, b] = pair.sides;
  return {
    measure,
    sides: [a.side, b.side],
    shared: pair.shared,
    difference,
    together:
      pairs === undefined || difference.difference === null ? undefined : await togetherIn(pairs, work),
    noise:
      pairs === undefined || measure.reduce !== "mean"
        ? undefined
        : trialNoise(statesOf(pairs, pair.sides, options.room), { a: a.values, b: b.values }, options.room),
  };
}

async function togetherIn(pairs: PairTable | PairSums, work: Work): Promise<Together> {
  if ("means" in pairs) return pairs;
  const { a, b, counts } = pairs;
  await spendOnSums(work, 2 * a.length);
  const first = moments({ values: a, counts });
  await spendOnSums(work, 2 * a.length);
  const second = moments({ values: b, counts });
  await spendOnSums(work, a.length);
  return {
    means: { a: first.mean, b: second.mean },
    correlation: correlation({ a, b, counts }, [first, second]),
  };
}

function statesOf(pairs: PairTable | PairSums, [a, b]: Pair["sides"], room: BufferPool): PairStates {
  if ("places" in pairs) return { states: pairs.places, counts: undefined };
  return { states: pairStates(pairs, [a.column(), b.column()], room), counts: pairs.counts };
}

function choiceOf({ clusters, bootstrapSeed, room }: AnalysisOptions): RowChoice {
  return { clusters, oneByOne: bootstrapSeed !== undefined, room };
}

/** A p-value with the number of tests. */
export interface AdjustedTest {
  readonly adjustedP: number | null;
  /** The number of tests it was corrected for. */
  readonly tests: number;
}

/** The answer's entry for a pair, with its adjusted p-value. */
export function comparisonOf(
  { measure, sides, shared, difference, together, noise }: PairAnalysis,
  { adjustedP, level, tests }: AdjustedTest & { readonly level: number },
): MeasureComparison {
  const { interval } = difference;
  const detectable = detectableIn(difference, level);
  const target = measure.margin > 0 ? measure.margin : difference.difference;
  const needed = rowsNeeded(difference.rows, detectable, target);
  const found = verdict({
    interval,
    p: adjustedP,
    alpha: 1 - level,
    margin: measure.margin,
    direction: measure.direction,
  });
  return {
    field: measure.field,
    kind: measure.kind,
    direction: measure.direction,
    direction_source: measure.directionSource,
    reduce: measure.reduce,
    margin: measure.margin,
    baseline: sides[0].answer,
    candidate: sides[1].answer,
    paired: difference.paired,
    pairs: difference.pairs,
    baseline_mean: together?.means.a ?? null,
    candidate_mean: together?.means.b ?? null,
    only_baseline: shared.onlyBaseline,
    only_candidate: shared.onlyCandidate,
    difference: difference.difference,
    se: difference.se,
    interval,
    p_value: difference.p,
    p_method: difference.pMethod,
    adjusted_p: adjustedP,
    wins: difference.wins,
    losses: difference.losses,
    ties: difference.ties,
    correlation: together?.correlation ?? null,
    effect: difference.effect,
    odds: difference.odds,
    verdict: found,
    reason: reasonOf(found, difference, { adjustedP, tests }, 1 - level),
    minimum_detectable: detectable,
    rows_needed: whole(needed),
    noise: noise === undefined ? null : noiseAnswer(noise, difference.variance, needed),
  };
}

/** The smallest difference that these rows would show with a power of 0.8, at one look or at every look. */
function detectableIn({ difference, interval, estimate, anytime }: Difference, level: number): number | null {
  const by = { se: estimate?.se ?? null, df: estimate?.df ?? 1 };
  if (!anytime) return minimumDetectable({ ...by, level });
  // At a level of 0 an interval has no width: what remains is for the power.
  const power = minimumDetectable({ ...by, level: 0 });
  return interval === null || power === null
    ? null
    : Math.max(interval.high - difference!, difference! - interval.low) + power;
}

function noiseAnswer(noise: TrialNoise, variance: number | null, needed: number | null): MeasureNoise {
  const share = variance === null || variance === 0 ? null : Math.min(1, noise.fromTrials / variance);
  return {
    baseline_within: noise.baselineWithin,
    candidate_within: noise.candidateWithin,
    share_from_trials: share,
    flaky_rows: noise.flakyRows,
    // Four times the trials reduce their share of the variance to a quarter.
    rows_needed_with_4x_trials: share === null || needed === null ? null : whole(needed * (1 - 0.75 * share)),
  };
}

/** Rows are whole, and at least two. */
function whole(rows: number | null): number | null {
  if (rows === null || rows > Number.MAX_SAFE_INTEGER) return null;
  return Math.max(2, Math.ceil(rows));
}

/** Why a verdict is inconclusive; null for other verdicts. */
export function reasonOf(
  found: Verdict,
  { interval, unknown, p }: Pick<Difference, "interval" | "unknown" | "p">,
  { adjustedP, tests }: AdjustedTest,
  alpha: number,
): string | null {
  if (found === "no_direction" && interval === null) return unknown ?? null;
  if (found !== "inconclusive") return null;
  if (interval === null) return unknown ?? "no interval";
  if (interval.low <= 0 && interval.high >= 0) return "the interval includes 0";
  const most = `above ${numberText(alpha)}`;
  return p !== null && p <= alpha
    ? `p is ${chanceText(p)} by itself and ${chanceAbove(adjustedP!, alpha)} adjusted for ${tests} tests, ${most}`
    : `the test is less certain than the interval: p is ${chanceAbove(p!, alpha)}, ${most}`;
}

/** A p-value above `alpha`, with as many digits as it takes to see that. */
function chanceAbove(p: number, alpha: number): string {
  const digits = [2, 3, 4, 5, 6].find((count) => Number(p.toPrecision(count)) > alpha);
  return digits === undefined ? chanceText(p) : String(Number(p.toPrecision(digits)));
}
