// The scores of a list of evaluations: what each has on average, as columns.

import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, numberText, rateText, scoreField } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useQuery } from "../data/use-query.ts";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";

/** How many of the newest evaluations have their scores loaded. */
const MOST_EVALUATIONS = 20;
/** The number of score columns: the scores that most of the evaluations have. */
const MOST_SCORES = 4;

/** Scores to draw as columns. */
export interface ScoreColumns {
  readonly heads: readonly JSX.Element[];
  cells(evaluation: string): readonly JSX.Element[];
}

/** The scores of the first of these evaluations. No columns until they are loaded, and none if nothing was scored. */
export function useScoreColumns(project: string, evaluations: readonly string[]): ScoreColumns {
  const { api, refresh } = useApp();
  const ids = evaluations.slice(0, MOST_EVALUATIONS);
  const loaded = useQuery(JSON.stringify([project, ids, refresh.value]), (signal) =>
    api.query(project, { evaluation_call_ids: ids, include_rows: false, include_summary: true }, signal),
  );
  const found = new Map<string, Map<string, EvalResultsScorerStats>>();
  for (const { evaluation_call_id, scorer_stats } of loaded.value?.summary?.evaluations ?? [])
    for (const stats of scorer_stats) {
      if (stats.pass_rate === null && stats.numeric_mean === null) continue;
      const name = measureName(scoreField(stats));
      const of = found.get(name) ?? new Map<string, EvalResultsScorerStats>();
      found.set(name, of.set(evaluation_call_id, stats));
    }
  const scores = [...found].sort(([, a], [, b]) => rank(b) - rank(a)).slice(0, MOST_SCORES);
  return {
    heads: scores.map(([name]) => (
      <th scope="col" class="side" key={name}>
        {shown(name)}
      </th>
    )),
    cells: (evaluation) =>
      scores.map(([name, of]) => (
        <td class="side number score-mean" key={name}>
          {meanOf(of.get(evaluation))}
        </td>
      )),
  };
}

/** A boolean score says more than a number. */
function rank(of: ReadonlyMap<string, EvalResultsScorerStats>): number {
  const passes = [...of.values()].some(({ pass_rate }) => pass_rate !== null);
  return of.size + (passes ? 0.5 : 0);
}

function meanOf(stats: EvalResultsScorerStats | undefined): string {
  const { pass_rate = null, numeric_mean = null } = stats ?? {};
  if (pass_rate !== null) return rateText(pass_rate);
  return numeric_mean === null ? "—" : numberText(numeric_mean);
}
