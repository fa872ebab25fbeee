// The values of rows for statistics. If rows share few states, each value or pair of values is listed once with its
// count, otherwise row by row. The results are the same to the last digit, because sums are exact.

import type { BufferPool } from "../../kernels/buffer-pool.ts";
import type { Sides } from "../../kernels/row-sums.ts";
import type { RowValues } from "./row-values.ts";

/** The values of the selected rows in one evaluation at one measure. */
export interface RowColumn {
  readonly of: RowValues;
  /** The index of each row in `of`; -1 if the evaluation does not have the row. */
  readonly places: Int32Array;
  /** The state of each row, one more than the largest for missing rows; undefined if rows share no states. */
  readonly states: Uint16Array | undefined;
  /** The value of each row; NaN without one. Undefined if states suffice. */
  readonly values: Float64Array | undefined;
}

/** The values of one evaluation on some rows. */
export interface SideTable {
  readonly values: Float64Array;
  readonly counts: Float64Array | undefined;
  /** The number of known trials in all rows with a value. */
  readonly trials: number;
  /** The number of rows of the evaluation without a value. */
  readonly missing: number;
  /** The cluster of each value, if rows were requested one by one with clusters. */
  readonly clusterOf: Int32Array | undefined;
}

/** The values of two evaluations on the rows that both have. */
export interface PairTable {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly counts: Float64Array | undefined;
  readonly clusterOf: Int32Array | undefined;
  /** The selection index of each pair; undefined if pairs are counted. */
  readonly rows: Int32Array | undefined;
  /** The states of each pair; undefined if `rows` is present, which determines them. */
  readonly states: Sides<Int32Array> | undefined;
}

/** How to read rows. */
export interface RowChoice {
  /** The cluster of each selected row. */
  readonly clusters?: Int32Array | undefined;
  /** Whether to read row by row in digest order, for results that depend on the order. */
  readonly oneByOne?: boolean | undefined;
  /** The scratch room for columns; results are valid until it is left. */
  readonly room: BufferPool;
}

/** The values of a measure on the selected rows, given by their places. */
export function rowColumn(
  places: Int32Array,
  of: RowValues,
  { clusters, oneByOne, room }: RowChoice,
): RowColumn {
  const { stateOf, values: valueAt } = of;
  if (stateOf !== undefined && clusters === undefined && oneByOne !== true) {
    const states = room.smallIntegers(places.length);
    const absent = valueAt.length;
    for (let row = 0; row < places.length; row++) {
      const place = places[row]!;
      states[row] = place === -1 ? absent : stateOf[place]!;
    }
    return { of, places, states, values: undefined };
  }
  const values = room.floats(places.length);
  for (let row = 0; row < places.length; row++) {
    const place = places[row]!;
    if (place === -1) values[row] = Number.NaN;
    else values[row] = valueAt[stateOf === undefined ? place : stateOf[place]!]!;
  }
  return { of, places, states: undefined, values };
}

/** The values of an evaluation; `count` is the number of rows it has. */
export function sideTable(column: RowColumn, count: number, { clusters, room }: RowChoice): SideTable {
  const { of, places, states } = column;
  if (states !== undefined) return sideOfStates(of, states);
  const all = column.values!;
  const values = room.floats(count);
  const clusterOf = clusters === undefined ? undefined : new Int32Array(count);
  let n = 0;
  let trials = 0;
  for (let row = 0; row < places.length; row++) {
    const value = all[row]!;
    if (Number.isNaN(value)) continue;
    if (clusterOf !== undefined) clusterOf[n] = clusters![row]!;
    values[n++] = value;
    trials += of.known[stateAt(column, row)]!;
  }
  return {
    values: values.subarray(0, n),
    counts: undefined,
    trials,
    missing: count - n,
    clusterOf: clusterOf === undefined ? undefined : renumbered(clusterOf.subarray(0, n)),
  };
}

/** The states of pairs: where their values come from in each side's row values. */
export function pairStates(
  { rows, states }: PairTable,
  [first, second]: readonly [RowColumn, RowColumn],
  room: BufferPool,
): Sides<Int32Array> {
  return states ?? { a: statesAt(first, rows!, room), b: statesAt(second, rows!, room) };
}

function statesAt({ of: { stateOf }, places }: RowColumn, rows: Int32Array, room: BufferPool): Int32Array {
  const states = room.integers(rows.length);
  for (let pair = 0; pair < rows.length; pair++) {
    const place = places[rows[pair]!]!;
    states[pair] = stateOf === undefined ? place : stateOf[place]!;
  }
  return states;
}

function stateAt({ of: { stateOf }, places }: RowColumn, row: number): number {
  return stateOf === undefined ? places[row]! : stateOf[places[row]!]!;
}

function sideOfStates(of: RowValues, stateOf: Uint16Array): SideTable {
  const counts = new Uint32Array(of.values.length + 1);
  // Alternates counters, because with few states each row would wait for the count that the one before it wrote.
  const others = new Uint32Array(counts.length);
  const even = stateOf.length & ~1;
  for (let row = 0; row < even; row += 2) {
    counts[stateOf[row]!]!++;
    others[stateOf[row + 1]!]!++;
  }
  if (even < stateOf.length) counts[stateOf[even]!]!++;
  for (let state = 0; state < counts.length; state++) counts[state]! += others[state]!;
  let [trials, missing] = [0, 0];
  const states: number[] = [];
  for (let state = 0; state < of.values.length; state++) {
    if (counts[state] === 0) continue;
    if (Number.isNaN(of.values[state]!)) missing += counts[state]!;
    else {
      states.push(state);
      trials += of.known[state]! * counts[state]!;
    }
  }
  return {
    values: Float64Array.from(states, (state) => of.values[state]!),
    counts: Float64Array.from(states, (state) => counts[state]!),
    trials,
    missing,
    clusterOf: undefined,
  };
}

/** The pairs of two evaluations' values, on rows where both have one. */
export function pairTable(first: RowColumn, second: RowColumn, choice: RowChoice): PairTable {
  const kinds = (first.of.values.length + 1) * (second.of.values.length + 1);
  // Counting takes a look at every kind of pair.
  const few = first.states !== undefined && second.states !== undefined && kinds <= MOST_KINDS;
  return few ? countedPairs(first, second) : singlePairs(first, second, choice);
}

const MOST_KINDS = 16_384;

/** The same row by row, however few kinds of pairs there are. */
export function singlePairs(first: RowColumn, second: RowColumn, { clusters, room }: RowChoice): PairTable {
  const [x, y] = [valuesOf(first, room), valuesOf(second, room)];
  const { length } = x;
  const [a, b, rows] = [room.floats(length), room.floats(length), room.integers(length)];
  let n = 0;
  for (let row = 0; row < length; row++) {
    const valueA = x[row]!;
    const valueB = y[row]!;
    // A value that is not kept is overwritten by the next: which rows are missing is unpredictable.
    a[n] = valueA;
    b[n] = valueB;
    rows[n] = row;
    n += Number(!Number.isNaN(valueA)) & Number(!Number.isNaN(valueB));
  }
  const kept = rows.subarray(0, n);
  return {
    a: a.subarray(0, n),
    b: b.subarray(0, n),
    counts: undefined,
    clusterOf: clusters === undefined ? undefined : renumbered(kept.map((row) => clusters[row]!)),
    rows: kept,
    states: undefined,
  };
}

function valuesOf({ of, states, values }: RowColumn, room: BufferPool): Float64Array {
  if (values !== undefined) return values;
  const found = room.floats(states!.length);
  for (let row = 0; row < found.length; row++) found[row] = of.values[states![row]!] ?? Number.NaN;
  return found;
}

function countedPairs(first: RowColumn, second: RowColumn): PairTable {
  const [x, y] = [first.of.values, second.of.values];
  const width = y.length + 1;
  const cells = new Float64Array((x.length + 1) * width);
  const [statesX, statesY] = [first.states!, second.states!];
  for (let row = 0; row < statesX.length; row++) cells[statesX[row]! * width + statesY[row]!]!++;
  const [a, b, counts]: [number[], number[], number[]] = [[], [], []];
  for (let s = 0; s < x.length; s++) {
    for (let t = 0; t < y.length; t++) {
      const count = cells[s * width + t]!;
      if (count === 0 || Number.isNaN(x[s]!) || Number.isNaN(y[t]!)) continue;
      a.push(s);
      b.push(t);
      counts.push(count);
    }
  }
  return {
    a: Float64Array.from(a, (s) => x[s]!),
    b: Float64Array.from(b, (t) => y[t]!),
    counts: Float64Array.from(counts),
    clusterOf: undefined,
    rows: undefined,
    states: { a: Int32Array.from(a), b: Int32Array.from(b) },
  };
}

/** Clusters renumbered from 0 in order of appearance, without those that have no row here. */
function renumbered(clusterOf: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  return clusterOf.map((cluster) => {
    const known = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, known);
    return known;
  });
}
