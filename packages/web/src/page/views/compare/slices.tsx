// Where the candidate got better or worse: the pair in slices of its rows, with control of false discoveries.

import type { SlicesResults } from "@assay/eval-engine";
import type { Slice } from "@assay/eval-engine/internal";
import {
  chanceText,
  countText,
  differenceBoundsText,
  differenceText,
  differs,
  dividingSlices,
  isTested,
  meanText,
  measureName,
  rowField,
  sliceText,
  unclearText,
} from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, slicesBody } from "../../data/questions.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { Interval } from "../../parts/charts/interval.tsx";
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
  const [by, setBy] = useState(place.by.map((field) => field.replace(/^inputs\./, "")).join(", "));
  const letter = (id: string | undefined) => evaluations.find((one) => one.id === id)?.letter ?? "";
  if (body === undefined) return <p class="notice">Slices compare two evaluations: add another one.</p>;
  const { value } = slices;
  return (
    <section class="panel" aria-label="Slices">
      <form
        class="line slices-form"
        onSubmit={(event) => {
          event.preventDefault();
          onGo({ by: fieldsOf(by) });
        }}
      >
        <label>
          by{" "}
          <input
            value={by}
            placeholder="fields, separated by commas (default: all that divide the rows)"
            onInput={(event) => setBy(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Slice</button>
        {value !== undefined && <span class="muted">{looked(value)}</span>}
      </form>
      <Busy on={slices.loading} />
      {slices.error !== undefined && <Refused error={slices.error} />}
      {value?.warnings
        .filter(({ code }) => code === "unknown_field" || code === "too_many_slices")
        .map(({ text }) => (
          <p key={text} class="notice worse" role="alert">
            {shown(text)}
          </p>
        ))}
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

/** The typed fields. */
function fieldsOf(text: string): readonly string[] {
  return text.split(",").flatMap((name) => (name.trim() === "" ? [] : rowField(name.trim())));
}

function looked({ looked_at, tested, slices, whole }: SlicesResults): string {
  if (looked_at === 0) return "No field divides these rows.";
  if (tested === 0) return `None of ${countText(looked_at, "slice")} has enough rows to test.`;
  const found = slices.filter((slice) => differs(slice, 0.95));
  const worse = found.filter(isWorse).length;
  const split =
    whole.direction === null || found.length === 0 ? "" : `: ${worse} worse, ${found.length - worse} better`;
  return `${found.length === 0 ? "None" : found.length} of ${countText(tested, "testable slice")} ${found.length < 2 ? "differs" : "differ"} on ${shown(measureName(whole.field))} (false-discovery rate 5%)${split}.`;
}

function isWorse({ verdict }: Slice): boolean {
  return verdict === "regressed";
}

interface SliceTableProps {
  readonly value: SlicesResults;
  readonly letters: readonly [string, string];
  readonly chosen: Chosen;
  readonly onGo: (parts: Parts) => void;
}

function SliceTable({ value, letters, chosen, onGo }: SliceTableProps) {
  const { kind, direction } = value.whole;
  const { dividing, apart } =
    chosen.place.by.length > 0 ? { dividing: value.slices, apart: [] } : dividingSlices(value.slices);
  const reach = Math.max(
    0,
    ...dividing.map(({ interval }) =>
      interval === null ? 0 : Math.max(Math.abs(interval.low), Math.abs(interval.high)),
    ),
  );
  // The most certain first; slices that got worse before them.
  const drawn = [...dividing.filter(isWorse), ...dividing.filter((slice) => !isWorse(slice))].slice(0, SHOWN);
  const left = [
    ...(apart.length > 0 ? [`Not shown: slices by ${apart.join(", ")}, of about one row each.`] : []),
    ...(dividing.length > drawn.length
      ? [`${countText(dividing.length - drawn.length, "more slice")} not shown: name fewer fields.`]
      : []),
  ];
  return (
    <>
      {drawn.length > 0 && (
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
              <th scope="col" title="Adjusted for the number of tested slices (false-discovery rate)">
                adjusted p
              </th>
            </tr>
          </thead>
          <tbody>
            {drawn.map((slice, at) => {
              const label = shown(sliceText(slice));
              const { filter } = slice;
              const { glyph, word, tone } = isTested(slice)
                ? VERDICTS[slice.verdict]
                : { glyph: "", word: "too few rows to test", tone: "muted" };
              const unclear = slice.interval === null ? undefined : unclearText(slice);
              return (
                <tr key={at}>
                  <th scope="row">
                    {filter === null ? (
                      label
                    ) : (
                      <button
                        type="button"
                        class="link name"
                        onClick={() =>
                          onGo({
                            tab: "rows",
                            chips: [...chosen.place.chips, { kind: "filter", label, filter }],
                          })
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
                        from={-reach}
                        to={reach}
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
                    {unclear !== undefined && <div class="bounds">{unclear}</div>}
                  </td>
                  <td class="number">{slice.q_value === null ? "—" : chanceText(slice.q_value)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {left.map((text) => (
        <p key={text} class="line muted">
          {shown(text)}
        </p>
      ))}
    </>
  );
}
