// Where evaluations got better or worse: compares one pair in each slice of its rows.

import { ok, type Result } from "@assay/base";
import { benjaminiHochberg, verdict } from "@assay/statistics";
import { joinMeans, meanOfPart, type PartialMean, partialMean } from "@assay/statistics/internal";
import { BufferPool } from "../kernels/buffer-pool.ts";
import type { Work } from "../kernels/work.ts";
import { type AdjustedTest, analysePair, analyseSide, comparisonOf, reasonOf } from "./comparison.ts";
import {
  type Difference,
  type DifferenceOptions,
  differencesOf,
  pairedDifference,
} from "./differences/difference.ts";
import { spendOnSums } from "./differences/side.ts";
import { type Measure, measuresOf } from "./measure.ts";
import { roundingOf, zeroIfRounding } from "./rows/row-difference.ts";
import { type PairTable, singlePairs } from "./rows/row-table.ts";
import type { SelectedRows } from "./rows/selected-rows.ts";
import { presenceOf, sharedRows } from "./rows/shared-rows.ts";
import { type Division, divisionsBy, filterOf, type SlicePart } from "./slice-groups.ts";
import {
  analysisWarnings,
  directionWarning,
  pairWarnings,
  type Scorers,
  selectionWarnings,
  variationWarnings,
} from "./warnings.ts";
import type { SlicesRequest } from "./wire/read-body.ts";
import type { Slice, SlicesResults, StatisticsWarning } from "./wire/response.ts";

/** Answers where the pair differs. */
export async function slices(
  selection: SelectedRows,
  scorers: Scorers,
  request: SlicesRequest,
  work: Work,
): Promise<Result<SlicesResults>> {
  const measures = measuresOf(selection, [request.measure], request);
  if (!measures.ok) return measures;
  const measure = measures.value[0]!;
  const at = (id: string): number => selection.evaluations.findIndex((one) => one.id === id);
  const [baseline, candidate] = [at(request.baseline), at(request.candidate)];
  const options = {
    level: request.level,
    clustered: false,
    clusters: undefined,
    bootstrapSeed: undefined,
    anytime: undefined,
    room: new BufferPool(),
  };
  const presence = presenceOf(selection, options.room);
  const sides = [
    await analyseSide(presence, measure, baseline, options, work),
    await analyseSide(presence, measure, candidate, options, work),
  ] as const;
  const pair = { shared: sharedRows(presence, baseline, candidate), sides };
  const whole = await analysePair(measure, pair, options, work);

  const pairs = singlePairs(sides[0].column(), sides[1].column(), options);
  const test = { ...options, kind: measure.kind, direction: measure.direction };
  const analysed: AnalysedSlice[] = [];
  let leftOut = 0;
  for (const division of divisionsBy(selection, request.fields ?? selection.sliceFields, request.depth)) {
    await spendOnSums(work, selection.length);
    if (division === undefined) leftOut++;
    else analysed.push(...(await analyseDivision(division, pairs, request.minRows, test, work)));
  }
  options.room.release();
  const p = analysed.map(({ difference }) => difference?.p ?? null);
  const q = benjaminiHochberg(p);
  const tests = p.filter((one) => one !== null).length;
  const found = analysed.map((slice, i) => sliceOf(slice, { adjustedP: q[i]!, tests }, measure, request));
  return ok({
    looked_at: analysed.length,
    tested: analysed.filter(({ difference }) => difference !== undefined).length,
    whole: comparisonOf(whole, { adjustedP: whole.difference.p, tests: 1, level: request.level }),
    slices: found.sort(bySignificance),
    warnings: [
      ...selectionWarnings(selection, request.query),
      ...pairWarnings({ evaluations: selection.evaluations, scorers, presence }, baseline, candidate),
      ...analysisWarnings([request.baseline, request.candidate], [whole]),
      ...variationWarnings(
        [request.baseline, request.candidate],
        [{ field: measure.field, sides: whole.sides }],
      ),
      ...leftOutWarning(leftOut),
      ...directionWarning([measure]),
    ],
  });
}

interface AnalysedSlice {
  readonly parts: readonly SlicePart[];
  /** The number of its rows, from either evaluation. */
  readonly rows: number;
  readonly pairs: number;
  readonly baselineMean: number | null;
  readonly candidateMean: number | null;
  /** The mean difference of its pairs. */
  readonly mean: number | null;
  readonly outside: { readonly pairs: number; readonly mean: number | null };
  /** Undefined if it has too few rows to be tested. */
  readonly difference: Difference | undefined;
}

async function analyseDivision(
  { slices, sliceOf }: Division,
  pairs: PairTable,
  minRows: number,
  options: DifferenceOptions,
  work: Work,
): Promise<AnalysedSlice[]> {
  const room = new BufferPool();
  const { a, b, starts } = groupedPairs(pairs, sliceOf, slices.length, room);
  const inSlice = (values: Float64Array, slice: number): Float64Array =>
    values.subarray(starts[slice]!, starts[slice + 1]!);
  await spendOnSums(work, a.length);
  const d = differencesOf({ a, b }, room);
  // The last group has the rows that are in no slice.
  const means = Array.from({ length: slices.length + 1 }, (_, slice) =>
    partialMean({ values: inSlice(d, slice) }),
  );
  const off = means.map((_, slice) =>
    roundingOf(d, { a, b, counts: undefined }, [starts[slice]!, starts[slice + 1]!]),
  );
  const offInAll = off.reduce((sum, one) => sum + one, 0);
  await spendOnSums(work, 2 * d.length);
  const outside = withoutEach(means);
  const analysed: AnalysedSlice[] = [];
  for (const [slice, { parts, rows }] of slices.entries()) {
    const values = { a: inSlice(a, slice), b: inSlice(b, slice), counts: undefined, clusterOf: undefined };
    const { n } = means[slice]!;
    analysed.push({
      parts,
      rows,
      pairs: n,
      baselineMean: meanOfPart(partialMean({ values: values.a })),
      candidateMean: meanOfPart(partialMean({ values: values.b })),
      mean: zeroIfRounding(meanOfPart(means[slice]!), n, off[slice]!),
      outside: {
        pairs: outside[slice]!.n,
        mean: zeroIfRounding(meanOfPart(outside[slice]!), outside[slice]!.n, offInAll - off[slice]!),
      },
      difference:
        n < Math.max(2, minRows) ? undefined : await pairedDifference(values, { ...options, room }, work),
    });
    await spendOnSums(work, 2 * n);
  }
  room.release();
  return analysed;
}

/** Pairs by slice, those in no slice last; slice k has those from `starts[k]` to `starts[k + 1]`. */
function groupedPairs(
  { a, b, rows }: PairTable,
  sliceOf: Int32Array,
  slices: number,
  room: BufferPool,
): { readonly a: Float64Array; readonly b: Float64Array; readonly starts: Uint32Array } {
  const groupOf = (k: number): number => {
    const slice = sliceOf[rows![k]!]!;
    return slice === -1 ? slices : slice;
  };
  const starts = new Uint32Array(slices + 2);
  for (let k = 0; k < a.length; k++) starts[groupOf(k) + 1]!++;
  for (let slice = 0; slice <= slices; slice++) starts[slice + 1]! += starts[slice]!;
  const next = starts.slice();
  const found = { a: room.floats(a.length), b: room.floats(a.length) };
  for (let k = 0; k < a.length; k++) {
    const place = next[groupOf(k)]!++;
    found.a[place] = a[k]!;
    found.b[place] = b[k]!;
  }
  return { ...found, starts };
}

/** For each part except the last, the sums over all others. */
function withoutEach(parts: readonly PartialMean[]): PartialMean[] {
  let before = partialMean({ values: [] });
  const ahead = parts.map((part) => {
    const found = before;
    before = joinMeans(before, part);
    return found;
  });
  let after = partialMean({ values: [] });
  const without: PartialMean[] = [];
  for (let k = parts.length - 1; k >= 0; k--) {
    without[k] = joinMeans(ahead[k]!, after);
    after = joinMeans(parts[k]!, after);
  }
  return without.slice(0, -1);
}

function sliceOf(
  { parts, rows, pairs, baselineMean, candidateMean, mean, outside, difference }: AnalysedSlice,
  tested: AdjustedTest,
  { margin, direction }: Measure,
  request: SlicesRequest,
): Slice {
  const interval = difference?.interval ?? null;
  const q = tested.adjustedP;
  const alpha = 1 - request.level;
  const found = verdict({ interval, p: q, alpha, margin, direction });
  return {
    fields: parts.map(({ field, value, low, high }) => ({ field, value, low, high })),
    filter: filterOf(parts, request.query),
    rows,
    pairs,
    baseline_mean: baselineMean,
    candidate_mean: candidateMean,
    difference: mean,
    interval,
    p_value: difference?.p ?? null,
    q_value: q,
    verdict: found,
    reason:
      difference === undefined
        ? `fewer than ${Math.max(2, request.minRows)} rows have a value in both`
        : reasonOf(found, difference, tested, alpha),
    outside: { rows: outside.pairs, difference: outside.mean },
    difference_to_outside: mean === null || outside.mean === null ? null : mean - outside.mean,
  };
}

/** Smallest q first, unknown last; then the largest difference; ties keep the order of slices. */
function bySignificance(a: Slice, b: Slice): number {
  if (a.q_value === null || b.q_value === null) {
    const unknown = Number(a.q_value === null) - Number(b.q_value === null);
    if (unknown !== 0) return unknown;
  } else if (a.q_value !== b.q_value) return a.q_value - b.q_value;
  return Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0);
}

function leftOutWarning(leftOut: number): StatisticsWarning[] {
  if (leftOut === 0) return [];
  const text = `${leftOut} fields or pairs of fields were skipped: name fewer fields`;
  return [{ code: "too_many_slices", text, evaluations: [], count: leftOut }];
}
