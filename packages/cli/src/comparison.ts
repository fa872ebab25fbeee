// The default query: the latest evaluations side by side, the rows where they differ most first.

import type { EvalResultsQueryBody, EvalResultsScorerStats, EvalResultsSortBy } from "@assay/eval-engine";
import { REQUEST_LIMITS } from "@assay/eval-engine/internal";
import { scoreField } from "@assay/eval-engine/words";
import { readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";

/** Evaluations that are compared: what fits side by side in a terminal. */
const COMPARED = 3;

/** The body of a comparison of the latest evaluations of a project, the oldest of them first, with `limit` rows. */
export async function comparisonOf(
  data: DataAccess,
  project: string,
  limit: number,
): Promise<EvalResultsQueryBody> {
  const evaluation_call_ids = await latestEvaluations(data, project);
  const sort_by = tellingSort(evaluation_call_ids, await statsOf(data, project, evaluation_call_ids));
  return {
    evaluation_call_ids,
    ...(sort_by.length > 0 && { sort_by }),
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit,
  };
}

/** The ids of as many of the latest evaluations of a project as fit side by side, the oldest of them first. */
export async function latestEvaluations(data: DataAccess, project: string): Promise<readonly string[]> {
  return (await data.evaluations(project)).slice(-COMPARED).map(({ id }) => id);
}

/** A sentence when a project has more evaluations than `latestEvaluations` gives; undefined when those are all. */
export async function otherEvaluations(data: DataAccess, project: string): Promise<string | undefined> {
  const some = await data.evaluations(project, { order: "newest", limit: COMPARED + 1 });
  if (some.length <= COMPARED) return undefined;
  return `only the latest ${COMPARED} evaluations of ${project} are shown: name others to see them`;
}

/** The statistics of every score of evaluations. */
export async function statsOf(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
): Promise<readonly EvalResultsScorerStats[]> {
  const counted = await data.query(project, {
    evaluation_call_ids: evaluations,
    include_rows: false,
    include_summary: true,
  });
  const summaries = counted.ok ? (counted.value.summary?.evaluations ?? []) : [];
  return summaries.flatMap(({ scorer_stats }) => scorer_stats);
}

/**
 * The keys that put first what a person wants to see: the rows that differ most in the first score that passes or
 * fails (else in the first number), of these the ones on which the latest evaluation did worst, which are the
 * regressions, and of equal ones those that differ most in the other scores.
 */
export function tellingSort(
  evaluations: readonly string[],
  stats: readonly EvalResultsScorerStats[],
): readonly EvalResultsSortBy[] {
  const binary = stats.filter(({ value_type }) => value_type === "binary").map(scoreField);
  const numbers = stats.filter(({ value_type }) => value_type === "continuous").map(scoreField);
  // What is longer no query can name.
  const [first, ...others] = new Set([...binary, ...numbers].filter((field) => readFieldPath(field).ok));
  if (first === undefined) return [];
  const difference = (field: string) => ({ field, direction: "desc", mode: "difference" }) as const;
  const latest = evaluations.at(-1)!;
  if (evaluations.length === 1) return [{ field: first, direction: "asc" }];
  return [
    difference(first),
    // The direction of a number is unknown.
    ...(binary.length > 0 ? [{ field: first, direction: "asc", evaluation_call_id: latest } as const] : []),
    ...others.map(difference),
  ].slice(0, REQUEST_LIMITS.sortKeys);
}
