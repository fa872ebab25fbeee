// Where it got worse: the rows of one pair by the values of their fields.

import { ok, type Result } from "@assay/base";
import { benjaminiHochberg, moments, verdict } from "@assay/statistics";
import type { Work } from "../work.ts";
import { comparisonOf, lookAtPair, lookAtSide, sharedRows } from "./comparison.ts";
import { type Difference, type DifferenceOptions, pairedDifference } from "./difference.ts";
import { type Measure, measuresOf } from "./measure.ts";
import type { SlicesRequest } from "./read-body.ts";
import type { Slice, SlicesResults, StatisticsWarning } from "./response.ts";
import { type PairTable, pairTable } from "./row-table.ts";
import type { SelectedRows } from "./selected-rows.ts";
import { filterOf, type RowGroup, sliceGroups } from "./slice-groups.ts";
import { evaluationWarnings, lookWarnings, pairWarnings, type Scorers } from "./warnings.ts";

/** Answers where the pair differs. */
export async function slices(
  selection: SelectedRows,
  scorers: Scorers,
  request: SlicesRequest,
  work: Work,
): Promise<Result<SlicesResults>> {
  const measures = measuresOf(selection, [request.measure], request.missing);
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
  };
  const sides = [
    await lookAtSide(selection, measure, baseline, options, work),
    await lookAtSide(selection, measure, candidate, options, work),
  ] as const;
  const shared = sharedRows(selection, baseline, candidate);
  const whole = await lookAtPair(selection, measure, { baseline, candidate, shared, sides }, options, work);

  const { groups, leftOut } = sliceGroups(selection, request.fields ?? selection.sliceFields, request.depth);
  const looks: SliceLook[] = [];
  for (const group of groups) {
    looks.push(await lookAtSlice(selection, measure, [baseline, candidate], group, request, options, work));
    const pause = work.spend(selection.length * ROW_COST);
    if (pause !== undefined) await pause;
  }
  const q = benjaminiHochberg(looks.map(({ difference }) => difference?.p ?? null));
  const found = looks.map((look, i) => sliceOf(look, q[i]!, measure, request));
  return ok({
    looked_at: looks.length,
    tested: looks.filter(({ difference }) => difference !== undefined).length,
    whole: comparisonOf(whole, { adjustedP: whole.difference.p, level: request.level }),
    slices: found.sort(bySignificance),
    warnings: [
      ...evaluationWarnings(selection),
      ...pairWarnings(selection, scorers, baseline, candidate),
      ...lookWarnings([request.baseline, request.candidate], [whole]),
      ...leftOutWarning(leftOut),
    ],
  });
}

// What one row costs in one slice, in array items touched.
const ROW_COST = 8;

interface SliceLook {
  readonly group: RowGroup;
  readonly inside: Means;
  readonly outside: Means;
  /** Undefined when too few rows are in it to be tested. */
  readonly difference: Difference | undefined;
}

/** What pairs amount to before anything is tested. */
interface Means {
  readonly pairs: number;
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly difference: number | null;
}

async function lookAtSlice(
  { evaluations }: SelectedRows,
  measure: Measure,
  [baseline, candidate]: readonly [number, number],
  group: RowGroup,
  { minRows }: SlicesRequest,
  options: Omit<DifferenceOptions, "kind" | "direction">,
  work: Work,
): Promise<SliceLook> {
  const tableOf = (rows: Int32Array): PairTable =>
    pairTable(
      evaluations[baseline]!,
      evaluations[candidate]!,
      [measure.values[baseline]!, measure.values[candidate]!],
      { rows },
    );
  const table = tableOf(group.rows);
  const inside = meansOf(table);
  return {
    group,
    inside,
    outside: meansOf(tableOf(group.outside())),
    difference:
      inside.pairs < Math.max(2, minRows)
        ? undefined
        : await pairedDifference(
            table,
            { ...options, kind: measure.kind, direction: measure.direction },
            work,
          ),
  };
}

function meansOf({ a, b, counts }: PairTable): Means {
  const d = b.map((value, i) => value - a[i]!);
  const { n, mean } = moments({ values: d, counts });
  return {
    pairs: n,
    baseline: moments({ values: a, counts }).mean,
    candidate: moments({ values: b, counts }).mean,
    difference: mean,
  };
}

function sliceOf(
  { group, inside, outside, difference }: SliceLook,
  q: number | null,
  { margin, direction }: Measure,
  request: SlicesRequest,
): Slice {
  const interval = difference?.interval ?? null;
  return {
    fields: group.parts.map(({ field, value, low, high }) => ({ field, value, low, high })),
    filter: filterOf(group.parts, request.query),
    rows: group.rows.length,
    pairs: inside.pairs,
    baseline_mean: inside.baseline,
    candidate_mean: inside.candidate,
    difference: inside.difference,
    interval,
    p_value: difference?.p ?? null,
    q_value: q,
    verdict: verdict({ interval, p: q, alpha: 1 - request.level, margin, direction }),
    outside: { rows: outside.pairs, difference: outside.difference },
    difference_to_outside:
      inside.difference === null || outside.difference === null
        ? null
        : inside.difference - outside.difference,
  };
}

/** Smallest q first, unknown last; then the largest difference. The order of slices decides what is left. */
function bySignificance(a: Slice, b: Slice): number {
  if (a.q_value === null || b.q_value === null) {
    const unknown = Number(a.q_value === null) - Number(b.q_value === null);
    if (unknown !== 0) return unknown;
  } else if (a.q_value !== b.q_value) return a.q_value - b.q_value;
  return Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0);
}

function leftOutWarning(leftOut: number): StatisticsWarning[] {
  if (leftOut === 0) return [];
  const text = `${leftOut} fields or pairs of fields were not looked at: name fewer fields`;
  return [{ code: "too_many_slices", text, evaluations: [], count: leftOut }];
}
