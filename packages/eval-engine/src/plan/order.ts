// The order of rows (docs/reference/semantics.md, "Sorting"), and the page of it. A page needs no full sort, only a
// heap of its size.

import { compareText } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { addExactly, clearTotal, meanOf, newTotal, type Total } from "@assay/statistics/exact";
import { isHeapCheaper, topRows } from "../kernels/sorting/top-rows.ts";
import { chunked, type Work } from "../kernels/work.ts";
import { fieldAt } from "../query/field.ts";
import type { SortKey } from "../query/request.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import type { Segment } from "../segment/segment.ts";
import { frameNumbers, type NumberOf } from "./derived/sort-key-columns.ts";
import type { ReadySegment } from "./derived/value-columns.ts";
import { ABSENT } from "./frame/frame.ts";
import { evaluationsOf, type Prepared } from "./prepare.ts";
import { countRows, type Selection } from "./select-rows.ts";
import { topRowsCacheOf, topRowsLength, topRowsOf } from "./top-rows-cache.ts";

/** The sort values of a frame's rows for one key: numbers come before texts, texts before missing. */
interface RowKeys {
  /** NaN if the row has no number. */
  readonly numbers: Float64Array;
  /** The row's text, only called for rows without a number; null if missing. */
  readonly text: (row: number) => string | null;
  readonly descending: boolean;
}

/** The page's rows in order, and how they were found. */
export interface PlannedPage {
  readonly rows: Uint32Array;
  /** As in `Explanation`. */
  readonly order: "digest" | "kept" | "heap" | "sort" | "none";
}

/** Cuts the page from the selected rows. */
export async function page(
  prepared: Prepared,
  selection: Selection | undefined,
  work: Work,
): Promise<PlannedPage> {
  const { query, frame } = prepared;
  const count = countRows(frame, selection);
  const from = Math.min(query.offset, count);
  const to = query.limit === null ? count : Math.min(count, query.offset + query.limit);
  if (from >= to) return NO_PAGE;
  if (query.sortBy.length === 0) {
    const rows = selection?.rows.subarray(from, to) ?? new Uint32Array(to - from).map((_, i) => from + i);
    return { rows, order: "digest" };
  }
  const head = topRowsCacheOf(frame, JSON.stringify(query.sortBy));
  const known = topRowsOf(head, selection, to);
  if (known !== undefined) return { rows: known.subarray(from, to), order: "kept" };

  const keys = await keysOf(prepared, work);
  const first = (wanted: number, among: Selection | undefined): Promise<Uint32Array> =>
    topRows(frame.length, among?.rows, wanted, keys[0]!, comparator(keys), work);
  if (++head.asked > 1 && to <= topRowsLength(frame))
    head.rows ??= await first(topRowsLength(frame), undefined);
  const top = await first(to, selection);
  return { rows: top.subarray(from, to), order: isHeapCheaper(to, count) ? "heap" : "sort" };
}

/** A page without rows. */
export const NO_PAGE: PlannedPage = { rows: new Uint32Array(0), order: "none" };

async function keysOf(prepared: Prepared, work: Work): Promise<RowKeys[]> {
  const keys: RowKeys[] = [];
  for (const key of prepared.query.sortBy) {
    keys.push({ ...(await valuesOf(prepared, key, work)), descending: key.descending });
  }
  return keys;
}

/** Compares rows by all keys, then by digest, which is the order of a frame's row numbers. */
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
  const x = numbers[a]!;
  const y = numbers[b]!;
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

// The number of rows checked between two checks of the time, and the work of one in array items touched.
const ROWS_AT_ONCE = 16_384;
const ROW_COST = 8;

const NO_TEXT = (): null => null;

/** Sort values of rows without a number. */
type KeyValues = Omit<RowKeys, "descending">;

const FIRST_VALUES: DerivedKey<KeyValues> = {};

/** A key's values for every row. */
async function valuesOf(prepared: Prepared, key: SortKey, work: Work): Promise<KeyValues> {
  const { query, frame } = prepared;
  const { path } = key;
  const field = fieldAt(path);
  if (key.difference) {
    const numbers = await frameNumbers(frame, `spread ${field.key}`, () => spreadOf(prepared, key), work);
    return { numbers, text: NO_TEXT };
  }
  const evaluations = evaluationsOf(query, key);
  const ofScores = field.of === "scores";
  const name = JSON.stringify([path, key.evaluation]);
  if (ofScores && evaluations.some((e) => hasNumber(prepared.segments[e]!, path))) {
    const numbers = await frameNumbers(
      frame,
      `mean ${name}`,
      () => meanOfRow(prepared, evaluations, key),
      work,
    );
    return { numbers, text: NO_TEXT };
  }
  return frame.memo.keptLater(FIRST_VALUES, name, () =>
    firstValues(prepared, { evaluations, path }, !ofScores, work),
  );
}

function hasNumber({ segment, column }: ReadySegment, path: FieldPath): boolean {
  const numbers = column(path).values.numbers.array;
  const rowOf = segment.parts.rowOf.array;
  for (let i = 0; i < segment.trials; i++) if (!Number.isNaN(numbers[i]!) && rowOf[i] !== -1) return true;
  return false;
}

/** A row's mean over all its trials in `evaluations`. */
function meanOfRow(
  { frame, segments, means: known }: Prepared,
  evaluations: readonly number[],
  key: SortKey,
): NumberOf {
  const [only] = evaluations;
  if (evaluations.length === 1) {
    const means = known.get(key)!.get(only!)!;
    const rowIn = frame.rowIn[only!]!;
    return (row) => (rowIn[row] === ABSENT ? Number.NaN : means[rowIn[row]!]!);
  }
  const numbers = evaluations.map((e) => segments[e]!.column(key.path).values.numbers.array);
  const total = newTotal();
  return (row) => {
    clearTotal(total);
    for (let k = 0; k < evaluations.length; k++) {
      const own = frame.rowIn[evaluations[k]!]![row]!;
      if (own !== ABSENT) addTrials(total, frame.segments[evaluations[k]!]!, own, numbers[k]!);
    }
    return meanOf(total);
  };
}

function addTrials(total: Total, { parts }: Segment, row: number, numbers: Float64Array): void {
  const { firstTrial, next } = parts;
  for (let i = firstTrial.array[row]!; i !== -1; i = next.array[i]!) {
    if (!Number.isNaN(numbers[i]!)) addExactly(total, numbers[i]!);
  }
}

/** A row's spread: the largest minus the smallest of the evaluations' means; NaN for fewer than two. */
function spreadOf({ frame: { segments, rowIn }, means: known }: Prepared, key: SortKey): NumberOf {
  const means = segments.map((_, e) => known.get(key)!.get(e)!);
  return (row) => {
    // One by one, without a list, which would be allocated for each row until this code is compiled.
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let count = 0;
    for (let e = 0; e < means.length; e++) {
      const own = rowIn[e]![row]!;
      const mean = own === ABSENT ? Number.NaN : means[e]![own]!;
      if (Number.isNaN(mean)) continue;
      count++;
      if (mean < low) low = mean;
      if (mean > high) high = mean;
    }
    return count < 2 ? Number.NaN : high - low;
  };
}

/** Each row's value at its first trial in the first of `evaluations` that has the row. */
async function firstValues(
  { frame, segments }: Prepared,
  { evaluations, path }: { readonly evaluations: readonly number[]; readonly path: FieldPath },
  numeric: boolean,
  work: Work,
): Promise<KeyValues> {
  const numbers = new Float64Array(frame.length).fill(Number.NaN);
  const source = new Int16Array(frame.length).fill(-1);
  const item = new Int32Array(frame.length);
  const columns = evaluations.map((e) => segments[e]!.column(path).values);
  const perExample = fieldAt(path).domain === "examples";
  for (let k = evaluations.length - 1; k >= 0; k--) {
    const { firstTrial, exampleOf } = frame.segments[evaluations[k]!]!.parts;
    const rowIn = frame.rowIn[evaluations[k]!]!;
    const own = columns[k]!.numbers.array;
    await chunked(work, { length: frame.length, slice: ROWS_AT_ONCE }, (from, to) => {
      for (let row = from; row < to; row++) {
        if (rowIn[row] === ABSENT) continue;
        const first = firstTrial.array[rowIn[row]!]!;
        const at = perExample ? exampleOf.array[first]! : first;
        source[row] = k;
        item[row] = at;
        numbers[row] = numeric ? own[at]! : Number.NaN;
      }
      return (to - from) * ROW_COST;
    });
  }
  return {
    numbers,
    text: (row) => (source[row] === -1 ? null : columns[source[row]!]!.text(item[row]!)),
  };
}
