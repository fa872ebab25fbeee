// The verdict under a query's summary: a line for each candidate, or for many which is best.

import type { CompareResults, EvalResults } from "@assay/eval-engine";
import { pairSentence } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { pairOf } from "../query/named-evaluations.ts";
import { kindOf, scoreMeasures } from "../query/score-measures.ts";
import { labelsOf } from "../render/evaluation-labels.ts";
import { compareReport } from "../report/compare-report.ts";
import { bestSentence } from "../report/ranking-report.ts";
import { notesOf } from "../report/report.ts";
import { optionalStatistics } from "./optional-statistics.ts";

/** Up to this many named evaluations are each compared with the first; more are ranked. */
const COMPARED = 4;

/**
 * The verdicts on the evaluations of an answer with a summary, over the rows that `query` selects, with caveats, in
 * the sentences of `assay compare`, which compares the same pair if no evaluations are named (`isChosen`). Empty
 * without a summary, if there is nothing to compare, and if the rows are selected by their results, which say nothing
 * about others.
 */
export async function verdictLines(
  data: DataAccess,
  project: string,
  query: unknown,
  results: EvalResults,
  isChosen: boolean,
): Promise<readonly string[]> {
  const evaluations = results.summary?.evaluations ?? [];
  const stats = evaluations.flatMap(({ scorer_stats }) => scorer_stats);
  const [field] = scoreMeasures(stats);
  const [first] = evaluations;
  if (first === undefined || evaluations.length < 2 || field === undefined) return [];
  const labels = labelsOf(results);
  const pair = isChosen ? await pairOf(data, project) : undefined;
  if (pair === undefined && evaluations.length > COMPARED) {
    const ranking = await optionalStatistics(data.statistics("ranking", project, { query, measure: field }));
    if (ranking === undefined || isBiased(ranking)) return [];
    const look = { labels, field, kind: kindOf(field, stats), level: LEVEL };
    return [bestSentence(ranking.evaluations, look), ...notes(ranking.warnings, labels)];
  }
  const ids = pair === undefined ? undefined : [pair.baseline?.id, pair.candidate?.id];
  if (ids?.includes(undefined)) return [];
  const body = ids === undefined ? query : { ...(query as object), evaluation_call_ids: ids };
  const baseline = ids?.[0] ?? first.evaluation_call_id;
  const compared = await optionalStatistics(data.statistics("compare", project, { query: body, baseline }));
  if (compared === undefined || isBiased(compared)) return [];
  const report = compareReport(compared, { labels, drawing: 0, headline: field });
  const chosen = pair === undefined ? undefined : pairSentence(pair);
  return [
    ...report.sentences,
    ...[...(chosen === undefined ? [] : [chosen]), ...report.notes].map((note) => `Note: ${note}`),
  ];
}

const LEVEL = 0.95;

function isBiased({ warnings }: Pick<CompareResults, "warnings">): boolean {
  return warnings.some(({ code }) => code === "selected_by_results");
}

const notes = (...of: Parameters<typeof notesOf>): readonly string[] =>
  notesOf(...of).map((note) => `Note: ${note}`);
