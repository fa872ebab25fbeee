// The query to begin with: the latest evaluations side by side, the rows that they differ on most first.

import type { EvalResultsQueryBody, EvalResultsScorerStats } from "@assay/eval-engine";
import type { DataAccess } from "./data-access.ts";
import { scoreField } from "./missing-names.ts";

/** Evaluations that are compared: what fits side by side in a terminal. */
const COMPARED = 3;

/** The body of a comparison of the latest evaluations of a project, the oldest of them first, with `limit` rows. */
export async function comparisonOf(
  data: DataAccess,
  project: string,
  limit: number,
): Promise<EvalResultsQueryBody> {
  const listed = await data.evaluations(project);
  const evaluation_call_ids = listed.slice(-COMPARED).map(({ id }) => id);
  const summary = await data.query(project, {
    evaluation_call_ids,
    include_rows: false,
    include_summary: true,
  });
  const stats = summary.ok ? (summary.value.summary?.evaluations ?? []) : [];
  const field = mostTelling(stats.flatMap(({ scorer_stats }) => scorer_stats));
  return {
    evaluation_call_ids,
    ...(field !== undefined && {
      sort_by:
        evaluation_call_ids.length > 1
          ? [{ field, direction: "desc", mode: "difference" }]
          : [{ field, direction: "asc" }],
    }),
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit,
  };
}

/** The score to sort by: the first that passes or fails, else the first number. */
function mostTelling(stats: readonly EvalResultsScorerStats[]): string | undefined {
  const best =
    stats.find(({ value_type }) => value_type === "binary") ??
    stats.find(({ value_type }) => value_type === "continuous");
  return best && scoreField(best);
}
