// Scores by evaluation: the mean of each, and its number of trials.

import type { EvalResultsScorerStats, EvalResultsSummary } from "@assay/eval-engine";
import {
  countText,
  measureName,
  numberText,
  rateText,
  scoreField,
  statsAsCompared,
} from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { scoreFields } from "../../data/measures.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { Letter } from "../../parts/letter.tsx";

/** Properties of the matrix. */
export interface MatrixProps {
  readonly summary: EvalResultsSummary | null;
  readonly evaluations: readonly NamedEvaluation[];
  readonly focus: string | undefined;
  readonly onFocus: (field: string) => void;
}

/** The matrix. */
export function Matrix({ summary, evaluations, focus, onFocus }: MatrixProps): JSX.Element {
  const entries = new Map((summary?.evaluations ?? []).map((one) => [one.evaluation_call_id, one]));
  const measured = scoreFields(summary);
  const scores = new Map<string, string>();
  for (const { scorer_stats } of entries.values())
    for (const stat of scorer_stats) scores.set(keyOf(stat.scorer_key, stat.path), scoreField(stat));
  return (
    <div class="matrix-box">
      <table class="score-table matrix">
        <caption class="unseen">
          Scores by evaluation, over {countText(summary?.row_count ?? 0, "row")}
        </caption>
        <thead>
          <tr>
            <th scope="col">score</th>
            {evaluations.map((one) => (
              <th scope="col" key={one.id}>
                <Letter index={one.index} /> {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...scores].map(([key, field]) => (
            <tr key={key} class={field === focus ? "focus" : ""}>
              <th scope="row">
                {measured.includes(field) ? (
                  <button type="button" class="link name" onClick={() => onFocus(field)}>
                    {shown(measureName(field))}
                  </button>
                ) : (
                  shown(measureName(field))
                )}
              </th>
              {evaluations.map(({ id }) => (
                <td key={id}>
                  <Stats
                    stats={entries
                      .get(id)
                      ?.scorer_stats.find((one) => keyOf(one.scorer_key, one.path) === key)}
                  />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">trials</th>
            {evaluations.map(({ id }) => (
              <td key={id}>{entries.get(id)?.trial_count.toLocaleString("en") ?? "—"}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">tokens</th>
            {evaluations.map(({ id }) => (
              <td key={id}>{entries.get(id)?.predict_total_tokens?.toLocaleString("en") ?? "—"}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function keyOf(scorerKey: string, path: string | null): string {
  return JSON.stringify([scorerKey, path]);
}

function Stats({ stats }: { readonly stats: EvalResultsScorerStats | undefined }) {
  if (stats === undefined) return <span class="muted">—</span>;
  const { pass_rate, pass_true_count, pass_known_count, numeric_mean, numeric_count, trial_count } =
    statsAsCompared(stats);
  if (pass_rate !== null)
    return (
      <span>
        <meter min={0} max={1} value={pass_rate} aria-hidden="true" /> {rateText(pass_rate)}{" "}
        <span class="muted">
          {pass_true_count.toLocaleString("en")}/{pass_known_count.toLocaleString("en")}
        </span>
      </span>
    );
  if (numeric_mean !== null)
    return (
      <span>
        {numberText(numeric_mean)} <span class="muted">mean of {numeric_count.toLocaleString("en")}</span>
      </span>
    );
  return <span class="muted">{countText(trial_count, "text")}</span>;
}
