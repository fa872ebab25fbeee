// The order of rows (SEMANTICS §3), and the page cut from it. A page needs no full sort: a heap of its size does.

import { compareText, type FieldPath } from "@assay/query-lang";
import { ABSENT, type Frame } from "../frame.ts";
import { topRows } from "../kernels/top-rows.ts";
import { addExactly, newTotal, type Total, totalOf } from "../kernels/total.ts";
import type { EvalQuery, SortKey } from "../request.ts";
import { columnOf, domainOf } from "../value-columns.ts";
import type { Work } from "../work.ts";
import { countRows, type Selection } from "./select.ts";

/** What each row of a frame is sorted by under one key: numbers come before texts, texts before missing. */
interface RowKeys {
  /** NaN when the row has no number. */
  readonly numbers: Float64Array;
  /** The row's text, asked only of rows without a number; null when missing. */
  readonly text: (row: number) => string | null;
  readonly descending: boolean;
}

/** The rows of the page, in order. */
export async function page(
  query: EvalQuery,
  frame: Frame,
  selection: Selection,
  work: Work,
): Promise<Uint32Array> {
  const rows = countRows(frame, selection);
  const from = Math.min(query.offset, rows);
  const to = query.limit === null ? rows : Math.min(rows, query.offset + query.limit);
  if (from >= to) return new Uint32Array(0);
  if (query.sortBy.length === 0)
    return selection?.subarray(from, to) ?? new Uint32Array(to - from).map((_, i) => from + i);
  const keys: RowKeys[] = [];
  for (const key of query.sortBy) {
    keys.push(rowKeys(query, frame, key));
    const pause = work.spend(frame.length * frame.segments.length * 2);
    if (pause !== undefined) await pause;
  }
  return topRows(frame.length, selection, to, keys[0]!, comparator(keys)).subarray(from, to);
}

/** Rows by all keys, then by digest, which a frame's row numbers follow. */
function comparator(keys: readonly RowKeys[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compareByKey(key, a, b);
      if (order !== 0) return order;
    }
    return a - b;
  };
}

function compareByKey({ numbers, text, descending }: RowKeys, a: number, b: number): number {
  const [x, y] = [numbers[a]!, numbers[b]!];
  if (x < y) return descending ? 1 : -1;
  if (x > y) return descending ? -1 : 1;
  if (x === y) return 0;
  if (!Number.isNaN(x)) return -1;
  if (!Number.isNaN(y)) return 1;
  const [s, t] = [text(a), text(b)];
  if (s === null || t === null) return s === t ? 0 : s === null ? 1 : -1;
  const order = compareText(s, t);
  return descending ? -order : order;
}

const NO_TEXT = (): null => null;

/** A key's values for every row, kept with the frame. */
function rowKeys(query: EvalQuery, frame: Frame, key: SortKey): RowKeys {
  const name = `order ${JSON.stringify([key.path, key.difference, key.difference ? null : key.evaluation])}`;
  let values = frame.computed.get(name) as Omit<RowKeys, "descending"> | undefined;
  if (values === undefined) {
    values = computeKeys(query, frame, key);
    frame.computed.set(name, values);
  }
  return { ...values, descending: key.descending };
}

function computeKeys(query: EvalQuery, frame: Frame, key: SortKey): Omit<RowKeys, "descending"> {
  if (key.difference) return { numbers: spreads(frame, key.path), text: NO_TEXT };
  const evaluations = query.evaluations
    .map((_, e) => e)
    .filter((e) => key.evaluation === null || query.evaluations[e] === key.evaluation);
  if (key.path[0] !== "scores") return firstValues(frame, evaluations, key.path, true);
  const numeric = evaluations.some((e) => hasNumber(frame, e, key.path));
  return numeric
    ? { numbers: means(frame, evaluations, key.path), text: NO_TEXT }
    : firstValues(frame, evaluations, key.path, false);
}

function hasNumber(frame: Frame, e: number, path: FieldPath): boolean {
  const { trials, parts } = frame.segments[e]!;
  const numbers = columnOf(frame.segments[e]!, path).values.numbers.array;
  const rowOf = parts.rowOf.array;
  for (let i = 0; i < trials; i++) if (!Number.isNaN(numbers[i]!) && rowOf[i] !== -1) return true;
  return false;
}

/** Each row's mean over all its trials in `evaluations`. */
function means(frame: Frame, evaluations: readonly number[], path: FieldPath): Float64Array {
  if (evaluations.length === 1)
    return inRowOrder(frame, evaluations[0]!, rowMeans(frame, evaluations[0]!, path));
  const numbers = evaluations.map((e) => columnOf(frame.segments[e]!, path).values.numbers.array);
  const total = newTotal();
  return new Float64Array(frame.length).map((_, row) => {
    total.clear();
    for (let k = 0; k < evaluations.length; k++) {
      const own = frame.rowIn[evaluations[k]!]![row]!;
      if (own !== ABSENT) addTrials(total, frame, evaluations[k]!, own, numbers[k]!);
    }
    return total.count === 0 ? Number.NaN : totalOf(total) / total.count;
  });
}

/** Each of a segment's rows' mean; NaN without a number. Kept with the segment. */
function rowMeans(frame: Frame, e: number, path: FieldPath): Float64Array {
  const segment = frame.segments[e]!;
  const name = `means ${JSON.stringify(path)}`;
  const known = segment.computed.get(name) as Float64Array | undefined;
  if (known !== undefined) return known;
  const numbers = columnOf(segment, path).values.numbers.array;
  const { firstTrial, next } = segment.parts;
  const total = newTotal();
  const found = new Float64Array(segment.rows).map((_, row) => {
    const first = firstTrial.array[row]!;
    if (first === -1) return Number.NaN;
    // Most rows have one trial: its number is the mean.
    if (next.array[first] === -1) return numbers[first]!;
    total.clear();
    addTrials(total, frame, e, row, numbers);
    return total.count === 0 ? Number.NaN : totalOf(total) / total.count;
  });
  segment.computed.set(name, found);
  return found;
}

function addTrials(total: Total, frame: Frame, e: number, row: number, numbers: Float64Array): void {
  const { firstTrial, next } = frame.segments[e]!.parts;
  for (let i = firstTrial.array[row]!; i !== -1; i = next.array[i]!) {
    if (!Number.isNaN(numbers[i]!)) addExactly(total, numbers[i]!);
  }
}

function inRowOrder(frame: Frame, e: number, values: Float64Array): Float64Array {
  const rowIn = frame.rowIn[e]!;
  const ordered = new Float64Array(frame.length);
  for (let row = 0; row < ordered.length; row++) {
    const own = rowIn[row]!;
    ordered[row] = own === ABSENT ? Number.NaN : values[own]!;
  }
  return ordered;
}

/** Each row's spread: the largest less the smallest mean of the evaluations that have one; NaN with fewer than two. */
function spreads(frame: Frame, path: FieldPath): Float64Array {
  const low = new Float64Array(frame.length).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(frame.length).fill(Number.NEGATIVE_INFINITY);
  const count = new Uint16Array(frame.length);
  for (let e = 0; e < frame.segments.length; e++) {
    const means = rowMeans(frame, e, path);
    const rowIn = frame.rowIn[e]!;
    for (let row = 0; row < frame.length; row++) {
      const own = rowIn[row]!;
      if (own === ABSENT) continue;
      const mean = means[own]!;
      if (Number.isNaN(mean)) continue;
      count[row]!++;
      if (mean < low[row]!) low[row] = mean;
      if (mean > high[row]!) high[row] = mean;
    }
  }
  for (let row = 0; row < frame.length; row++)
    high[row] = count[row]! < 2 ? Number.NaN : high[row]! - low[row]!;
  return high;
}

/** Each row's value at its first trial in the first of `evaluations` that has the row. */
function firstValues(
  frame: Frame,
  evaluations: readonly number[],
  path: FieldPath,
  numeric: boolean,
): Omit<RowKeys, "descending"> {
  const numbers = new Float64Array(frame.length).fill(Number.NaN);
  const source = new Int16Array(frame.length).fill(-1);
  const item = new Int32Array(frame.length);
  const columns = evaluations.map((e) => columnOf(frame.segments[e]!, path).values);
  const perExample = domainOf(path) === "examples";
  for (let k = evaluations.length - 1; k >= 0; k--) {
    const { firstTrial, exampleOf } = frame.segments[evaluations[k]!]!.parts;
    const rowIn = frame.rowIn[evaluations[k]!]!;
    const own = columns[k]!.numbers.array;
    for (let row = 0; row < frame.length; row++) {
      if (rowIn[row] === ABSENT) continue;
      const first = firstTrial.array[rowIn[row]!]!;
      const at = perExample ? exampleOf.array[first]! : first;
      source[row] = k;
      item[row] = at;
      numbers[row] = numeric ? own[at]! : Number.NaN;
    }
  }
  return {
    numbers,
    text: (row) => (source[row] === -1 ? null : columns[source[row]!]!.text(item[row]!)),
  };
}
