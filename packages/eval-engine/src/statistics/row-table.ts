// The values of rows as statistics take them: each value, or each pair of values, once with how often it occurs where
// rows share few states, and row by row where not. The digits are the same either way, because sums are exact.

import type { RowValues, SelectedEvaluation } from "./selected-rows.ts";

/** The values of one evaluation on some rows. */
export interface SideTable {
  readonly values: Float64Array;
  readonly counts: Float64Array | undefined;
  /** Known trials in all rows with a value. */
  readonly trials: number;
  /** Rows of the evaluation without a value. */
  readonly missing: number;
  /** The cluster of each value, when rows were asked for one by one with clusters. */
  readonly clusterOf: Int32Array | undefined;
}

/** The values of two evaluations on the rows that both have. */
export interface PairTable {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly counts: Float64Array | undefined;
  /** Trials and their variance within a row: of each side, by place in `a` and `b`. */
  readonly trialsA: Float64Array;
  readonly trialsB: Float64Array;
  readonly withinA: Float64Array;
  readonly withinB: Float64Array;
  readonly clusterOf: Int32Array | undefined;
}

/** How rows are taken. */
export interface RowChoice {
  /** The rows, as places in the selection, ascending; all when undefined. */
  readonly rows?: Int32Array | undefined;
  /** Each selected row's cluster. */
  readonly clusters?: Int32Array | undefined;
  /** Row by row in digest order, for what depends on the order. */
  readonly oneByOne?: boolean | undefined;
}

// Past so many kinds of pairs counting them costs more than it saves.
const MOST_STATES = 65_536;

/** The values of an evaluation. */
export function sideTable(
  { places }: SelectedEvaluation,
  of: RowValues,
  { rows, clusters, oneByOne }: RowChoice = {},
): SideTable {
  const length = rows?.length ?? places.length;
  if (of.stateOf !== undefined && clusters === undefined && oneByOne !== true) {
    const counts = new Float64Array(of.values.length);
    for (let k = 0; k < length; k++) {
      const place = places[rows === undefined ? k : rows[k]!]!;
      if (place !== -1) counts[of.stateOf[place]!]!++;
    }
    return sideOfCounts(of, counts);
  }
  const values = new Float64Array(length);
  const clusterOf = clusters === undefined ? undefined : new Int32Array(length);
  let [n, trials, missing] = [0, 0, 0];
  for (let k = 0; k < length; k++) {
    const row = rows === undefined ? k : rows[k]!;
    const place = places[row]!;
    if (place === -1) continue;
    const state = of.stateOf === undefined ? place : of.stateOf[place]!;
    const value = of.values[state]!;
    if (Number.isNaN(value)) {
      missing++;
      continue;
    }
    if (clusterOf !== undefined) clusterOf[n] = clusters![row]!;
    values[n++] = value;
    trials += of.known[state]!;
  }
  return {
    values: values.subarray(0, n),
    counts: undefined,
    trials,
    missing,
    clusterOf: clusterOf === undefined ? undefined : renumbered(clusterOf.subarray(0, n)),
  };
}

function sideOfCounts(of: RowValues, counts: Float64Array): SideTable {
  let [trials, missing] = [0, 0];
  const states: number[] = [];
  for (let state = 0; state < counts.length; state++) {
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
export function pairTable(
  first: SelectedEvaluation,
  second: SelectedEvaluation,
  of: readonly [RowValues, RowValues],
  { rows, clusters, oneByOne }: RowChoice = {},
): PairTable {
  const [x, y] = of;
  const width = y.values.length;
  const few = x.stateOf !== undefined && y.stateOf !== undefined && x.values.length * width <= MOST_STATES;
  const length = rows?.length ?? first.places.length;
  if (few && clusters === undefined && oneByOne !== true) {
    const counts = new Float64Array(x.values.length * width);
    const [stateOfX, stateOfY] = [x.stateOf, y.stateOf];
    for (let k = 0; k < length; k++) {
      const row = rows === undefined ? k : rows[k]!;
      const [p, q] = [first.places[row]!, second.places[row]!];
      if (p !== -1 && q !== -1) counts[stateOfX[p]! * width + stateOfY[q]!]!++;
    }
    return pairsOfCounts(x, y, counts);
  }
  const [statesX, statesY] = [new Int32Array(length), new Int32Array(length)];
  const clusterOf = clusters === undefined ? undefined : new Int32Array(length);
  let n = 0;
  for (let k = 0; k < length; k++) {
    const row = rows === undefined ? k : rows[k]!;
    const [p, q] = [first.places[row]!, second.places[row]!];
    if (p === -1 || q === -1) continue;
    const s = x.stateOf === undefined ? p : x.stateOf[p]!;
    const t = y.stateOf === undefined ? q : y.stateOf[q]!;
    if (Number.isNaN(x.values[s]!) || Number.isNaN(y.values[t]!)) continue;
    if (clusterOf !== undefined) clusterOf[n] = clusters![row]!;
    statesX[n] = s;
    statesY[n++] = t;
  }
  return {
    ...pairsOfStates(x, y, statesX.subarray(0, n), statesY.subarray(0, n)),
    counts: undefined,
    clusterOf: clusterOf === undefined ? undefined : renumbered(clusterOf.subarray(0, n)),
  };
}

function pairsOfCounts(x: RowValues, y: RowValues, counts: Float64Array): PairTable {
  const width = y.values.length;
  const [statesX, statesY]: [number[], number[]] = [[], []];
  const found: number[] = [];
  for (let cell = 0; cell < counts.length; cell++) {
    if (counts[cell] === 0) continue;
    const [s, t] = [Math.floor(cell / width), cell % width];
    if (Number.isNaN(x.values[s]!) || Number.isNaN(y.values[t]!)) continue;
    statesX.push(s);
    statesY.push(t);
    found.push(counts[cell]!);
  }
  return {
    ...pairsOfStates(x, y, Int32Array.from(statesX), Int32Array.from(statesY)),
    counts: Float64Array.from(found),
    clusterOf: undefined,
  };
}

function pairsOfStates(
  x: RowValues,
  y: RowValues,
  s: Int32Array,
  t: Int32Array,
): Omit<PairTable, "counts" | "clusterOf"> {
  return {
    a: taken(x.values, s),
    b: taken(y.values, t),
    trialsA: taken(x.known, s),
    trialsB: taken(y.known, t),
    withinA: taken(x.within, s),
    withinB: taken(y.within, t),
  };
}

function taken(from: Float64Array | Uint32Array, states: Int32Array): Float64Array {
  const found = new Float64Array(states.length);
  for (let i = 0; i < states.length; i++) found[i] = from[states[i]!]!;
  return found;
}

/** Clusters numbered from 0 on, as they first appear: those that have no row here have no number. */
function renumbered(clusterOf: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  return clusterOf.map((cluster) => {
    const known = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, known);
    return known;
  });
}
