// How a score is distributed over rows: in each evaluation, and as the difference of the compared two; and how its
// verdict was computed. Each bar is a group from the server, and opens the rows that it counts.

import type { MeasureComparison } from "@assay/eval-engine";
import type { GroupBy, RowGroupResult, RowGroupsResults } from "@assay/eval-engine/internal";
import {
  cutText,
  type MeasureKind,
  measureName,
  numberText,
  rateText,
  signedText,
} from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, groupsBody } from "../../data/questions.ts";
import { changeTone } from "../../format/change-tone.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { howComputed } from "../../format/how-computed.ts";
import { shown } from "../../format/shown.ts";
import { Histogram } from "../../parts/charts/histogram.tsx";
import { Letter } from "../../parts/letter.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { type Parts, useApp } from "../../state/app.tsx";

/** Properties of a distribution. */
export interface DistributionProps {
  readonly chosen: Chosen;
  readonly evaluations: readonly NamedEvaluation[];
  readonly measure: string;
  readonly kind: MeasureKind;
  /** The pair's comparison at this measure; undefined without one. */
  readonly compared: MeasureComparison | undefined;
  /** Whether lower is better. */
  readonly direction: MeasureComparison["direction"];
  readonly onGo: (parts: Parts) => void;
}

/** A requested histogram: of one evaluation, or of the difference to another. */
interface Spread {
  readonly by: GroupBy;
  readonly one: NamedEvaluation;
  readonly from: NamedEvaluation | undefined;
}

/** The histograms. */
export function Distribution(props: DistributionProps): JSX.Element {
  const { chosen, measure, kind, compared, direction, onGo } = props;
  const { api, refresh } = useApp();
  const spreads = spreadsOf(props);
  const bodies = spreads.map(({ by }) => groupsBody(chosen, by));
  const { project, chips } = chosen.place;
  const groups = useQuery(JSON.stringify(["groups", project, bodies, refresh.value]), (signal) =>
    Promise.all(bodies.map((body) => api.groups(project, body, signal))),
  );
  if (groups.error !== undefined && groups.value === undefined) return <Refused error={groups.error} />;
  const answers = groups.value ?? [];
  const highest = (of: readonly RowGroupsResults[]) =>
    Math.max(0, ...of.flatMap((answer) => answer.groups.map(({ rows }) => rows)));
  const single = answers.filter((_, at) => spreads[at]?.from === undefined);
  return (
    <section class="panel" aria-label="Distribution">
      <Busy on={groups.loading} />
      <div class="histograms">
        {answers.length === spreads.length &&
          spreads.map((spread, at) => {
            const answer = answers[at]!;
            // By name: letters change with the evaluations that are compared.
            const { one, from } = spread;
            const sides = [one, ...(from === undefined ? [] : [from])].map(({ name }) => cutText(name, 20));
            const name = `${sides.join(" − ")} on ${measureName(measure)}`;
            return (
              <Histogram
                key={titleOf(spread)}
                title={
                  <>
                    <Letters spread={spread} /> <strong>{shown(measureName(measure))}</strong>
                  </>
                }
                highest={spread.from === undefined ? highest(single) : highest([answer])}
                colour={spread.from === undefined ? spread.one.index : undefined}
                bars={merged(answer.groups, spread.from !== undefined, kind).map((group) => ({
                  label: group.label,
                  rows: group.rows,
                  tone: toneOf(group, spread.from !== undefined, direction),
                  onOpen: () =>
                    onGo({
                      tab: "rows",
                      change: undefined,
                      chips: [
                        ...chips,
                        {
                          kind: "row",
                          label: `${name}: ${group.label}`,
                          filter: group.row_filter,
                        },
                      ],
                    }),
                }))}
              />
            );
          })}
      </div>
      {compared !== undefined && <How measure={compared} />}
    </section>
  );
}

function spreadsOf({ chosen, evaluations, measure }: DistributionProps): readonly Spread[] {
  const named = (id: string | undefined) => evaluations.find((one) => one.id === id);
  const [left, right] = [named(chosen.baseline), named(chosen.candidate)];
  const each = evaluations.map((one) => ({
    by: { field: measure, evaluation_call_id: one.id },
    one,
    from: undefined,
  }));
  if (left === undefined || right === undefined) return each;
  const by = { field: measure, evaluation_call_id: right.id, baseline: left.id };
  return [{ by, one: right, from: left }, ...each];
}

function titleOf({ one, from }: Spread): string {
  return from === undefined ? one.letter : `${one.letter} − ${from.letter}`;
}

function Letters({ spread: { one, from } }: { readonly spread: Spread }) {
  return (
    <>
      <Letter index={one.index} />
      {from !== undefined && (
        <>
          {" − "}
          <Letter index={from.index} />
        </>
      )}
    </>
  );
}

/**
 * The groups with their labels. Values with equal labels, such as a third from two different sums, become one bar: no
 * other value lies between them.
 */
function merged(
  groups: readonly RowGroupResult[],
  isDifference: boolean,
  kind: MeasureKind,
): readonly RowGroupResult[] {
  const found: RowGroupResult[] = [];
  for (const group of groups) {
    const label = labelOf(group, isDifference, kind);
    const before = found.at(-1);
    if (group.kind === "value" && before?.label === label && typeof group.value === "number") {
      const { equals, ...filter } = before.row_filter;
      const at_least = filter.at_least ?? (equals as number);
      const row_filter = { ...filter, at_least, at_most: group.value };
      found[found.length - 1] = { ...before, rows: before.rows + group.rows, row_filter };
    } else found.push({ ...group, label });
  }
  return found;
}

function toneOf(
  { kind, value, low, high }: RowGroupResult,
  isDifference: boolean,
  direction: MeasureComparison["direction"],
) {
  if (kind === "missing") return "missing";
  if (!isDifference) return "even";
  const [from, to] = kind === "value" ? [Number(value), Number(value)] : [low ?? 0, high ?? 0];
  if (to <= 0 && from < 0) return changeTone(-1, direction);
  if (from >= 0 && to > 0) return changeTone(1, direction);
  // Zero, or a range that contains it.
  return "even";
}

function labelOf(group: RowGroupResult, isDifference: boolean, kind: MeasureKind): string {
  const { value, low, high, label } = group;
  const text = (number: number): string => {
    if (isDifference && number === 0) return "0";
    if (kind === "boolean")
      return isDifference ? `${signedText(Math.round(100 * number))} pt` : rateText(number);
    return isDifference ? signedText(number) : numberText(number);
  };
  if (group.kind === "missing") return "unscored";
  if (group.kind === "value" && typeof value === "number") return text(value);
  if (group.kind !== "range") return label;
  return [...new Set([low, high].map((bound) => text(bound ?? 0)))].join(" to ");
}

/** How the verdict was computed. */
function How({ measure }: { readonly measure: MeasureComparison }) {
  return (
    <section class="how">
      <h2>How this was computed</h2>
      <ul>
        {howComputed(measure).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}
