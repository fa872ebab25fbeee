// Groups of rows: by the values of a field, a measure or a difference. Every row is in exactly one group, and each
// group has the filter that selects exactly its rows.

import { ok, type Result } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { Json } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import { benjaminiHochberg, moments } from "@assay/statistics";
import { BufferPool } from "../kernels/buffer-pool.ts";
import type { Work } from "../kernels/work.ts";
import {
  differencesOf as differences,
  momentsOfDifferences,
  type PairValues,
  pairedDifference,
} from "../statistics/differences/difference.ts";
import { type Measure, measuresOf } from "../statistics/measure.ts";
import type { RowValues } from "../statistics/rows/row-values.ts";
import type { SelectedRows } from "../statistics/rows/selected-rows.ts";
import { DEFAULTS } from "../statistics/wire/limits.ts";
import { publishedFilter } from "./published-filter.ts";
import { rangesOf } from "./ranges.ts";
import type { RowGroupsRequest } from "./wire/read-body.ts";
import type { GroupDifference, GroupMean, RowGroupResult, RowGroupsResults } from "./wire/response.ts";
import { numbersOf, rowsWith } from "./wire/row-filters.ts";

/** The most values with a group each; the rows of all others form one group. */
const MOST_VALUES = 50;

/** A group before its rows are evaluated. */
type Kind = Pick<RowGroupResult, "label" | "kind" | "value" | "low" | "high"> & {
  /** The conditions of its row filter. */
  readonly conditions: object;
};

/** Groups, with the group of each row. */
interface Grouping {
  readonly kinds: readonly Kind[];
  readonly groupOf: (row: number) => number;
}

/** A measure, with the value of each selected row by evaluation. */
interface MeasureColumns {
  readonly measure: Measure;
  readonly columns: readonly Column[];
}

/** The row values of an evaluation, and the index of each selected row in them; -1 if missing. */
interface Column {
  readonly places: Int32Array;
  readonly of: RowValues;
}

/** Answers with groups of the selected rows. */
export async function rowGroups(
  selection: SelectedRows,
  request: RowGroupsRequest,
  work: Work,
): Promise<Result<RowGroupsResults>> {
  const measures = measuresOf(selection, request.measures, { missing: "exclude", kept: request.kept });
  if (!measures.ok) return measures;
  const all =
    rowsWith(selection, request.conditions) ?? new Uint32Array(selection.length).map((_, row) => row);
  const { kinds, groupOf } = groupingOf(selection, all, request);
  const rowsOf = partition(all, kinds.length, groupOf);
  const pause = work.spend(all.length * ROW_COST);
  if (pause !== undefined) await pause;

  const columns = measures.value.map(
    (measure): MeasureColumns => ({
      measure,
      columns: measure.values.map((of, e) => ({ of, places: selection.evaluations[e]!.places })),
    }),
  );
  const changes = await differencesOf(columns, rowsOf, request, work);
  const { field, evaluation_call_id, baseline } = request.by.asked;
  const about = {
    field,
    ...(evaluation_call_id != null && { evaluation_call_id }),
    ...(baseline != null && { baseline }),
  };
  const groups: RowGroupResult[] = [];
  for (const [g, { conditions, ...kind }] of kinds.entries()) {
    const rows = rowsOf[g]!;
    if (rows.length === 0 && kind.kind !== "range") continue;
    groups.push({
      ...kind,
      row_filter: { ...about, ...conditions },
      filter: request.by.evaluation === undefined ? publishedFilter(field, conditions, request.query) : null,
      rows: rows.length,
      evaluations: request.query.evaluations.map((id, e) => ({
        evaluation_call_id: id,
        measures: columns.map((one) => meanOf(one.columns[e]!, rows)),
      })),
      differences: changes?.[g] ?? null,
    });
    const pause = work.spend(rows.length * measures.value.length * ROW_COST);
    if (pause !== undefined) await pause;
  }
  return ok({
    rows: all.length,
    groups,
    measures: measures.value.map((measure) => measure.field),
    warnings: [],
  });
}

// The work per row, in array items touched.
const ROW_COST = 8;

function partition(
  rows: Uint32Array,
  count: number,
  groupOf: (row: number) => number,
): readonly Int32Array[] {
  const of = new Int32Array(rows.length);
  const sizes = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) {
    of[k] = groupOf(rows[k]!);
    sizes[of[k]!]!++;
  }
  const found = Array.from(sizes, (size) => new Int32Array(size));
  const filled = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) found[of[k]!]![filled[of[k]!]!++] = rows[k]!;
  return found;
}

function groupingOf(selection: SelectedRows, rows: Uint32Array, { by }: RowGroupsRequest): Grouping {
  if (by.evaluation === undefined) {
    const { codes, values } = selection.field(by.path);
    const numeric = values.length > 0 && values.every((value) => typeof value === "number");
    if (!numeric) return byText(codes, values, rows);
  }
  return byNumber(numbersOf(selection, by), rows, by.bins);
}

const MISSING: Kind = {
  ...{ label: "missing", kind: "missing", value: null, low: null, high: null },
  conditions: { known: false },
};

/** Groups values by their text: one group for each of the most frequent ones, and one for all others. */
function byText(codes: Int32Array, values: readonly Json[], rows: Uint32Array): Grouping {
  const texts = values.map((value) => asText(value)!);
  const countOf = new Map<string, number>();
  for (const row of rows) {
    const text = codes[row] === -1 ? undefined : texts[codes[row]!]!;
    if (text !== undefined) countOf.set(text, (countOf.get(text) ?? 0) + 1);
  }
  const byCount = [...countOf].sort(([a, n], [b, m]) => m - n || compareText(a, b)).map(([text]) => text);
  const booleans = values.length > 0 && values.every((value) => typeof value === "boolean");
  const shown = byCount.slice(0, MOST_VALUES);
  const written = (text: string): string | boolean => (booleans ? text === "true" : text);
  const kinds = shown.map((text): Kind => valueKind(text, written(text)));
  const others: Kind = {
    ...{ label: "other", kind: "other", value: null, low: null, high: null },
    conditions: { none_of: shown.map(written) },
  };
  const place = new Map(shown.map((text, g) => [text, g]));
  const groupOfCode = texts.map((text) => place.get(text) ?? shown.length);
  return {
    kinds: [...kinds, others, MISSING],
    groupOf: (row) => (codes[row] === -1 ? shown.length + 1 : groupOfCode[codes[row]!]!),
  };
}

function valueKind(label: string, value: string | number | boolean): Kind {
  return { label, kind: "value", value, low: null, high: null, conditions: { equals: value } };
}

function indexOfNumber(numbers: readonly number[], number: number): number {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] === number) return i;
  return -1;
}

/** Few distinct numbers get a group each, many are divided into ranges of equal width. */
function byNumber(numbers: Float64Array, rows: Uint32Array, bins: number): Grouping {
  const distinct: number[] = [];
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let whole = true;
  for (const row of rows) {
    const number = numbers[row]!;
    if (Number.isNaN(number)) continue;
    whole &&= Number.isSafeInteger(number);
    // A few numbers are found sooner by a linear search than in a set, which would box each.
    if (distinct.length <= bins && indexOfNumber(distinct, number) === -1) distinct.push(number);
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  if (distinct.length <= bins) {
    const values = distinct.sort((a, b) => a - b);
    return {
      kinds: [...values.map((value) => valueKind(String(value), value)), MISSING],
      groupOf(row) {
        const place = indexOfNumber(values, numbers[row]!);
        return place === -1 ? values.length : place;
      },
    };
  }
  const { bounds, rangeOf } = rangesOf(least, greatest, bins);
  const last = bounds.length - 2;
  const kinds = bounds.slice(1).map((bound, g): Kind => {
    const low = bounds[g]!;
    // More whole numbers than ranges: the bounds are whole too. "0 to 2" would not tell that 2 is in the next range.
    const high = whole && g !== last ? bound - 1 : bound;
    const upper = whole || g === last ? { at_most: high } : { below: high };
    const label = low === high ? `${low}` : `${low} to ${high}`;
    return { label, kind: "range", value: null, low, high, conditions: { at_least: low, ...upper } };
  });
  return {
    kinds: [...kinds, MISSING],
    groupOf: (row) => (Number.isNaN(numbers[row]!) ? kinds.length : rangeOf(numbers[row]!)),
  };
}

/** The values of a group's rows at a measure, without missing ones. */
function meanOf({ places, of }: Column, rows: Int32Array): GroupMean {
  const { stateOf } = of;
  const counts = new Float64Array(stateOf === undefined ? 0 : of.values.length);
  const values = stateOf === undefined ? new Float64Array(rows.length) : of.values;
  let n = 0;
  for (let k = 0; k < rows.length; k++) {
    const place = places[rows[k]!]!;
    if (place === -1) continue;
    if (stateOf !== undefined) counts[stateOf[place]!]!++;
    else if (!Number.isNaN(of.values[place]!)) values[n++] = of.values[place]!;
  }
  const found = stateOf === undefined ? { values: values.subarray(0, n) } : knownOf(values, counts);
  const { n: known, mean } = moments(found);
  return { rows: known, mean };
}

function knownOf(values: Float64Array, counts: Float64Array) {
  const states = [...values.keys()].filter((state) => counts[state]! > 0 && !Number.isNaN(values[state]!));
  return {
    values: Float64Array.from(states, (state) => values[state]!),
    counts: Float64Array.from(states, (state) => counts[state]!),
  };
}

type Differences = NonNullable<RowGroupResult["differences"]>;

/** The differences of each group to the baseline, corrected for the number of groups. */
async function differencesOf(
  measures: readonly MeasureColumns[],
  rowsOf: readonly Int32Array[],
  { baseline, query, level }: RowGroupsRequest,
  work: Work,
): Promise<readonly Differences[] | undefined> {
  if (baseline === undefined) return undefined;
  const found: { evaluation_call_id: string; measures: GroupDifference[] }[][] = rowsOf.map(() => []);
  for (const [e, id] of query.evaluations.entries()) {
    if (e === baseline) continue;
    for (const group of found) group.push({ evaluation_call_id: id, measures: [] });
    for (const { measure, columns: of } of measures) {
      const differences: GroupDifference[] = [];
      for (const rows of rowsOf) {
        const pairs = pairsOf(of[baseline]!, of[e]!, rows);
        differences.push(await differenceOf(pairs, measure, level, work));
        const pause = work.spend(rows.length * ROW_COST);
        if (pause !== undefined) await pause;
      }
      const q = benjaminiHochberg(differences.map(({ p_value }) => p_value));
      for (const [g, difference] of differences.entries())
        found[g]!.at(-1)!.measures.push({ ...difference, q_value: q[g]! });
    }
  }
  return found;
}

// With more kinds of pairs, counting costs more than it saves.
const MOST_KINDS = 4096;

/** The values of two evaluations on a group's rows that have both; counted if there are few kinds of pairs. */
function pairsOf(first: Column, second: Column, rows: Int32Array): PairValues {
  const [x, y] = [first.of, second.of];
  const kinds = x.values.length * y.values.length;
  if (x.stateOf !== undefined && y.stateOf !== undefined && kinds <= MOST_KINDS) {
    const counts = new Float64Array(kinds);
    for (let k = 0; k < rows.length; k++) {
      const p = first.places[rows[k]!]!;
      const q = second.places[rows[k]!]!;
      if (p !== -1 && q !== -1) counts[x.stateOf[p]! * y.values.length + y.stateOf[q]!]!++;
    }
    return countedPairs(x.values, y.values, counts);
  }
  const [a, b] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  let n = 0;
  for (let k = 0; k < rows.length; k++) {
    const p = first.places[rows[k]!]!;
    const q = second.places[rows[k]!]!;
    if (p === -1 || q === -1) continue;
    a[n] = x.values[x.stateOf === undefined ? p : x.stateOf[p]!]!;
    b[n] = y.values[y.stateOf === undefined ? q : y.stateOf[q]!]!;
    if (!Number.isNaN(a[n]!) && !Number.isNaN(b[n]!)) n++;
  }
  return { a: a.subarray(0, n), b: b.subarray(0, n), counts: undefined, clusterOf: undefined };
}

function countedPairs(x: Float64Array, y: Float64Array, counts: Float64Array): PairValues {
  const [a, b, found]: [number[], number[], number[]] = [[], [], []];
  for (const [kind, count] of counts.entries()) {
    const [p, q] = [x[Math.floor(kind / y.length)]!, y[kind % y.length]!];
    if (count === 0 || Number.isNaN(p) || Number.isNaN(q)) continue;
    a.push(p);
    b.push(q);
    found.push(count);
  }
  const [counted, left, right] = [found, a, b].map((numbers) => Float64Array.from(numbers));
  return { a: left!, b: right!, counts: counted, clusterOf: undefined };
}

async function differenceOf(
  pairs: PairValues,
  { kind, direction }: Measure,
  level: number,
  work: Work,
): Promise<GroupDifference> {
  const room = new BufferPool();
  const { n, mean } = momentsOfDifferences(differences(pairs, room), pairs);
  const options = {
    level,
    kind,
    direction,
    room,
    clustered: false,
    bootstrapSeed: undefined,
    anytime: undefined,
  };
  const tested = n < DEFAULTS.minRows ? undefined : await pairedDifference(pairs, options, work);
  room.release();
  return {
    pairs: n,
    difference: mean,
    interval: tested?.interval ?? null,
    p_value: tested?.p ?? null,
    q_value: null,
  };
}
