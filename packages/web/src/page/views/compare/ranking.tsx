// Ranks evaluations, with the range of ranks that each may have instead of an order due to chance.

import type { RankingResults } from "@assay/eval-engine";
import {
  countText,
  type MeasureKind,
  meanBoundsText,
  meanText,
  measureName,
  rankReasonText,
} from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, rankingBody } from "../../data/questions.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { Interval } from "../../parts/charts/interval.tsx";
import { Letter } from "../../parts/letter.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { useApp } from "../../state/app.tsx";

/** What to rank. */
export interface RankingProps {
  readonly chosen: Chosen;
  readonly evaluations: readonly NamedEvaluation[];
  readonly measure: string;
  readonly kind: MeasureKind;
}

/** The ranking. */
export function RankingView({ chosen, evaluations, measure, kind }: RankingProps): JSX.Element {
  const { api, refresh } = useApp();
  const { project } = chosen.place;
  const body = rankingBody(chosen, measure);
  const ranking = useQuery(JSON.stringify(["ranking", project, body, refresh.value]), (signal) =>
    api.ranking(project, body, signal),
  );
  if (ranking.error !== undefined && ranking.value === undefined) return <Refused error={ranking.error} />;
  if (ranking.value === undefined) return <Busy on />;
  return (
    <section class="panel" aria-label="Ranking">
      <p class="line muted">
        By {shown(measureName(measure))}, over {countText(ranking.value.row_count, "row")}. Tied evaluations
        share a range of places.
      </p>
      <Places value={ranking.value} evaluations={evaluations} kind={kind} />
    </section>
  );
}

function Places({
  value,
  evaluations,
  kind,
}: Pick<RankingProps, "evaluations" | "kind"> & { readonly value: RankingResults }) {
  const find = (id: string) => evaluations.find((named) => named.id === id);
  const [from, to] = axisOf(value);
  const nameOf = (id: string): string => find(id)?.name ?? id;
  return (
    <table class="score-table ranking">
      <thead>
        <tr>
          <th scope="col">place</th>
          <th scope="col">evaluation</th>
          <th scope="col" class="side">
            mean
          </th>
          <th scope="colgroup" colSpan={2}>
            95% CI
          </th>
          <th scope="col" class="side">
            rows
          </th>
        </tr>
      </thead>
      <tbody>
        {value.evaluations.map((ranked) => {
          const { evaluation_call_id: id, rank, mean, interval, rows } = ranked;
          const ahead = rankReasonText(kind, ranked, nameOf);
          const one = find(id);
          return (
            <tr key={id}>
              <td class="number">
                {rank === null ? "—" : rank.low === rank.high ? rank.low : `${rank.low}–${rank.high}`}
              </td>
              <th scope="row">
                {one !== undefined && <Letter index={one.index} />} {one?.name}
                {ahead !== undefined && <div class="ahead muted">{shown(ahead)}</div>}
              </th>
              <td class="side number">{meanText(kind, mean)}</td>
              <td class="drawn">
                {interval !== null && mean !== null && (
                  <Interval
                    low={interval.low}
                    high={interval.high}
                    at={mean}
                    from={from}
                    to={to}
                    betterIs={null}
                    label={`from ${meanBoundsText(kind, interval)}`}
                  />
                )}
              </td>
              <td class="number">{meanBoundsText(kind, interval)}</td>
              <td class="side number">{rows.toLocaleString("en")}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The ends of the axis for all intervals. */
function axisOf({ evaluations }: RankingResults): readonly [number, number] {
  const ends = evaluations.flatMap(({ interval }) =>
    interval === null ? [] : [interval.low, interval.high],
  );
  return [Math.min(...ends), Math.max(...ends)];
}
