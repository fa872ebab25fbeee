// What trials add to the differences of two evaluations: whether more of them would help.

import { meanOfPart, partialMean } from "@assay/statistics";
import type { Room } from "../kernels/room.ts";
import { type PairTable, type RowColumn, statesOf } from "./row-table.ts";
import type { RowValues } from "./row-values.ts";

/** What trials add to the variance of differences. */
export interface TrialNoise {
  readonly baselineWithin: number;
  readonly candidateWithin: number;
  /** E_A/K_A + E_B/K_B. */
  readonly fromTrials: number;
  /** Rows whose trials disagree. */
  readonly flakyRows: number;
}

/** The noise of pairs; undefined when one side has one trial in every row. */
export function trialNoise(
  table: PairTable,
  sides: readonly [RowColumn, RowColumn],
  room: Room,
): TrialNoise | undefined {
  const [x, y] = [sides[0].of, sides[1].of];
  if (x.mostKnown < 2 || y.mostKnown < 2) return undefined;
  const { counts } = table;
  const [statesA, statesB] = statesOf(table, sides, room);
  const [first, second] = [withinOf(x, statesA, counts, room), withinOf(y, statesB, counts, room)];
  if (first === undefined || second === undefined) return undefined;
  let flakyRows = 0;
  for (let i = 0; i < statesA.length; i++)
    if (x.within[statesA[i]!]! > 0 || y.within[statesB[i]!]! > 0)
      flakyRows += counts === undefined ? 1 : counts[i]!;
  return {
    baselineWithin: first.mean,
    candidateWithin: second.mean,
    fromTrials: first.mean * first.perTrial + second.mean * second.perTrial,
    flakyRows,
  };
}

/** The mean variance within rows that have one, and the mean of 1/K over all rows; undefined with one trial a row. */
function withinOf(
  { within: varianceOf, known, mostKnown }: RowValues,
  states: Int32Array,
  counts: Float64Array | undefined,
  room: Room,
): { readonly mean: number; readonly perTrial: number } | undefined {
  const within = room.floats(states.length);
  const occurs = counts === undefined ? undefined : room.floats(states.length);
  const rowsByTrials = new Float64Array(mostKnown + 1);
  let n = 0;
  for (let i = 0; i < states.length; i++) {
    const state = states[i]!;
    const [trials, count] = [known[state]!, counts === undefined ? 1 : counts[i]!];
    rowsByTrials[trials]! += count;
    if (trials < 2) continue;
    if (occurs !== undefined) occurs[n] = count;
    within[n++] = varianceOf[state]!;
  }
  // A row that counts as failed without a trial is as sure as one trial makes it.
  const trials = Float64Array.from(rowsByTrials.keys(), (k) => 1 / Math.max(1, k));
  const mean = meanOfPart(partialMean({ values: within.subarray(0, n), counts: occurs?.subarray(0, n) }));
  const perTrial = meanOfPart(partialMean({ values: trials, counts: rowsByTrials }));
  return mean === null || perTrial === null ? undefined : { mean, perTrial };
}
