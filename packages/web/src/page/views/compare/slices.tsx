// Where it got better and where worse: the pair by the fields of its rows, with false discoveries held down.

import type { SlicesResults } from "@assay/eval-engine";
import type { Slice } from "@assay/eval-engine/internal";
import {
  chanceText,
  differenceBoundsText,
  differenceText,
  meanText,
  measureName,
  numberText,
  unclearText,
} from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Chosen, slicesBody } from "../../data/questions.ts";
import { useQuery } from "../../data/use-query.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { Interval } from "../../parts/interval.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { VERDICTS } from "../../parts/verdict.tsx";
import { type Parts, useApp } from "../../state/app.tsx";

/** What to slice. */
export interface SlicesProps {
  readonly chosen: Chosen;
  readonly evaluations: readonly NamedEvaluation[];
  readonly measure: string;
  readonly onGo: (parts: Parts) => void;
}

/** The number of slices drawn at first. */
const SHOWN = 100;

/** The slices. */
export function Slices({ chosen, evaluations, measure, onGo }: SlicesProps): JSX.Element {
  const { api, refresh } = useApp();
  const { place, baseline, candidate } = chosen;
  const body = baseline === undefined ? undefined : slicesBody(chosen, measure);
  const slices = useQuery(body && JSON.stringify(["slices", place.project, body, refresh.value]), (signal) =>
    api.slices(place.project, body!, signal),
  );
  const [by, setBy] = useState(place.by.join(" "));
  const letter = (id: string | undefined) => evaluations.find((one) => one.id === id)?.letter ?? "";
  if (body === undefined) return <p class="notice">Slices compare two evaluations: add another one.</p>;
  if (slices.error !== undefined && slices.value === undefined) return <Refused error={slices.error} />;
  const { value } = slices;
  return (
    <section class="panel" aria-label="Slices">
      <form
        class="line slices-form"
        onSubmit={(event) => {
          event.preventDefault();
          onGo({ by: by.split(/\s+/).filter((field) => field !== "") });
        }}
      >
        <label>
          by{" "}
          <input
            value={by}
            placeholder="all fields that divide the rows"
            onInput={(event) => setBy(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Slice</button>
        {value !== undefined && <span class="muted">{looked(value, measure)}</span>}
      </form>
      <Busy on={slices.loading} />
      {value !== undefined && (
        <SliceTable
          value={value}
          letters={[letter(baseline), letter(candidate)]}
          chosen={chosen}
          onGo={onGo}
        />
      )}
    </section>
  );
}

function looked({ looked_at, tested, slices }: SlicesResults, measure: string): string {
  const found = slices.filter(({ verdict }) => verdict === "improved" || verdict === "regressed").length;
  return `${found} of ${tested} testable slices ${found === 1 ? "differs" : "differ"} on ${measureName(measure)} (${looked_at} in all; false-discovery rate 5%)`;
}

interface SliceTableProps {
  readonly value: SlicesResults;
  readonly letters: readonly [string, string];
  readonly chosen: Chosen;
  readonly onGo: (parts: Parts) => void;
}

function SliceTable({ value, letters, chosen, onGo }: SliceTableProps) {
  const { kind, direction } = value.whole;
  const reach = Math.max(
    0,
    ...value.slices.map(({ interval }) =>
      interval === null ? 0 : Math.max(Math.abs(interval.low), Math.abs(interval.high)),
    ),
  );
  return (
    <table class="score-table slices">
      <thead>
        <tr>
          <th scope="col">slice</th>
          <th scope="col" class="side">
            rows
          </th>
          <th scope="col" class="side">
            {letters[0]}
          </th>
          <th scope="col" class="side">
            {letters[1]}
          </th>
          <th scope="col" class="drawn">
            {letters[1]} − {letters[0]}
          </th>
          <th scope="col">difference</th>
          <th scope="col">verdict</th>
          <th scope="col">q</th>
        </tr>
      </thead>
      <tbody>
        {value.slices.slice(0, SHOWN).map((slice) => {
          const label = labelOf(slice);
          const { filter } = slice;
          const { glyph, word, tone } = VERDICTS[slice.verdict];
          const unclear = slice.interval === null ? undefined : unclearText(slice);
          return (
            <tr key={label}>
              <th scope="row">
                {filter === null ? (
                  label
                ) : (
                  <button
                    type="button"
                    class="link name"
                    onClick={() =>
                      onGo({ tab: "rows", chips: [...chosen.place.chips, { kind: "filter", label, filter }] })
                    }
                  >
                    {label}
                  </button>
                )}
              </th>
              <td class="side number">{slice.rows.toLocaleString("en")}</td>
              <td class="side number">{meanText(kind, slice.baseline_mean)}</td>
              <td class="side number">{meanText(kind, slice.candidate_mean)}</td>
              <td class="drawn">
                {slice.interval !== null && slice.difference !== null && (
                  <Interval
                    low={slice.interval.low}
                    high={slice.interval.high}
                    at={slice.difference}
                    reach={reach}
                    betterIs={direction}
                    label={`from ${differenceBoundsText(kind, slice.interval)}`}
                  />
                )}
              </td>
              <td class="number">
                {differenceText(kind, slice.difference, slice.interval).replace(" points", " pt")}
              </td>
              <td class={tone}>
                <span aria-hidden="true">{glyph}</span> {word}
                {unclear !== undefined && <div class="muted">{unclear}</div>}
              </td>
              <td class="number">{slice.q_value === null ? "too few rows" : chanceText(slice.q_value)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function labelOf({ fields }: Slice): string {
  return fields
    .map(({ field, value, low, high }) => {
      const name = shown(field.replace(/^inputs\./, ""));
      if (value !== null) return `${name} = ${shown(String(value))}`;
      return low === null && high === null
        ? `${name} is missing`
        : `${name} ${numberText(low ?? 0)} to ${numberText(high ?? 0)}`;
    })
    .join(" and ");
}
