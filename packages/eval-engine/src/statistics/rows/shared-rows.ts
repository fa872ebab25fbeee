// Determines which selected rows each evaluation has, and which rows two evaluations share. Computed once for all
// measures.

import type { BufferPool } from "../../kernels/buffer-pool.ts";
import { addRow, commonSize, noRows, type RowSet, sizeOf } from "../../kernels/row-set.ts";
import type { Sides } from "../../kernels/row-sums.ts";
import type { SelectedEvaluation, SelectedRows } from "./selected-rows.ts";

/** The selected rows that each evaluation has, by their places in it. */
export interface Presence {
  readonly of: readonly PresentRows[];
  /** The scratch room for lists of places, which are valid until it is left. */
  readonly room: BufferPool;
}

/** The selected rows that an evaluation has. */
export interface PresentRows {
  readonly rows: RowSet;
  readonly count: number;
  /** The lower median of their numbers of trials; undefined without rows. */
  readonly medianTrials: number | undefined;
  /** For each selected row, its place in the evaluation; -1 if it does not have the row. */
  readonly places: Int32Array;
  /** The places of the rows it has, listed on first use. */
  present(): Int32Array;
}

/** Where each evaluation has the rows of a selection, and their numbers of trials. */
interface SelectedRowIndexes extends Pick<SelectedRows, "length"> {
  readonly evaluations: readonly Pick<SelectedEvaluation, "places" | "trials">[];
}

/** Finds the selected rows that each evaluation has. */
export function presenceOf({ evaluations, length }: SelectedRowIndexes, room: BufferPool): Presence {
  return { of: evaluations.map(({ places, trials }) => presentRows(places, trials, length, room)), room };
}

// Small numbers of trials are counted in an array, the rare larger ones in a map.
const FEW_TRIALS = 64;

function presentRows(
  places: Int32Array,
  trials: ArrayLike<number>,
  length: number,
  room: BufferPool,
): PresentRows {
  const rows = noRows(length);
  const rowsByTrials = new Map<number, number>();
  const few = new Uint32Array(FEW_TRIALS);
  for (let row = 0; row < length; row++) {
    const place = places[row]!;
    if (place === -1) continue;
    addRow(rows, row);
    const count = trials[place]!;
    if (count < FEW_TRIALS) few[count]!++;
    else rowsByTrials.set(count, (rowsByTrials.get(count) ?? 0) + 1);
  }
  for (const [count, some] of few.entries()) if (some > 0) rowsByTrials.set(count, some);
  const count = sizeOf(rows);
  let present: Int32Array | undefined;
  return {
    rows,
    count,
    medianTrials: lowerMedian(rowsByTrials, count),
    places,
    present: () => {
      present ??= placesIn(places, count, room);
      return present;
    },
  };
}

function placesIn(places: Int32Array, count: number, room: BufferPool): Int32Array {
  const found = room.integers(count + 1);
  let n = 0;
  for (let row = 0; row < places.length; row++) {
    // A value that is not kept is overwritten by the next: which rows are missing is unpredictable.
    found[n] = places[row]!;
    n += Number(places[row] !== -1);
  }
  return found.subarray(0, n);
}

function lowerMedian(rowsByTrials: ReadonlyMap<number, number>, rows: number): number | undefined {
  let below = 0;
  for (const [trials, some] of [...rowsByTrials].sort(([x], [y]) => x - y)) {
    below += some;
    if (2 * below >= rows) return trials;
  }
  return undefined;
}

/** The selected rows that two evaluations share, and how many only one of them has. */
export interface SharedRows {
  readonly both: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  /** The places of the shared rows in each, side by side; listed on first use. */
  places(): Sides<Int32Array>;
}

/** Finds the selected rows that two evaluations share. */
export function sharedRows({ of, room }: Presence, baseline: number, candidate: number): SharedRows {
  const [a, b] = [of[baseline]!, of[candidate]!];
  const both = commonSize(a.rows, b.rows);
  let places: Sides<Int32Array> | undefined;
  return {
    both,
    onlyBaseline: a.count - both,
    onlyCandidate: b.count - both,
    places: () => {
      places ??= commonPlaces(a, b, both, room);
      return places;
    },
  };
}

/** The places in two evaluations, side by side, of the `both` selected rows that they share. */
function commonPlaces(a: PresentRows, b: PresentRows, both: number, room: BufferPool): Sides<Int32Array> {
  const [first, second] = [room.integers(both + 1), room.integers(both + 1)];
  let n = 0;
  for (let row = 0; row < a.places.length; row++) {
    const p = a.places[row]!;
    const q = b.places[row]!;
    first[n] = p;
    second[n] = q;
    n += Number(p !== -1) & Number(q !== -1);
  }
  return { a: first.subarray(0, n), b: second.subarray(0, n) };
}
