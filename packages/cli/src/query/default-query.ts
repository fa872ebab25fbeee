// The default query: the latest evaluations side by side, the rows where they differ most first.

import type { EvalResultsQueryBody, EvalResultsScorerStats, EvalResultsSortBy } from "@assay/eval-engine";
import { REQUEST_LIMITS } from "@assay/eval-engine/internal";
import { scoreField } from "@assay/eval-engine/words";
import { readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";

/** The number of compared evaluations: what fits side by side in a terminal. */
const COMPARED = 3;

/** The body of a comparison of a project's latest evaluations, oldest first, with `limit` rows. */
export async function defaultQuery(
  data: DataAccess,
  project: string,
  limit: number,
): Promise<EvalResultsQueryBody> {
  const evaluation_call_ids = await latestEvaluations(data, project);
  const sort_by = defaultSort(evaluation_call_ids, await statsOf(data, project, evaluation_call_ids));
  return {
    evaluation_call_ids,
    ...(sort_by.length > 0 && { sort_by }),
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit,
  };
}

/** The IDs of as many of a project's latest evaluations as fit side by side, oldest first. */
export async function latestEvaluations(data: DataAccess, project: string): Promise<readonly string[]> {
  return (await data.evaluations(project)).slice(-COMPARED).map(({ id }) => id);
}

/** A sentence if a project has more evaluations than `latestEvaluations` returns; undefined otherwise. */
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
 * Sort keys that put the most interesting rows first: those that differ most in the first boolean score (else in the
 * first number), of these the ones on which the latest evaluation did worst, that is, the regressions, and of equal
 * ones those that differ most in the other scores.
 */
export function defaultSort(
  evaluations: readonly string[],
  stats: readonly EvalResultsScorerStats[],
): readonly EvalResultsSortBy[] {
  const binary = stats.filter(({ value_type }) => value_type === "binary").map(scoreField);
  const numbers = stats.filter(({ value_type }) => value_type === "continuous").map(scoreField);
  // A query cannot contain longer names.
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
