// The contribution of trials to the differences of two evaluations, which shows whether more trials would help.

import { meanOfPart, partialMean } from "@assay/statistics/internal";
import type { BufferPool } from "../kernels/buffer-pool.ts";
import type { Sides } from "../kernels/row-sums.ts";
import { type WithinRows, withinSums } from "./rows/dyadic-rows.ts";
import type { RowValues } from "./rows/row-values.ts";

/** The contribution of trials to the variance of differences. */
export interface TrialNoise {
  readonly baselineWithin: number;
  readonly candidateWithin: number;
  /** E_A/K_A + E_B/K_B. */
  readonly fromTrials: number;
  /** The number of rows whose trials disagree. */
  readonly flakyRows: number;
}

/** Pairs of rows, by their states on each side, with the count of each. */
export interface PairStates {
  readonly states: Sides<Int32Array>;
  readonly counts: Float64Array | undefined;
}

/** The noise of pairs; undefined if one side has one trial in every row. */
export function trialNoise(
  { states, counts }: PairStates,
  sides: Sides<RowValues>,
  room: BufferPool,
): TrialNoise | undefined {
  const { a: x, b: y } = sides;
  if (x.mostKnown < 2 || y.mostKnown < 2) return undefined;
  const added =
    counts === undefined && x.scales !== undefined && y.scales !== undefined
      ? withinSums(sides, states)
      : undefined;
  if (added !== undefined) return noiseOf(added.sides, added.flakyRows);
  const { a: statesA, b: statesB } = states;
  let flakyRows = 0;
  for (let i = 0; i < statesA.length; i++)
    if (x.within[statesA[i]!]! > 0 || y.within[statesB[i]!]! > 0)
      flakyRows += counts === undefined ? 1 : counts[i]!;
  return noiseOf({ a: withinOf(x, statesA, counts, room), b: withinOf(y, statesB, counts, room) }, flakyRows);
}

function noiseOf({ a, b }: Sides<WithinRows>, flakyRows: number): TrialNoise | undefined {
  const [shareA, shareB] = [shareOfTrial(a.rowsByTrials), shareOfTrial(b.rowsByTrials)];
  if (a.mean === null || b.mean === null || shareA === null || shareB === null) return undefined;
  return {
    baselineWithin: a.mean,
    candidateWithin: b.mean,
    fromTrials: a.mean * shareA + b.mean * shareB,
    flakyRows,
  };
}

/** The mean of 1/K over rows, given the number of rows with K trials. */
function shareOfTrial(rowsByTrials: Float64Array): number | null {
  // A row that counts as failed without a trial is weighted like a row with one trial.
  const shares = Float64Array.from(rowsByTrials.keys(), (k) => 1 / Math.max(1, k));
  return meanOfPart(partialMean({ values: shares, counts: rowsByTrials }));
}

function withinOf(
  { within: varianceOf, known, mostKnown }: RowValues,
  states: Int32Array,
  counts: Float64Array | undefined,
  room: BufferPool,
): WithinRows {
  const within = room.floats(states.length);
  const occurs = counts === undefined ? undefined : room.floats(states.length);
  const rowsByTrials = new Float64Array(mostKnown + 1);
  let n = 0;
  for (let i = 0; i < states.length; i++) {
    const state = states[i]!;
    const trials = known[state]!;
    const count = counts === undefined ? 1 : counts[i]!;
    rowsByTrials[trials]! += count;
    if (trials < 2) continue;
    if (occurs !== undefined) occurs[n] = count;
    within[n++] = varianceOf[state]!;
  }
  const sample = { values: within.subarray(0, n), counts: occurs?.subarray(0, n) };
  return { mean: meanOfPart(partialMean(sample)), rowsByTrials };
}
