// All measures of a comparison: both sides with their intervals and unscored rows, the difference, and the verdict.

import type { CompareResults, MeasureComparison } from "@assay/eval-engine";
import type { MeasureSide } from "@assay/eval-engine/internal";
import {
  chanceText,
  countText,
  differenceBoundsText,
  differenceText,
  levelText,
  meanBoundsText,
  meanText,
  measureName,
  unclearText,
} from "@assay/eval-engine/words";
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { NamedEvaluation } from "../format/evaluation-names.ts";
import { howComputed } from "../format/how-computed.ts";
import { shown } from "../format/shown.ts";
import { memo } from "../state/memo.ts";
import { usePrinting } from "../state/use-printing.ts";
import { Interval } from "./charts/interval.tsx";
import { Letter } from "./letter.tsx";
import { VERDICTS } from "./verdict.tsx";

/** The number of lines before the table is unfolded. */
const FOLDED = 5;

/** Properties of the table. */
export interface ScoreTableProps {
  readonly compared: CompareResults;
  /** Measures of the candidate, the most important first. */
  readonly measures: readonly MeasureComparison[];
  readonly evaluations: readonly NamedEvaluation[];
  readonly baseline: string;
  readonly candidate: string;
  readonly focus: string | undefined;
  readonly onFocus: (field: string) => void;
  /** Shows the distribution of a measure, and how its verdict was computed. */
  readonly onLook: (field: string) => void;
  /** Sets the direction of a score to the next of higher, lower and none. Not for latency and tokens. */
  readonly onTurn: (measure: MeasureComparison) => void;
}

/** The table. */
export const ScoreTable: ComponentType<ScoreTableProps> = memo(function ScoreTable(props: ScoreTableProps) {
  const { compared, measures, evaluations, baseline, candidate } = props;
  const [unfolded, setUnfolded] = useState(false);
  const printing = usePrinting();
  const lines = unfolded || printing ? measures : measures.slice(0, FOLDED);
  const reach = reachOf(measures);
  const letter = (id: string) => evaluations.find((one) => one.id === id)?.letter ?? "";
  return (
    <section class="scores" aria-label="Scores">
      <table class={`score-table${evaluations.length > 3 ? " many" : ""}`}>
        <thead>
          <tr>
            <th scope="col">measure</th>
            {evaluations.map((one) => (
              <th scope="col" key={one.id} class={sideClass(one.id, props)}>
                <Letter index={one.index} />
                {one.id === baseline && <span class="muted"> base</span>}
              </th>
            ))}
            <th scope="col" class="drawn">
              {letter(candidate)} − {letter(baseline)}, {levelText(compared.level)}
            </th>
            <th scope="col">difference</th>
            <th scope="col">verdict</th>
            <th scope="col" class="side">
              rows
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((measure) => (
            <Line key={measure.field} {...props} measure={measure} reach={reach(measure)} />
          ))}
        </tbody>
      </table>
      {measures.length > FOLDED && (
        <button type="button" class="link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? "fewer" : `+ ${measures.length - FOLDED} more`}
        </button>
      )}
    </section>
  );
});

interface LineProps extends ScoreTableProps {
  readonly measure: MeasureComparison;
  readonly reach: number;
}

function Line({
  compared,
  measure,
  reach,
  evaluations,
  baseline,
  candidate,
  focus,
  onFocus,
  onLook,
  onTurn,
}: LineProps) {
  const { adjusted_p, field, kind, direction, interval, difference, verdict } = measure;
  const { glyph, word, tone } = VERDICTS[verdict];
  const sides = new Map<string, MeasureSide>([[baseline, measure.baseline]]);
  for (const { candidate: id, measures } of compared.comparisons) {
    const side = measures.find((one) => one.field === field)?.candidate;
    if (side !== undefined) sides.set(id, side);
  }
  // The rows of the difference, if they are not all rows of the side.
  const together = new Map([
    [baseline, measure.baseline_mean],
    [candidate, measure.candidate_mean],
  ]);
  const name = shown(measureName(field));
  const score = field.startsWith("scores.");
  const how = howComputed(measure).join("\n");
  const unclear = interval === null ? undefined : unclearText(measure);
  const better = betterText(measure);
  return (
    <tr class={field === focus ? "focus" : ""}>
      <th scope="row">
        <button
          type="button"
          class="link name"
          aria-pressed={field === focus}
          title={name}
          onClick={() => onFocus(field)}
        >
          {name}
        </button>
        <button
          type="button"
          class="turn"
          disabled={!score}
          aria-label={`${name}: ${better}${score ? "; change it" : ""}`}
          title={better}
          onClick={() => onTurn(measure)}
        >
          {direction === null ? "↕" : direction === "higher" ? "↑" : "↓"}
        </button>
      </th>
      {evaluations.map(({ id }) => (
        <td class={sideClass(id, { baseline, candidate })} key={id}>
          <Side
            kind={kind}
            side={sides.get(id)}
            pairs={measure.pairs}
            together={together.get(id) ?? null}
            short={evaluations.length > 2}
          />
        </td>
      ))}
      <td class="drawn">
        {interval !== null && difference !== null && (
          <Interval
            low={interval.low}
            high={interval.high}
            at={difference}
            from={-reach}
            to={reach}
            betterIs={direction}
            running={interval.method === "confidence_sequence"}
            label={`from ${differenceBoundsText(kind, interval)}`}
          />
        )}
      </td>
      <td class="number" title={how}>
        {differenceText(kind, difference, interval).replace(" points", " pt")}
      </td>
      <td>
        <button type="button" class={`link ${tone}`} title={how} onClick={() => onLook(field)}>
          <span aria-hidden="true">{glyph}</span> {word}
          <span class="unseen"> on {name}: details and distribution</span>
        </button>
        {unclear !== undefined && (
          <div class="bounds" title={unclear}>
            {adjusted_p === null ? unclear : `adjusted p ${chanceText(adjusted_p)}`}
          </div>
        )}
      </td>
      <td class="side number">
        {measure.paired
          ? measure.pairs.toLocaleString("en")
          : [measure.baseline, measure.candidate].map(({ rows }) => rows.toLocaleString("en")).join(" + ")}
      </td>
    </tr>
  );
}

/** Evaluations that the verdict is not about are hidden where there is no room for them. */
function sideClass(
  id: string,
  { baseline, candidate }: Pick<ScoreTableProps, "baseline" | "candidate">,
): string {
  return id === baseline || id === candidate ? "side" : "side other";
}

/** Which values are better, and why. */
function betterText({
  direction,
  direction_source: source,
}: Pick<MeasureComparison, "direction" | "direction_source">): string {
  if (direction === null)
    return source === null
      ? "no direction: set whether higher or lower is better"
      : "neither higher nor lower is better";
  const said = { asked: ", set by this link", project: "", name: ", from its name", values: "" }[
    source ?? "values"
  ];
  return `${direction} is better${said}`;
}

function Side({
  kind,
  side,
  pairs,
  together,
  short,
}: {
  readonly kind: MeasureComparison["kind"];
  readonly side: MeasureSide | undefined;
  /** The rows of the difference. */
  readonly pairs: number;
  /** The mean of these rows; null for a side that is not part of the difference. */
  readonly together: number | null;
  /** Whether only the title has the interval and the mean of all rows: with more columns, they would hide the verdict. */
  readonly short: boolean;
}) {
  if (side === undefined || side.mean === null) return <span class="muted">—</span>;
  const partial = together !== null && pairs < side.rows;
  const lies = meanBoundsText(kind, side.interval);
  const unscored = side.missing > 0 ? `${side.missing.toLocaleString("en")} unscored` : undefined;
  const all = `${meanText(kind, side.mean)} of all ${side.rows.toLocaleString("en")}`;
  const beside = [
    partial && !short ? `(${all})` : undefined,
    unscored ?? (partial || short || side.interval === null ? undefined : lies.replace(" to ", "–")),
  ];
  return (
    <span
      title={[
        ...(partial ? [`of ${countText(pairs, "paired row")}`] : []),
        `${all}${side.interval === null ? "" : `: ${lies}`}`,
        ...(unscored === undefined ? [] : [unscored]),
      ].join("; ")}
    >
      {meanText(kind, partial ? together : side.mean)}{" "}
      <span class="bounds">{beside.filter((one) => one !== undefined).join(" ")}</span>
    </span>
  );
}

/** Rates share an axis, so that their intervals can be compared by eye; a number has its own unit and its own axis. */
function reachOf(measures: readonly MeasureComparison[]): (measure: MeasureComparison) => number {
  const far = ({ interval }: MeasureComparison): number =>
    interval === null ? 0 : 1.1 * Math.max(Math.abs(interval.low), Math.abs(interval.high));
  const rates = Math.max(0, ...measures.filter(({ kind }) => kind === "boolean").map(far));
  return (measure) => (measure.kind === "boolean" ? rates : far(measure));
}
