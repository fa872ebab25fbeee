// What one more filter on a field of the row is about, so that it keeps of the rows that a query selects exactly those that
// meet it, and lets in none that the query leaves out.

import type { EvalQuery } from "./request.ts";

/**
 * The evaluation for such a filter, null for every one; undefined when no single filter expresses it. It is about all
 * evaluations when one of the query's filters is, or when there are none and a row may match in any evaluation; and
 * about one when the query's filters are only about that one, or must all match.
 */
export function evaluationOfAdded({
  filters,
  evaluations,
  matchAll,
  intersect,
}: EvalQuery): string | null | undefined {
  const scopes = new Set(filters.map(({ evaluation }) => evaluation));
  // A filter that every evaluation must match leaves out rows that one of them lacks.
  if (scopes.size === 0) return !matchAll || intersect || evaluations.length < 2 ? null : undefined;
  if (scopes.has(null)) return null;
  const [one] = scopes;
  return scopes.size === 1 || matchAll ? one : undefined;
}
