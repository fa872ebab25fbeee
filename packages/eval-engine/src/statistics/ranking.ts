// Ranks many evaluations, with ranges of ranks where the order is uncertain.

import { ok, type Result } from "@assay/base";
import { printFieldPath } from "@assay/query-lang/internal";
import { holm, rankIntervals, shrunkenMeans, tiedGroups, verdict } from "@assay/statistics";
import { BufferPool } from "../kernels/buffer-pool.ts";
import type { Work } from "../kernels/work.ts";
import { analyseSide, differenceAt, type PairOptions, type SideAnalysis } from "./comparison.ts";
import type { Difference } from "./differences/difference.ts";
import type { Side } from "./differences/side.ts";
import { type Measure, measuresOf } from "./measure.ts";
import { clustersOf } from "./rows/clusters.ts";
import type { SelectedRows } from "./rows/selected-rows.ts";
import { presenceOf, sharedRows } from "./rows/shared-rows.ts";
import {
  clusterWarning,
  directionWarning,
  type PairFacts,
  pairWarnings,
  type Scorers,
  selectionWarnings,
  sideWarnings,
} from "./warnings.ts";
import type { RankingRequest } from "./wire/read-body.ts";
import type { AheadOf, RankedEvaluation, RankingResults } from "./wire/response.ts";

/** Answers a ranking over the rows that its query selects. */
export async function ranking(
  selection: SelectedRows,
  scorers: Scorers,
  request: RankingRequest,
  work: Work,
): Promise<Result<RankingResults>> {
  const measures = measuresOf(selection, [request.measure], request);
  if (!measures.ok) return measures;
  const measure = measures.value[0]!;
  const clustered = request.clusterBy === null ? undefined : clustersOf(selection, request.clusterBy);
  const options: PairOptions = {
    level: request.level,
    clustered: clustered !== undefined,
    clusters: clustered?.clusters,
    bootstrapSeed: undefined,
    anytime: undefined,
    room: new BufferPool(),
  };
  const presence = presenceOf(selection, options.room);
  const analyses: SideAnalysis[] = [];
  for (const e of selection.evaluations.keys())
    analyses.push(await analyseSide(presence, measure, e, options, work));
  const sides = analyses.map(({ side }) => side);

  const byMean = inOrder(sides, measure);
  const ranked = byMean.filter((e) => sides[e]!.answer.mean !== null);
  const facts: PairFacts = { evaluations: selection.evaluations, scorers, presence };
  const pairs: RankedPair[] = [];
  for (const [i, a] of ranked.entries()) {
    for (const b of ranked.slice(i + 1)) {
      // The difference is a − b: b takes the role of the baseline.
      const pair = { shared: sharedRows(presence, b, a), sides: [analyses[b]!, analyses[a]!] } as const;
      const room = new BufferPool();
      const { difference } = await differenceAt(measure, pair, { ...options, room }, work);
      room.release();
      pairs.push({ a, b, difference });
    }
  }
  options.room.release();
  const adjustedP = holm(pairs.map(({ difference }) => difference.p));
  // The evaluations that each was found better than, and by how much.
  const beats = new Map(ranked.map((e) => [e, new Map<number, Beaten>()]));
  for (const [k, { a, b, difference }] of pairs.entries()) {
    const p = adjustedP[k]!;
    const found = verdict({
      interval: difference.interval,
      // Without a p-value, nothing was tested.
      p: p ?? 1,
      alpha: 1 - request.level,
      margin: 0,
      direction: measure.direction,
    });
    const beaten = { pairs: difference.pairs, difference: difference.difference! };
    if (found === "improved") beats.get(a)!.set(b, beaten);
    if (found === "regressed") beats.get(b)!.set(a, { ...beaten, difference: 0 - beaten.difference });
  }
  const id = (e: number): string => selection.evaluations[e]!.id;
  return ok({
    row_count: selection.length,
    evaluations: evaluationsOf(byMean, ranked, sides, beats, id).map((of) =>
      // Without a direction, none ranks before another.
      measure.direction === null ? { ...of, rank: null, group: null } : of,
    ),
    pairs: pairs.map(({ a, b, difference }, k) => ({
      a: id(a),
      b: id(b),
      difference: difference.difference,
      interval: difference.interval,
      p_value: difference.p,
      adjusted_p: adjustedP[k]!,
    })),
    warnings: [
      ...selectionWarnings(selection, request.query),
      ...(clustered === undefined
        ? []
        : clusterWarning(printFieldPath(request.clusterBy!), clustered.without, selection.length)),
      ...sideWarnings(
        selection.evaluations.map((one) => one.id),
        measure.field,
        sides,
      ),
      ...ranked.flatMap((a, i) => ranked.slice(i + 1).flatMap((b) => pairWarnings(facts, a, b))),
      ...directionWarning([measure]),
    ],
  });
}

/** Evaluations by mean, best first, or highest first if the direction is unknown; those without a mean last. */
function inOrder(sides: readonly Side[], { direction }: Measure): number[] {
  return [...sides.keys()].sort((a, b) => {
    const [x, y] = [sides[a]!.answer.mean, sides[b]!.answer.mean];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
    return (direction === "lower" ? x - y : y - x) || a - b;
  });
}

interface RankedPair {
  readonly a: number;
  readonly b: number;
  readonly difference: Difference;
}

interface Beaten {
  readonly pairs: number;
  readonly difference: number;
}

/** By evaluation, the ones that it was found better than. */
type Beats = ReadonlyMap<number, ReadonlyMap<number, Beaten>>;

function evaluationsOf(
  byMean: readonly number[],
  ranked: readonly number[],
  sides: readonly Side[],
  beats: Beats,
  id: (e: number) => string,
): RankedEvaluation[] {
  const isBetter = (of: readonly number[]) => (i: number, j: number) => beats.get(of[i]!)!.has(of[j]!);
  const intervals = rankIntervals(ranked.length, isBetter(ranked));
  const ranks = new Map(ranked.map((e, i) => [e, intervals[i]!]));
  const placeOf = (e: number): number => ranks.get(e)?.low ?? Number.POSITIVE_INFINITY;
  const byPlace = byMean.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  const groups = tiedGroups(ranked.length, isBetter(byPlace));
  const errors = ranked.map((e) => sides[e]!.answer.se);
  const shrunken = errors.includes(null)
    ? null
    : shrunkenMeans(
        ranked.map((e) => sides[e]!.answer.mean!),
        errors.map((se) => se! * se!),
      );
  return byPlace.map((e, i) => {
    const { rows, mean, interval } = sides[e]!.answer;
    return {
      evaluation_call_id: id(e),
      rows,
      mean,
      interval,
      shrunken: shrunken?.[ranked.indexOf(e)] ?? null,
      rank: ranks.get(e) ?? null,
      group: groups[i] ?? null,
      ahead_of: ranks.has(e) ? aheadOf(e, ranked, placeOf, beats, id) : null,
    };
  });
}

function aheadOf(
  e: number,
  ranked: readonly number[],
  placeOf: (e: number) => number,
  beats: Beats,
  id: (e: number) => string,
): AheadOf | null {
  const below = ranked.slice(0, ranked.indexOf(e)).find((other) => placeOf(e) < placeOf(other));
  if (below === undefined) return null;
  // More evaluations are better than the one below, so at least one of them is not better than this one.
  const by = [e, ...ranked].find((one) => beats.get(one)!.has(below) && !beats.get(one)!.has(e))!;
  return { evaluation_call_id: id(below), beaten_by: id(by), ...beats.get(by)!.get(below)! };
}
