// The trials that a query selects, by evaluation, for a file with some of the rows.

import { Fault } from "@assay/base";
import type { EvalResultsQueryBody } from "@assay/eval-engine";
import type { DataAccess } from "../data/data-access.ts";

/** The kept trials of one evaluation. */
export interface KeptTrials {
  /** The IDs of their predict-and-score calls. */
  readonly trials: ReadonlySet<string>;
  /** The number of their rows. */
  readonly rows: number;
}

// The number of rows per request.
const PAGE = 1000;

/** The trials of all rows that `body` selects, by evaluation. */
export async function keptTrials(
  data: Pick<DataAccess, "query">,
  project: string,
  body: EvalResultsQueryBody,
): Promise<ReadonlyMap<string, KeptTrials>> {
  const kept = new Map<string, { trials: Set<string>; rows: number }>();
  for (let offset = 0; ; offset += PAGE) {
    const answer = await data.query(project, { ...body, include_raw_data_rows: false, limit: PAGE, offset });
    if (!answer.ok) throw new Fault("unavailable", "the rows of an export were refused");
    const { rows } = answer.value;
    for (const row of rows) {
      for (const { evaluation_call_id: id, trials } of row.evaluations) {
        const of = kept.get(id) ?? { trials: new Set(), rows: 0 };
        kept.set(id, of);
        of.rows++;
        for (const { predict_and_score_call_id: trial } of trials) of.trials.add(trial);
      }
    }
    if (rows.length < PAGE) return kept;
  }
}
