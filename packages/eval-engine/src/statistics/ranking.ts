// Which of many is best, as far as can be told.

import { ok, type Result } from "@assay/base";
import { printFieldPath } from "@assay/query-lang";
import { holm, rankIntervals, shrunkenMeans, tiedGroups, verdict } from "@assay/statistics";
import type { Work } from "../work.ts";
import { clustersOf } from "./clusters.ts";
import { type Look, type LookOptions, lookAtPair, lookAtSide, sharedRows } from "./comparison.ts";
import type { Side } from "./difference.ts";
import { type Measure, measuresOf } from "./measure.ts";
import type { RankingRequest } from "./read-body.ts";
import type { RankedEvaluation, RankingResults } from "./response.ts";
import type { SelectedRows } from "./selected-rows.ts";
import { clusterWarning, evaluationWarnings, pairWarnings, type Scorers, sideWarnings } from "./warnings.ts";

/** Answers a ranking over the rows that its query keeps. */
export async function ranking(
  selection: SelectedRows,
  scorers: Scorers,
  request: RankingRequest,
  work: Work,
): Promise<Result<RankingResults>> {
  const measures = measuresOf(selection, [request.measure], request.missing);
  if (!measures.ok) return measures;
  const measure = measures.value[0]!;
  const clustered = request.clusterBy === null ? undefined : clustersOf(selection, request.clusterBy);
  const options: LookOptions = {
    level: request.level,
    clustered: clustered !== undefined,
    clusters: clustered?.clusters,
    bootstrapSeed: undefined,
  };
  const sides: Side[] = [];
  for (const e of selection.evaluations.keys())
    sides.push(await lookAtSide(selection, measure, e, options, work));

  const order = inOrder(sides, measure);
  const ranked = order.filter((e) => sides[e]!.answer.mean !== null);
  const pairs = await lookAtPairs(selection, measure, sides, ranked, options, work);
  const adjustedP = holm(pairs.map(({ look }) => look.difference.p));
  const beats = new Set<string>();
  for (const [k, { a, b, look }] of pairs.entries()) {
    const { interval } = look.difference;
    const p = adjustedP[k]!;
    const found = verdict({
      interval,
      // Without a p-value nothing was tested.
      p: p ?? 1,
      alpha: 1 - request.level,
      margin: 0,
      direction: measure.direction,
    });
    if (found === "improved") beats.add(`${ranked.indexOf(a)} ${ranked.indexOf(b)}`);
    if (found === "regressed") beats.add(`${ranked.indexOf(b)} ${ranked.indexOf(a)}`);
  }
  const id = (e: number): string => selection.evaluations[e]!.id;
  return ok({
    row_count: selection.length,
    evaluations: evaluationsOf(order, ranked, sides, (i, j) => beats.has(`${i} ${j}`), id),
    pairs: pairs.map(({ a, b, look: { difference } }, k) => ({
      a: id(a),
      b: id(b),
      difference: difference.difference,
      interval: difference.interval,
      p_value: difference.p,
      adjusted_p: adjustedP[k]!,
    })),
    warnings: [
      ...evaluationWarnings(selection),
      ...(clustered === undefined
        ? []
        : clusterWarning(printFieldPath(request.clusterBy!), clustered.without, selection.length)),
      ...sideWarnings(
        selection.evaluations.map((one) => one.id),
        measure.field,
        sides,
      ),
      ...ranked.flatMap((a, i) => ranked.slice(i + 1).flatMap((b) => pairWarnings(selection, scorers, a, b))),
    ],
  });
}

/** Evaluations by mean, the best first; those without one last. */
function inOrder(sides: readonly Side[], { direction }: Measure): number[] {
  return [...sides.keys()].sort((a, b) => {
    const [x, y] = [sides[a]!.answer.mean, sides[b]!.answer.mean];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
    return (direction === "higher" ? y - x : x - y) || a - b;
  });
}

// What one row costs of one pair, in array items touched.
const ROW_COST = 16;

async function lookAtPairs(
  selection: SelectedRows,
  measure: Measure,
  sides: readonly Side[],
  ranked: readonly number[],
  options: LookOptions,
  work: Work,
): Promise<{ readonly a: number; readonly b: number; readonly look: Look }[]> {
  const pairs: { a: number; b: number; look: Look }[] = [];
  for (const [i, a] of ranked.entries()) {
    for (const b of ranked.slice(i + 1)) {
      // The difference is a − b: b stands where the baseline does.
      const pair = {
        baseline: b,
        candidate: a,
        shared: sharedRows(selection, b, a),
        sides: [sides[b]!, sides[a]!] as const,
      };
      pairs.push({
        a,
        b,
        look: await lookAtPair(selection, measure, pair, { ...options, anytime: undefined }, work),
      });
      const pause = work.spend(selection.length * ROW_COST);
      if (pause !== undefined) await pause;
    }
  }
  return pairs;
}

function evaluationsOf(
  order: readonly number[],
  ranked: readonly number[],
  sides: readonly Side[],
  beats: (i: number, j: number) => boolean,
  id: (e: number) => string,
): RankedEvaluation[] {
  const ranks = rankIntervals(ranked.length, beats);
  const groups = tiedGroups(ranked.length, beats);
  const errors = ranked.map((e) => sides[e]!.answer.se);
  const shrunken = errors.includes(null)
    ? null
    : shrunkenMeans(
        ranked.map((e) => sides[e]!.answer.mean!),
        errors.map((se) => se! * se!),
      );
  return order.map((e, i) => {
    const { rows, mean, interval } = sides[e]!.answer;
    return {
      evaluation_call_id: id(e),
      rows,
      mean,
      interval,
      shrunken: shrunken?.[i] ?? null,
      rank: ranks[i] ?? null,
      group: groups[i] ?? null,
    };
  });
}
