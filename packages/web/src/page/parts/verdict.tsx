// The first element of the page: the verdict in a sentence, with its interval drawn.

import type { CompareResults, MeasureComparison } from "@assay/eval-engine";
import type { StatisticsWarning } from "@assay/eval-engine/internal";
import {
  countText,
  differenceBoundsText,
  levelText,
  measureName,
  signedText,
  verdictSentence,
  warningText,
} from "@assay/eval-engine/words";
import type { ComponentType } from "preact";
import type { NamedEvaluation } from "../format/evaluation-names.ts";
import { howComputed } from "../format/how-computed.ts";
import { shown } from "../format/shown.ts";
import { memo } from "../state/memo.ts";
import type { Change } from "../state/page-route.ts";
import { usePrinting } from "../state/use-printing.ts";
import { Interval } from "./charts/interval.tsx";
import { Isolated } from "./isolated.tsx";

/** Glyph and word of a verdict: shape and text first, colour second. */
export const VERDICTS: Readonly<
  Record<MeasureComparison["verdict"], { glyph: string; word: string; tone: string }>
> = {
  improved: { glyph: "▲", word: "improved", tone: "better" },
  regressed: { glyph: "▼", word: "regressed", tone: "worse" },
  equivalent: { glyph: "=", word: "equivalent", tone: "even" },
  not_worse: { glyph: "≥", word: "not worse", tone: "even" },
  inconclusive: { glyph: "?", word: "inconclusive", tone: "open" },
  no_direction: { glyph: "↕", word: "no direction", tone: "open" },
};

/** Properties of the verdict. */
export interface VerdictProps {
  readonly compared: CompareResults;
  readonly measure: MeasureComparison;
  readonly evaluations: readonly NamedEvaluation[];
  readonly baseline: NamedEvaluation;
  readonly candidate: NamedEvaluation;
  /** Whether a filter selects only some of the rows. */
  readonly filtered: boolean;
  /** Whether all existing rows were selected by their scores. */
  readonly biased: boolean;
  /** Whether the rows below are selected by their scores, which the verdict ignores. */
  readonly picked: boolean;
  /** Shows the rows behind a count. */
  readonly onChange: (change: Change) => void;
}

/** The verdict on the measure in focus. */
export const Verdict: ComponentType<VerdictProps> = memo(function Verdict(props: VerdictProps) {
  const { compared, measure, evaluations, baseline, candidate, biased, filtered, picked, onChange } = props;
  const isBiased = biased || compared.warnings.some(({ code }) => code === "selected_by_results");
  const { glyph, tone } = VERDICTS[measure.verdict];
  const sentence = verdictSentence(
    { baseline: baseline.name, candidate: candidate.name },
    { ...measure, field: shown(measure.field) },
    compared.level,
  );
  const { interval, difference, kind, wins, losses, ties } = measure;
  const reach = interval === null ? 0 : 1.15 * Math.max(Math.abs(interval.low), Math.abs(interval.high));
  return (
    <section class={`verdict ${tone}`} aria-label="Verdict">
      <p class="sentence">
        <span class="glyph" aria-hidden="true">
          {glyph}
        </span>
        <Isolated
          text={sentence}
          names={[baseline.name, candidate.name, shown(measureName(measure.field))]}
        />
      </p>
      {interval !== null && difference !== null && (
        <div class="verdict-interval">
          <span class="scale">{axisText(kind, -reach)}</span>
          <Interval
            low={interval.low}
            high={interval.high}
            at={difference}
            from={-reach}
            to={reach}
            betterIs={measure.direction}
            running={interval.method === "confidence_sequence"}
            label={`${candidate.letter} − ${baseline.letter} on ${measureName(measure.field)}, ${levelText(compared.level)} ${differenceBoundsText(kind, interval)}`}
          />
          <span class="scale">{axisText(kind, reach)}</span>
        </div>
      )}
      <p class="counts">
        {isBiased && <strong>These rows are selected by their results, so the verdict is biased. </strong>}
        {filtered && (
          <span class="muted">
            For {compared.row_count === 1 ? "this row" : `these ${countText(compared.row_count, "row")}`}:{" "}
          </span>
        )}
        {picked && (
          <span class="muted" title="Rows selected by their scores would bias the verdict.">
            Of {compared.row_count === 1 ? "the only row" : `all ${countText(compared.row_count, "row")}`},
            not only those selected by score below:{" "}
          </span>
        )}
        {wins !== null && (
          <>
            <CountLink count={wins} what="better" tone="better" onClick={() => onChange("better")} />
            {" · "}
            <CountLink count={losses ?? 0} what="worse" tone="worse" onClick={() => onChange("worse")} />
            {" · "}
            <CountLink count={ties ?? 0} what="equal" tone="even" onClick={() => onChange("equal")} />
          </>
        )}
        <Warnings warnings={compared.warnings} evaluations={evaluations} paired={measure.paired} />
      </p>
      {usePrinting() && (
        <ul class="muted">
          {howComputed(measure).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
});

interface CountLinkProps {
  readonly count: number;
  readonly what: string;
  readonly tone: string;
  readonly onClick: () => void;
}

function CountLink({ count, what, tone, onClick }: CountLinkProps) {
  return (
    <button type="button" class={`link ${tone}`} onClick={onClick}>
      {countText(count, "row")} {what}
    </button>
  );
}

/** Warnings that limit what the numbers mean: those about what was compared, and folded ones about precision. */
function Warnings({
  warnings,
  evaluations,
  paired,
}: Pick<VerdictProps, "evaluations"> & {
  readonly warnings: readonly StatisticsWarning[];
  readonly paired: boolean;
}) {
  const labels = new Map(evaluations.map(({ id, name }) => [id, name]));
  const textsOf = (some: readonly StatisticsWarning[]) => [
    ...new Set(some.map((warning) => shown(warningText(warning, labels)))),
  ];
  const isSevere = ({ code }: StatisticsWarning) =>
    code === "different_datasets" || code === "different_scorers" || (code === "rows_not_shared" && !paired);
  const notes = textsOf(warnings.filter((warning) => !isSevere(warning)));
  return (
    <>
      {textsOf(warnings.filter(isSevere)).map((text) => (
        <span key={text} class="caution">
          <span aria-hidden="true">⚠ </span>
          {text}
        </span>
      ))}
      {notes.length > 0 && (
        <details class="warnings">
          <summary>
            <span aria-hidden="true">⚠ </span>
            {countText(notes.length, "note")}
          </summary>
          <ul>
            {notes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** The end of the axis, in points or in the measure's own unit. */
function axisText(kind: MeasureComparison["kind"], value: number): string {
  const end = kind === "boolean" ? 100 * value : value;
  return signedText(Number(end.toPrecision(kind === "boolean" && Math.abs(end) >= 100 ? 3 : 2)));
}
