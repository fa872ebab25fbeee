// The verdict under a query's summary: a line for each candidate, or for many which is best.

import type { EvalResults } from "@assay/eval-engine";
import { verdictSentence } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { labelsOf } from "../evaluation-labels.ts";
import { ifAnswered } from "./if-answered.ts";
import { bestSentence } from "./ranking-report.ts";
import { notesOf } from "./report.ts";
import { kindOf, scoreMeasures } from "./score-measures.ts";

/** Up to so many evaluations, each is compared with the first; more are ranked. */
const COMPARED = 4;

/**
 * What the evaluations of an answer with a summary amount to, on their first score and the rows that `query` keeps,
 * and what must be known before believing it. Nothing where there is no summary, or nothing to compare.
 */
export async function verdictLines(
  data: DataAccess,
  project: string,
  query: unknown,
  results: EvalResults,
): Promise<readonly string[]> {
  const evaluations = results.summary?.evaluations ?? [];
  const stats = evaluations.flatMap(({ scorer_stats }) => scorer_stats);
  const [field] = scoreMeasures(stats);
  const [first] = evaluations;
  if (first === undefined || evaluations.length < 2 || field === undefined) return [];
  const labels = labelsOf(results);
  if (evaluations.length > COMPARED) {
    const ranking = await ifAnswered(data.statistics("ranking", project, { query, measure: field }));
    if (ranking === undefined) return [];
    const look = { labels, field, kind: kindOf(field, stats), level: LEVEL };
    return [bestSentence(ranking.evaluations, look), ...notes(ranking.warnings, labels)];
  }
  const baseline = first.evaluation_call_id;
  const compared = await ifAnswered(
    data.statistics("compare", project, { query, baseline, measures: [field] }),
  );
  if (compared === undefined) return [];
  const { comparisons, level, warnings } = compared;
  const name = (id: string): string => labels.get(id) ?? id;
  return [
    ...comparisons.flatMap(({ candidate, measures }) =>
      measures.map((of) =>
        verdictSentence({ baseline: name(baseline), candidate: name(candidate) }, of, level),
      ),
    ),
    ...notes(warnings, labels),
  ];
}

const LEVEL = 0.95;

const notes = (...of: Parameters<typeof notesOf>): readonly string[] =>
  notesOf(...of).map((note) => `Note: ${note}`);
