// The scores of a list of evaluations: the mean of each, as columns.

import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, numberText, rateText, scoreField, statsAsCompared } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";

/** The number of evaluations whose scores are loaded together. */
const AT_ONCE = 20;
/** The number of score columns: the scores that most of the evaluations have. */
const MOST_SCORES = 4;

/** Scores to draw as columns. */
export interface ScoreColumns {
  readonly heads: readonly JSX.Element[];
  cells(evaluation: string): readonly JSX.Element[];
}

/** The scores of these evaluations, which fill in as they load. No columns before, and none if nothing was scored. */
export function useScoreColumns(project: string, evaluations: readonly string[]): ScoreColumns {
  const { api, refresh } = useApp();
  const [loaded, setLoaded] = useState<ReadonlyMap<string, readonly EvalResultsScorerStats[]>>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    const load = async (): Promise<void> => {
      for (let from = 0; from < evaluations.length; from += AT_ONCE) {
        const ids = evaluations.slice(from, from + AT_ONCE);
        const body = { evaluation_call_ids: ids, include_rows: false, include_summary: true };
        const { summary } = await api.query(project, body, stop.signal);
        if (stop.signal.aborted) return;
        const stats = new Map(
          (summary?.evaluations ?? []).map((one) => [
            one.evaluation_call_id,
            one.scorer_stats.map(statsAsCompared),
          ]),
        );
        setLoaded((before) => new Map([...before, ...ids.map((id) => [id, stats.get(id) ?? []] as const)]));
      }
    };
    // The list works without scores.
    load().catch(() => {});
    return () => stop.abort();
  }, [project, evaluations.join(" "), refresh.value]);
  const found = new Map<string, Map<string, EvalResultsScorerStats>>();
  for (const [id, scorer_stats] of loaded)
    for (const stats of scorer_stats) {
      if (stats.pass_rate === null && stats.numeric_mean === null) continue;
      const name = measureName(scoreField(stats));
      const of = found.get(name) ?? new Map<string, EvalResultsScorerStats>();
      found.set(name, of.set(id, stats));
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
          {loaded.has(evaluation) && meanOf(of.get(evaluation))}
        </td>
      )),
  };
}

/** A boolean score is more informative than a number. */
function rank(of: ReadonlyMap<string, EvalResultsScorerStats>): number {
  const passes = [...of.values()].some(({ pass_rate }) => pass_rate !== null);
  return of.size + (passes ? 0.5 : 0);
}

function meanOf(stats: EvalResultsScorerStats | undefined): string {
  const { pass_rate = null, numeric_mean = null } = stats ?? {};
  if (pass_rate !== null) return rateText(pass_rate);
  return numeric_mean === null ? "—" : numberText(numeric_mean);
}
