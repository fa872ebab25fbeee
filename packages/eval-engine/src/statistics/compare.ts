// Whether evaluations got better: compares every candidate with the baseline at every measure.

import { ok, type Result } from "@assay/base";
import { printFieldPath } from "@assay/query-lang/internal";
import { adjusted } from "@assay/statistics";
import { BufferPool } from "../kernels/buffer-pool.ts";
import type { Work } from "../kernels/work.ts";
import {
  type AnalysisOptions,
  analysePair,
  analyseSide,
  comparisonOf,
  type PairAnalysis,
  type SideAnalysis,
} from "./comparison.ts";
import { type Measure, measuresOf } from "./measure.ts";
import { clustersOf } from "./rows/clusters.ts";
import type { SelectedRows } from "./rows/selected-rows.ts";
import { type Presence, presenceOf, sharedRows } from "./rows/shared-rows.ts";
import {
  analysisWarnings,
  clusterWarning,
  directionWarning,
  measureWarning,
  type PairFacts,
  pairWarnings,
  type Scorers,
  selectionWarnings,
  variationWarnings,
} from "./warnings.ts";
import type { CompareRequest } from "./wire/read-body.ts";
import type { CompareResults } from "./wire/response.ts";

/** Answers a comparison over the rows that its query selects. */
export async function compare(
  selection: SelectedRows,
  scorers: Scorers,
  request: CompareRequest,
  work: Work,
): Promise<Result<CompareResults>> {
  const measures = measuresOf(selection, request.measures ?? request.unnamed, request);
  if (!measures.ok) return measures;
  const clustered = request.clusterBy === null ? undefined : clustersOf(selection, request.clusterBy);
  const options: AnalysisOptions = {
    room: new BufferPool(),
    level: request.level,
    clustered: clustered !== undefined,
    clusters: clustered?.clusters,
    bootstrapSeed: request.interval === "bootstrap" ? request.seed : undefined,
  };
  const baseline = selection.evaluations.findIndex(({ id }) => id === request.baseline);
  const candidates = [...selection.evaluations.keys()].filter((e) => e !== baseline);
  const presence = presenceOf(selection, options.room);
  const facts: PairFacts = { evaluations: selection.evaluations, scorers, presence };
  const analyses = await analyseAll(
    selection,
    measures.value,
    { presence, baseline, candidates },
    request,
    options,
    work,
  );
  options.room.release();

  const all = analyses.flat().map(({ difference }) => difference);
  // A comparison at every look takes its own share of the error rate, so it counts as a test that finds nothing.
  const p = all.map((of) => (of.anytime ? 1 : of.p));
  const adjustedP = adjusted(p, request.adjustment).map((one, i) => (all[i]!.anytime ? null : one));
  const { level } = request;
  const tests = p.filter((one) => one !== null).length;
  const idOf = (evaluation: number) => selection.evaluations[evaluation]!.id;
  return ok({
    row_count: selection.length,
    baseline: request.baseline,
    level,
    adjustment: request.adjustment,
    comparisons: candidates.map((candidate, c) => ({
      candidate: idOf(candidate),
      measures: analyses[c]!.map((analysis, m) =>
        comparisonOf(analysis, { adjustedP: adjustedP[c * measures.value.length + m]!, tests, level }),
      ),
    })),
    warnings: [
      ...selectionWarnings(selection, request.query),
      ...(measures.value.length === 0 ? measureWarning(selection) : []),
      ...(clustered === undefined
        ? []
        : clusterWarning(printFieldPath(request.clusterBy!), clustered.without, selection.length)),
      ...candidates.flatMap((candidate, c) => [
        ...pairWarnings(facts, baseline, candidate),
        ...analysisWarnings([request.baseline, idOf(candidate)], analyses[c]!),
      ]),
      ...variationWarnings(
        [baseline, ...candidates].map(idOf),
        (analyses[0] ?? []).map(({ measure: { field }, sides: [first] }, m) => ({
          field,
          sides: [first, ...analyses.map((analysis) => analysis[m]!.sides[1])],
        })),
      ),
      ...directionWarning(measures.value),
    ],
  });
}

async function analyseAll(
  selection: SelectedRows,
  measures: readonly Measure[],
  {
    presence,
    baseline,
    candidates,
  }: { readonly presence: Presence; readonly baseline: number; readonly candidates: readonly number[] },
  request: CompareRequest,
  options: AnalysisOptions,
  work: Work,
): Promise<PairAnalysis[][]> {
  const ofBaseline: SideAnalysis[] = [];
  for (const measure of measures)
    ofBaseline.push(await analyseSide(presence, measure, baseline, options, work));
  // Intervals at every look have no p-value to correct, so the error rate is divided among the comparisons.
  const shares = request.adjustment === "none" ? 1 : Math.max(1, candidates.length * measures.length);
  const alpha = (1 - request.level) / shares;
  const analyses: PairAnalysis[][] = [];
  for (const candidate of candidates) {
    const shared = sharedRows(presence, baseline, candidate);
    const running = [baseline, candidate].some((e) => isRunning(selection, e));
    const anytime =
      request.anytime === true || (request.anytime === "auto" && running)
        ? { alpha, rows: request.anytimeRows }
        : undefined;
    const found: PairAnalysis[] = [];
    for (const [m, measure] of measures.entries()) {
      const own = { ...options, anytime, room: new BufferPool() };
      const side = await analyseSide(presence, measure, candidate, own, work);
      const pair = { shared, sides: [ofBaseline[m]!, side] } as const;
      found.push(await analysePair(measure, pair, own, work));
      own.room.release();
    }
    analyses.push(found);
  }
  return analyses;
}

/** Whether an evaluation has started and not ended. */
function isRunning({ evaluations }: SelectedRows, e: number): boolean {
  return evaluations[e]!.root?.ended_at === null;
}
