// The scores of a row: of every trial of both sides, with the differences and the texts of judges.

import type { Json } from "@assay/base";
import type { EvalResultsTrial } from "@assay/eval-engine";
import { cutText, measureName, rowDifference, signedText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { changeTone, type Directions } from "../../format/change-tone.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { durationText } from "../../format/time.ts";
import { scoreLeaves } from "../../format/values/score-leaves.ts";
import { Letter } from "../../parts/letter.tsx";
import { Trials } from "../../parts/trials.tsx";

/** The most characters of a text, such as a judge's reason. */
const MOST_REASON = 4000;

/** A side: an evaluation, its trials of the row, and the index of the shown one. */
export interface ScoreSide {
  readonly one: NamedEvaluation;
  readonly trials: readonly EvalResultsTrial[];
  readonly at: number;
}

/** Every score of the row, over the trials of both sides. */
export function RowScores({
  sides,
  directions,
}: {
  readonly sides: readonly ScoreSide[];
  readonly directions: Directions;
}): JSX.Element {
  const leaves = sides.map(({ trials }) => trials.map((trial) => scoreLeaves(trial.scores as Json)));
  const fields = [...new Set(leaves.flat().flatMap((leaf) => [...leaf.keys()]))];
  const latencies = sides.map(({ trials }) => trials.map(({ model_latency_seconds: seconds }) => seconds));
  if (fields.length === 0) return <p class="muted">No trial of this row has a score.</p>;
  return (
    <table class="score-table">
      <thead>
        <tr>
          <th scope="col">score</th>
          {sides.map(({ one }) => (
            <th scope="col" key={one.id}>
              <Letter index={one.index} />
            </th>
          ))}
          {sides.length === 2 && <th scope="col">difference</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const values = leaves.map((trials) => trials.map((leaf) => leaf.get(field) ?? null));
          const isText = values.flat().some((value) => typeof value === "string");
          const means = values.map(meanOf);
          const [a, b] = means;
          const by = a == null || b == null ? null : rowDifference(a, b);
          const tone = changeTone(by, directions.get(field));
          return (
            <tr key={field}>
              <th scope="row">{shown(measureName(field))}</th>
              {values.map((of, side) => (
                <td key={sides[side]!.one.id} class={isText ? "reason" : ""}>
                  {isText ? (
                    shown(cutText(String(of[sides[side]!.at] ?? "—"), MOST_REASON))
                  ) : (
                    <Trials values={of as (boolean | number | null)[]} />
                  )}
                </td>
              ))}
              {sides.length === 2 && (
                <td class={`number ${by === null || by === 0 ? "muted" : tone}`}>
                  {by === null
                    ? ""
                    : by === 0
                      ? "="
                      : `${{ better: "▲ ", worse: "▼ ", even: "" }[tone]}${signedText(by)}`}
                </td>
              )}
            </tr>
          );
        })}
        <tr>
          <th scope="row">latency</th>
          {latencies.map((of, side) => {
            const mean = meanOf(of);
            return <td key={sides[side]!.one.id}>{mean === null ? "—" : durationText(mean)}</td>;
          })}
          {sides.length === 2 && <td />}
        </tr>
        <tr>
          <th scope="row">tokens</th>
          {sides.map(({ one, trials }) => {
            const mean = meanOf(trials.map(({ total_tokens: tokens }) => tokens));
            return <td key={one.id}>{mean === null ? "—" : mean.toLocaleString("en")}</td>;
          })}
          {sides.length === 2 && <td />}
        </tr>
      </tbody>
    </table>
  );
}

function meanOf(values: readonly (boolean | number | string | null)[]): number | null {
  const numbers = values.flatMap((value) =>
    value === null || typeof value === "string" ? [] : Number(value),
  );
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
