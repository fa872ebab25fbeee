// One measure of a candidate and the baseline, as the answer says it.

import { minimumDetectable, moments, rowsNeeded, type Verdict, verdict } from "@assay/statistics";
import type { Work } from "../work.ts";
import {
  type Difference,
  type DifferenceOptions,
  type IntervalOptions,
  pairedDifference,
  type Side,
  sideOf,
  unpairedDifference,
} from "./difference.ts";
import type { Measure } from "./measure.ts";
import type { MeasureComparison, MeasureNoise } from "./response.ts";
import { type PairTable, pairTable, type RowChoice, sideTable } from "./row-table.ts";
import type { SelectedRows } from "./selected-rows.ts";

/** How measures are looked at. */
export interface LookOptions extends IntervalOptions {
  /** Each selected row's cluster. */
  readonly clusters: Int32Array | undefined;
}

/** The rows of a pair. */
export interface SharedRows {
  readonly both: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
}

/** How many of the selected rows two evaluations share. */
export function sharedRows(
  { evaluations, length }: SelectedRows,
  baseline: number,
  candidate: number,
): SharedRows {
  const [a, b] = [evaluations[baseline]!.places, evaluations[candidate]!.places];
  let [both, onlyBaseline, onlyCandidate] = [0, 0, 0];
  for (let row = 0; row < length; row++) {
    const [inA, inB] = [a[row] !== -1, b[row] !== -1];
    if (inA && inB) both++;
    else if (inA) onlyBaseline++;
    else if (inB) onlyCandidate++;
  }
  return { both, onlyBaseline, onlyCandidate };
}

/** An evaluation at a measure. */
export function lookAtSide(
  { evaluations }: SelectedRows,
  measure: Measure,
  evaluation: number,
  options: LookOptions,
  work: Work,
): Promise<Side> {
  const table = sideTable(evaluations[evaluation]!, measure.values[evaluation]!, choiceOf(options));
  return sideOf(table, measure.kind, options, work);
}

/** A pair at a measure, before p-values are adjusted. */
export interface Look {
  readonly measure: Measure;
  readonly sides: readonly [Side, Side];
  readonly shared: SharedRows;
  readonly difference: Difference;
  /** What the trials add; undefined when it cannot be told. */
  readonly noise: Noise | undefined;
}

/** Which pair is looked at. */
export interface Pair {
  readonly baseline: number;
  readonly candidate: number;
  readonly shared: SharedRows;
  readonly sides: readonly [Side, Side];
}

/** Looks at a pair. */
export async function lookAtPair(
  { evaluations }: SelectedRows,
  measure: Measure,
  { baseline, candidate, shared, sides }: Pair,
  options: LookOptions & Pick<DifferenceOptions, "anytime">,
  work: Work,
): Promise<Look> {
  const of = { ...options, kind: measure.kind, direction: measure.direction };
  const unpaired = shared.both === 0 && shared.onlyBaseline > 0 && shared.onlyCandidate > 0;
  if (unpaired)
    return { measure, sides, shared, difference: unpairedDifference(...sides, of), noise: undefined };
  const table = pairTable(
    evaluations[baseline]!,
    evaluations[candidate]!,
    [measure.values[baseline]!, measure.values[candidate]!],
    choiceOf(options),
  );
  const difference = await pairedDifference(table, of, work);
  return {
    measure,
    sides,
    shared,
    difference,
    noise: measure.reduce === "mean" ? noiseOf(table) : undefined,
  };
}

function choiceOf({ clusters, bootstrapSeed }: LookOptions): RowChoice {
  return { clusters, oneByOne: bootstrapSeed !== undefined };
}

/** What trials add to the variance of differences. */
interface Noise {
  readonly baselineWithin: number;
  readonly candidateWithin: number;
  /** E_A/K_A + E_B/K_B. */
  readonly fromTrials: number;
  readonly flakyRows: number;
}

function noiseOf({ counts, trialsA, trialsB, withinA, withinB }: PairTable): Noise | undefined {
  const a = withinOf(withinA, trialsA, counts);
  const b = withinOf(withinB, trialsB, counts);
  if (a === undefined || b === undefined) return undefined;
  let flakyRows = 0;
  for (let i = 0; i < withinA.length; i++)
    if (withinA[i]! > 0 || withinB[i]! > 0) flakyRows += counts === undefined ? 1 : counts[i]!;
  return {
    baselineWithin: a.mean,
    candidateWithin: b.mean,
    fromTrials: a.mean * a.perTrial + b.mean * b.perTrial,
    flakyRows,
  };
}

/** The mean variance within rows that have one, and the mean of 1/K over all rows; undefined with one trial a row. */
function withinOf(
  within: Float64Array,
  trials: Float64Array,
  counts: Float64Array | undefined,
): { readonly mean: number; readonly perTrial: number } | undefined {
  const some = trials.map((k) => (k > 1 ? 1 : 0));
  const mean = moments({
    values: within.filter((_, i) => some[i] === 1),
    counts: counts?.filter((_, i) => some[i] === 1),
  }).mean;
  // A row that counts as failed without a trial is as sure as one trial makes it.
  const perTrial = moments({ values: trials.map((k) => 1 / Math.max(1, k)), counts }).mean;
  return mean === null || perTrial === null ? undefined : { mean, perTrial };
}

/** A look with its adjusted p-value, as the answer says it. */
export function comparisonOf(
  { measure, sides, shared, difference, noise }: Look,
  { adjustedP, level }: { readonly adjustedP: number | null; readonly level: number },
): MeasureComparison {
  const { interval, estimate } = difference;
  const detectable = minimumDetectable({ se: estimate?.se ?? null, df: estimate?.df ?? 1, level });
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
    reduce: measure.reduce,
    margin: measure.margin,
    baseline: sides[0].answer,
    candidate: sides[1].answer,
    paired: difference.paired,
    pairs: difference.pairs,
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
    correlation: difference.correlation,
    effect: difference.effect,
    odds: difference.odds,
    verdict: found,
    reason: reasonOf(found, difference, adjustedP, 1 - level),
    minimum_detectable: detectable,
    rows_needed: whole(needed),
    noise: noise === undefined ? null : noiseAnswer(noise, difference.variance, needed),
  };
}

function noiseAnswer(noise: Noise, variance: number | null, needed: number | null): MeasureNoise {
  const share = variance === null || variance === 0 ? null : Math.min(1, noise.fromTrials / variance);
  return {
    baseline_within: noise.baselineWithin,
    candidate_within: noise.candidateWithin,
    share_from_trials: share,
    flaky_rows: noise.flakyRows,
    // Four times the trials leave a quarter of their share.
    rows_needed_with_4x_trials: share === null || needed === null ? null : whole(needed * (1 - 0.75 * share)),
  };
}

/** Rows are whole, and at least two. */
function whole(rows: number | null): number | null {
  if (rows === null || rows > Number.MAX_SAFE_INTEGER) return null;
  return Math.max(2, Math.ceil(rows));
}

/** Why nothing was found; null when something was. */
function reasonOf(
  found: Verdict,
  { interval, unknown, p }: Difference,
  adjustedP: number | null,
  alpha: number,
): string | null {
  if (found !== "inconclusive") return null;
  if (interval === null) return unknown ?? "there is no interval";
  if (interval.low <= 0 && interval.high >= 0) return "the interval reaches to both sides of 0";
  if (p !== null && p <= alpha) return "the p-value is small alone, but not among so many";
  if (adjustedP !== null) return "the p-value is above 1 − level";
  return "the interval reaches beyond the margin";
}
