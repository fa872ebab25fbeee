// Determines which evaluation an additional filter on a field of the row must name, so that it keeps exactly those rows
// of the query that meet it, and adds none.

import type { EvalQuery } from "./request.ts";

/**
 * The evaluation that such a filter must name, null for all; undefined if no single filter can express it. It is null
 * if a filter of the query applies to all evaluations, or if there are no filters and a row may match in any
 * evaluation. It is a single evaluation if the query's filters name only that one, or must all match.
 */
export function evaluationOfAdded({
  filters,
  evaluations,
  matchAll,
  intersect,
}: EvalQuery): string | null | undefined {
  const scopes = new Set(filters.map(({ evaluation }) => evaluation));
  // A filter that every evaluation must match excludes rows that one of them lacks.
  if (scopes.size === 0) return !matchAll || intersect || evaluations.length < 2 ? null : undefined;
  if (scopes.has(null)) return null;
  const [one] = scopes;
  return scopes.size === 1 || matchAll ? one : undefined;
}
