// The verdict on two running evaluations so far: an anytime-valid interval that narrows.

import type { WatchedProgress } from "@assay/adapters-http/internal";
import { evidenceText, measureName, verdictText } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { scoreMeasures } from "../query/score-measures.ts";
import { axisOf, plotInterval } from "../report/interval-plot.ts";
import { plainText } from "../terminal/plain-text.ts";
import { optionalStatistics } from "./optional-statistics.ts";

/** The width of the drawing in characters. */
const DRAWING = 41;

/**
 * Two lines about the difference of two evaluations on their first score so far; empty unless exactly two are watched.
 */
export async function runningVerdict(
  data: DataAccess,
  project: string,
  progress: readonly WatchedProgress[],
): Promise<readonly string[]> {
  const [baseline, candidate] = progress;
  const [field] = scoreMeasures(progress.flatMap(({ scorer_stats }) => scorer_stats));
  if (progress.length !== 2 || baseline === undefined || candidate === undefined || field === undefined)
    return [];
  // Also after they have ended, because earlier results were already shown.
  const answer = await optionalStatistics(
    data.statistics("compare", project, {
      query: { evaluation_call_ids: progress.map((of) => of.evaluation_call_id) },
      baseline: baseline.evaluation_call_id,
      measures: [field],
      anytime: true,
    }),
  );
  const of = answer?.comparisons[0]?.measures[0];
  if (answer === undefined || of === undefined) return [];
  const [a, b] = [baseline, candidate].map((one) => plainText(one.display_name ?? one.evaluation_call_id));
  const { interval, difference } = of;
  const head = `${b} against ${a} on ${measureName(of.field)}: ${verdictText(of.verdict)} so far`;
  if (interval === null || difference === null) return [`${head}, ${of.reason ?? "no interval yet"}`];
  // Rates keep one scale throughout, which makes the narrowing of the interval visible.
  const axis = axisOf(
    of.kind === "boolean" ? [{ low: -1, high: 1 }] : [{ low: 0, high: 0 }, interval],
    DRAWING,
  );
  const shown = { low: Math.max(axis.low, interval.low), high: Math.min(axis.high, interval.high) };
  return [head, `  ${plotInterval(axis, shown, difference)} ${evidenceText(of, answer.level)}`];
}
