// How rows changed between a baseline and candidates: which way, and by how much.

import type { FieldPath } from "@assay/query-lang";
import type { Direction } from "@assay/statistics";
import type { SelectedEvaluation, SelectedRows } from "../statistics/selected-rows.ts";
import type { ChangeOrder, RowChange } from "./body.ts";
import type { ChangeCounts } from "./response.ts";
import { MEAN, rowMeans } from "./row-filters.ts";

/** What is compared. */
export interface Comparison {
  readonly path: FieldPath;
  readonly direction: Direction;
  /** By their places in the query; undefined when nothing is compared, and flaky and missing rows alone are of interest. */
  readonly baseline: number | undefined;
  readonly candidates: readonly number[];
}

// A row may have changed in several ways: one bit each.
const WORSE = 1;
const BETTER = 2;
const FLAKY = 4;
const MISSING = 8;
const EQUAL = 16;

const BITS: { readonly [Change in RowChange]: number } = {
  worse: WORSE,
  better: BETTER,
  changed: WORSE | BETTER,
  equal: EQUAL,
  flaky: FLAKY,
  missing: MISSING,
};

/** The changes of selected rows. */
export interface Changes {
  /** Whether a row changed so. */
  has(row: number, change: RowChange): boolean;
  /** How many of `rows` (all when undefined) did. */
  counts(rows: Uint32Array | undefined): ChangeCounts;
  /** What rows are ordered by, NaN last, and whether large numbers come first. */
  key(order: ChangeOrder): { readonly numbers: Float64Array; readonly descending: boolean };
}

/** How each selected row changed. Cost: a pass over the rows for each evaluation that is compared. */
export function changesOf(selection: SelectedRows, comparison: Comparison): Changes {
  const { path, baseline, candidates, direction } = comparison;
  const { length, evaluations } = selection;
  const bits = new Uint8Array(length);
  for (const e of baseline === undefined ? candidates : [baseline, ...candidates])
    markUnsettled(bits, evaluations[e]!, path);
  const gains = gainsOf(selection, comparison, direction === "lower" ? -1 : 1);
  for (const gain of gains) {
    for (let row = 0; row < length; row++) {
      if (gain[row]! < 0) bits[row]! |= WORSE;
      else if (gain[row]! > 0) bits[row]! |= BETTER;
    }
  }
  if (baseline !== undefined)
    for (let row = 0; row < length; row++)
      if ((bits[row]! & (MISSING | WORSE | BETTER)) === 0) bits[row]! |= EQUAL;
  return {
    has: (row, change) => (bits[row]! & BITS[change]) !== 0,
    counts: (rows) => countsOf(bits, rows, baseline !== undefined),
    key: (order) => keyOf(length, gains, order),
  };
}

/** Marks rows that an evaluation has no value for, and those whose trials disagree in it. */
function markUnsettled(bits: Uint8Array, evaluation: SelectedEvaluation, path: FieldPath): void {
  const { places } = evaluation;
  const { stateOf, values, within } = evaluation.values(path, MEAN);
  for (let row = 0; row < bits.length; row++) {
    const place = places[row]!;
    const state = place === -1 || stateOf === undefined ? place : stateOf[place]!;
    if (state === -1 || Number.isNaN(values[state]!)) bits[row]! |= MISSING;
    else if (within[state]! > 0) bits[row]! |= FLAKY;
  }
}

/** By how much each candidate is better than the baseline, row by row; NaN where one has no value. */
function gainsOf(
  selection: SelectedRows,
  { path, baseline, candidates }: Comparison,
  sign: number,
): readonly Float64Array[] {
  if (baseline === undefined) return [];
  const from = rowMeans(selection.evaluations[baseline]!, path);
  return candidates.map((candidate) => {
    const gain = rowMeans(selection.evaluations[candidate]!, path);
    for (let row = 0; row < gain.length; row++) gain[row] = sign * (gain[row]! - from[row]!);
    return gain;
  });
}

function countsOf(bits: Uint8Array, rows: Uint32Array | undefined, compared: boolean): ChangeCounts {
  const all = rows?.length ?? bits.length;
  const ofBits = new Uint32Array(32);
  for (let k = 0; k < all; k++) ofBits[bits[rows === undefined ? k : rows[k]!]!]!++;
  const count = (change: RowChange): number =>
    ofBits.reduce((sum, rows, bit) => ((bit & BITS[change]) === 0 ? sum : sum + rows), 0);
  const ofPair = (change: RowChange): number | null => (compared ? count(change) : null);
  return {
    all,
    worse: ofPair("worse"),
    better: ofPair("better"),
    changed: ofPair("changed"),
    equal: ofPair("equal"),
    flaky: count("flaky"),
    missing: count("missing"),
  };
}

/** Of several candidates the worst, the best or the largest difference counts. */
function keyOf(
  length: number,
  gains: readonly Float64Array[],
  order: ChangeOrder,
): { readonly numbers: Float64Array; readonly descending: boolean } {
  const numbers = new Float64Array(length).fill(Number.NaN);
  for (const gain of gains) {
    for (let row = 0; row < length; row++) {
      const number = order === "largest_first" ? Math.abs(gain[row]!) : gain[row]!;
      const known = numbers[row]!;
      const first = order === "worst_first" ? number < known : number > known;
      if (Number.isNaN(known) || first) numbers[row] = number;
    }
  }
  return { numbers, descending: order !== "worst_first" };
}
