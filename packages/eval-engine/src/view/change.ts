// How rows changed between a baseline and candidates: in which direction, and by how much.

import type { FieldPath } from "@assay/query-lang";
import type { Direction } from "@assay/statistics";
import { rowDifference } from "../statistics/rows/row-difference.ts";
import type { SelectedEvaluation, SelectedRows } from "../statistics/rows/selected-rows.ts";
import type { ChangeOrder, RowChange } from "./wire/body.ts";
import type { ChangeCounts } from "./wire/response.ts";
import { MEAN } from "./wire/row-filters.ts";

/** What to compare. */
export interface Comparison {
  readonly path: FieldPath;
  /** Null if unknown: rows are then neither worse nor better. */
  readonly direction: Direction | null;
  /** Their indexes in the query; undefined if nothing is compared: rows are ordered by their values. */
  readonly baseline: number | undefined;
  readonly candidates: readonly number[];
}

// How a row changed, one bit each, since a row may have changed in several ways.
const WORSE = 1;
const BETTER = 2;
const FLAKY = 4;
const MISSING = 8;
const EQUAL = 16;
/** Neither worse nor better, if the measure has no direction. */
const MOVED = 32;
const KINDS = 64;

/** The bits of a row from its marks: equal if neither missing nor moved. */
const WITH_EQUAL = Uint8Array.from({ length: KINDS }, (_, bits) =>
  (bits & (MISSING | WORSE | BETTER | MOVED)) === 0 ? bits | EQUAL : bits,
);

const BITS: { readonly [Change in RowChange]: number } = {
  worse: WORSE,
  better: BETTER,
  changed: WORSE | BETTER | MOVED,
  equal: EQUAL,
  flaky: FLAKY,
  missing: MISSING,
};

/** The changes of selected rows. */
export interface Changes {
  /** Whether a row changed in this way. */
  has(row: number, change: RowChange): boolean;
  /** How many of `rows` (all if undefined) changed in this way. */
  counts(rows: Uint32Array | undefined): ChangeCounts;
  /** The sort values of rows, NaN last, and whether large numbers come first. */
  key(order: ChangeOrder): { readonly numbers: Float64Array; readonly descending: boolean };
}

/** How each selected row changed. Takes a pass over the rows for each compared evaluation. */
export function changesOf(selection: SelectedRows, comparison: Comparison): Changes {
  const { path, baseline, candidates, direction } = comparison;
  const { length, evaluations } = selection;
  const bits = new Uint8Array(length);
  const from = baseline === undefined ? undefined : markedMeans(bits, evaluations[baseline]!, path);
  const gains: Float64Array[] = [];
  for (const candidate of candidates) {
    const means = markedMeans(bits, evaluations[candidate]!, path);
    gains.push(markedGain(bits, means, from, direction));
  }
  if (baseline !== undefined) for (let row = 0; row < length; row++) bits[row] = WITH_EQUAL[bits[row]!]!;
  return {
    has: (row, change) => (bits[row]! & BITS[change]) !== 0,
    counts: (rows) => countsOf(bits, rows, baseline !== undefined),
    // Without a direction there is no worst change: rows that moved most come first.
    key: (order) =>
      keyOf(length, gains, direction === null && baseline !== undefined ? "largest_first" : order),
  };
}

/**
 * The value of each row in an evaluation; NaN for none. It also marks rows without a value and rows whose trials
 * disagree in the same pass, because looking up values takes most of the time. Marks are looked up, not branched on,
 * because they are unpredictable.
 */
function markedMeans(bits: Uint8Array, evaluation: SelectedEvaluation, path: FieldPath): Float64Array {
  const { places } = evaluation;
  const { stateOf, values, within } = evaluation.values(path, MEAN);
  const marks = new Uint8Array(values.length);
  for (let state = 0; state < marks.length; state++)
    marks[state] = Number.isNaN(values[state]!) ? MISSING : within[state]! > 0 ? FLAKY : 0;
  const means = new Float64Array(bits.length);
  for (let row = 0; row < bits.length; row++) {
    const place = places[row]!;
    if (place === -1) {
      means[row] = Number.NaN;
      bits[row]! |= MISSING;
      continue;
    }
    const state = stateOf === undefined ? place : stateOf[place]!;
    means[row] = values[state]!;
    bits[row]! |= marks[state]!;
  }
  return means;
}

/**
 * Turns the values of a candidate into improvements over the baseline, and marks rows accordingly; without a baseline,
 * turns values of which lower ones are better into their negatives.
 */
function markedGain(
  bits: Uint8Array,
  means: Float64Array,
  from: Float64Array | undefined,
  direction: Direction | null,
): Float64Array {
  const sign = direction === "lower" ? -1 : 1;
  if (from === undefined) return means.map((mean) => sign * mean);
  const [less, more] = direction === null ? [MOVED, MOVED] : [WORSE, BETTER];
  for (let row = 0; row < means.length; row++) {
    const gain = sign * rowDifference(from[row]!, means[row]!);
    means[row] = gain;
    bits[row]! |= Number(gain < 0) * less + Number(gain > 0) * more;
  }
  return means;
}

function countsOf(bits: Uint8Array, rows: Uint32Array | undefined, compared: boolean): ChangeCounts {
  const all = rows?.length ?? bits.length;
  const ofBits = new Uint32Array(KINDS);
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

/** Of several candidates, the worst, the best or the largest difference, or value, counts. */
function keyOf(
  length: number,
  gains: readonly Float64Array[],
  order: ChangeOrder,
): { readonly numbers: Float64Array; readonly descending: boolean } {
  const [only] = gains;
  if (only !== undefined && gains.length === 1 && order !== "largest_first")
    return { numbers: only, descending: order !== "worst_first" };
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
