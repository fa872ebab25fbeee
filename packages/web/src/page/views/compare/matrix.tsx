// Scores by evaluation: the mean of each, its number of trials, and its verdict against the baseline.

import type {
  CompareResults,
  EvalResultsScorerStats,
  EvalResultsSummary,
  MeasureComparison,
} from "@assay/eval-engine";
import {
  countText,
  differenceText,
  evidenceText,
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
import { VERDICTS } from "../../parts/verdict.tsx";

/** Properties of the matrix. */
export interface MatrixProps {
  readonly summary: EvalResultsSummary | null;
  readonly evaluations: readonly NamedEvaluation[];
  /** The comparison of all with the baseline, if there is one. */
  readonly compared: CompareResults | undefined;
  readonly baseline: string | undefined;
  readonly focus: string | undefined;
  readonly onFocus: (field: string) => void;
}

/** The matrix. */
export function Matrix(props: MatrixProps): JSX.Element {
  const { summary, evaluations, compared, baseline, focus, onFocus } = props;
  const verdicts = new Map(
    (compared?.comparisons ?? []).flatMap(({ candidate, measures }) =>
      measures.map((measure) => [keyOf(candidate, measure.field), measure] as const),
    ),
  );
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
                {one.id === baseline && evaluations.length > 1 && <span class="muted"> baseline</span>}
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
                  <Change measure={verdicts.get(keyOf(id, field))} level={compared?.level ?? 0} />
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

function keyOf(first: string, second: string | null): string {
  return JSON.stringify([first, second]);
}

/** The difference from the baseline, with its verdict. */
function Change({
  measure,
  level,
}: {
  readonly measure: MeasureComparison | undefined;
  readonly level: number;
}) {
  if (measure === undefined || measure.difference === null) return null;
  const { glyph, word, tone } = VERDICTS[measure.verdict];
  return (
    <span class={`change ${tone}`} title={`${word}: ${evidenceText(measure, level)}`}>
      {` ${glyph} `}
      {differenceText(measure.kind, measure.difference, measure.interval).replace(" points", " pt")}
      <span class="unseen"> {word}</span>
    </span>
  );
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
