// Which of the selected rows evaluations have, and which of them two share: found once, whatever is measured on them.

import { addRow, commonSize, noRows, type RowSet, sizeOf } from "../kernels/row-set.ts";
import type { SelectedRows } from "./selected-rows.ts";

/** Of each evaluation, by its place: the selected rows that it has. */
export type Presence = readonly PresentRows[];

/** The selected rows that an evaluation has. */
interface PresentRows {
  readonly rows: RowSet;
  readonly count: number;
  /** The lower median of how many trials they have; undefined when there is none. */
  readonly medianTrials: number | undefined;
}

/** Which of the selected rows each evaluation has. */
export function presenceOf({ evaluations, length }: SelectedRows): Presence {
  return evaluations.map(({ places, trials }) => presentRows(places, trials, length));
}

// Rows with fewer trials are counted in an array, the rare others in a map.
const FEW_TRIALS = 64;

function presentRows(places: Int32Array, trials: ArrayLike<number>, length: number): PresentRows {
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
  return { rows, count, medianTrials: lowerMedian(rowsByTrials, count) };
}

function lowerMedian(rowsByTrials: ReadonlyMap<number, number>, rows: number): number | undefined {
  let below = 0;
  for (const [trials, some] of [...rowsByTrials].sort(([x], [y]) => x - y)) {
    below += some;
    if (2 * below >= rows) return trials;
  }
  return undefined;
}

/** How many of the selected rows two evaluations have. */
export interface SharedRows {
  readonly both: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
}

/** How many of the selected rows two evaluations share. */
export function sharedRows(presence: Presence, baseline: number, candidate: number): SharedRows {
  const [a, b] = [presence[baseline]!, presence[candidate]!];
  const both = commonSize(a.rows, b.rows);
  return { both, onlyBaseline: a.count - both, onlyCandidate: b.count - both };
}
