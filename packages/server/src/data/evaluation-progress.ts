// The progress of evaluations: the summary so far, and the root call, which records the end.

import type { ProgressSource } from "@assay/adapters-http";
import type { ServerData } from "./server-data.ts";

/** The progress of the evaluations in open data. */
export function evaluationProgress(data: Pick<ServerData, "query" | "traces">): ProgressSource {
  return {
    async progress(project, evaluations) {
      const body = { evaluation_call_ids: evaluations, include_rows: false, include_summary: true };
      const answer = await data.query(project, body);
      if (!answer.ok) throw new Error(`the watched query is invalid: ${answer.issues[0]?.message}`);
      const { summary } = answer.value;
      const roots = await data.traces.calls.get(project, evaluations);
      return evaluations.map((id, i) => {
        const of = summary?.evaluations.find((one) => one.evaluation_call_id === id);
        return {
          evaluation_call_id: id,
          display_name: roots[i]?.display_name ?? null,
          started_at: roots[i]?.started_at ?? null,
          ended_at: roots[i]?.ended_at ?? null,
          trial_count: of?.trial_count ?? 0,
          scorer_stats: of?.scorer_stats ?? [],
        };
      });
    },
  };
}
