// The answer to a comparison in words and tables: one table for each candidate, one line of verdict first.

import type { CompareResults, MeasureComparison } from "@assay/eval-engine";
import type { MeasureSide } from "@assay/eval-engine/internal";
import {
  type Bounds,
  chanceText,
  countText,
  differenceBoundsText,
  differenceText,
  levelText,
  marginText,
  meanBoundsText,
  meanText,
  measureName,
  othersSentence,
  rowsToSettle,
  unclearText,
  verdictSentence,
  verdictText,
} from "@assay/eval-engine/words";
import { type Axis, axisOf, plotInterval } from "./interval-plot.ts";
import { notesOf, type Report, type ReportLine, type ReportOptions, type ReportTable } from "./report.ts";

/** A comparison for people; `headline` is the field of the measure in the first sentence. */
export function compareReport(
  results: CompareResults,
  { labels, drawing, headline }: ReportOptions & { readonly headline: string | undefined },
): Report {
  const { baseline, level, comparisons } = results;
  const name = (id: string): string => labels.get(id) ?? id;
  const sentences = comparisons.flatMap(({ candidate, measures }) => {
    const names = { baseline: name(baseline), candidate: name(candidate) };
    const first = measures.find(({ field }) => field === headline) ?? measures[0];
    if (first === undefined) return [`${names.candidate} and ${names.baseline} share no measure to compare.`];
    const others = othersSentence(measures.filter((of) => of !== first));
    return [verdictSentence(names, first, level), ...(others === undefined ? [] : [others])];
  });
  const shown = comparisons.filter(({ measures }) => measures.length > 0);
  const scales = scalesOf(shown.flatMap(({ measures }) => measures));
  const axis = axisOf(
    [
      { low: 0, high: 0 },
      ...shown.flatMap(({ measures }) => measures.flatMap((of) => scaledInterval(of, scales) ?? [])),
    ],
    drawing,
  );
  return {
    sentences,
    notes: notesOf(results.warnings, labels),
    tables: shown.map(
      ({ candidate, measures }): ReportTable => ({
        title: shown.length > 1 ? `${name(candidate)} against ${name(baseline)}` : undefined,
        head: ["measure", name(baseline), name(candidate), `difference, ${levelText(level)}`, "verdict"],
        rows: measures.map((of) => measureCells(of, scaledInterval(of, scales), axis)),
      }),
    ),
    how: howText(results),
  };
}

function measureCells(
  of: MeasureComparison,
  scaled: Scaled | undefined,
  axis: Axis,
): readonly (readonly ReportLine[])[] {
  const { kind, difference, interval } = of;
  const drawn = scaled === undefined ? [] : [{ drawn: plotInterval(axis, scaled, scaled.at) }];
  return [
    [measureName(of.field), ...conditionsOf(of)],
    sideLines(of, of.baseline, of.baseline_mean),
    sideLines(of, of.candidate, of.candidate_mean),
    [differenceText(kind, difference, interval), differenceBoundsText(kind, interval), ...drawn],
    outcomeLines(of),
  ];
}

/** How this measure is treated, if it differs from the default. */
function conditionsOf(of: MeasureComparison): readonly string[] {
  const { kind, direction, direction_source: source, reduce, margin } = of;
  return [
    ...(direction === "lower" ? [`lower is better${source === "name" ? ", from its name" : ""}`] : []),
    ...(reduce === "mean" ? [] : [`${reduce} of trials`]),
    ...(margin > 0 ? [`margin ${marginText(kind, margin)}`] : []),
  ];
}

/** The mean of the rows in the difference, and the mean of all rows of the side if it has more. */
function sideLines(
  { kind, paired, pairs, reduce }: MeasureComparison,
  { mean, interval, missing, rows }: MeasureSide,
  together: number | null,
): readonly string[] {
  const own = [meanText(kind, mean), meanBoundsText(kind, interval)];
  const all =
    paired && together !== null && pairs < rows
      ? [
          meanText(kind, together),
          `of ${countText(pairs, "paired row")}`,
          `${own[0]!} of all ${rows.toLocaleString("en")}`,
          own[1]!,
        ]
      : own;
  return missing > 0 ? [...all, missingText(missing, reduce)] : all;
}

/** The number of rows without a value: without a score, or with fewer trials than `pass@k` draws. */
function missingText(missing: number, reduce: string): string {
  return `${missing.toLocaleString("en")} ${/^pass.(?!1$)/.test(reduce) ? "with too few trials" : "unscored"}`;
}

/** The verdict, and what would make it conclusive. */
function outcomeLines(of: MeasureComparison): readonly string[] {
  const { wins, losses, ties, adjusted_p: p, paired } = of;
  const count = (value: number): string => value.toLocaleString("en");
  const counts =
    wins === null || losses === null || ties === null
      ? []
      : [`${count(wins)} won, ${count(losses)} lost, ${count(ties)} tied`];
  const unclear = unclearText(of);
  const needed = rowsToSettle(of);
  return [
    verdictText(of.verdict),
    ...counts,
    ...(p === null ? [] : [`p ${chanceText(p)}`]),
    ...(paired ? [] : ["not paired"]),
    ...(needed === undefined ? [] : [`needs ${count(needed)} rows`]),
    ...(unclear === undefined ? [] : [unclear]),
  ];
}

interface Scaled extends Bounds {
  readonly at: number;
}

/**
 * The divisor of each measure, to draw it next to the others: rates share a scale, and a number with its own unit is
 * drawn relative to its widest interval. 0 is therefore at the same position for all.
 */
function scalesOf(measures: readonly MeasureComparison[]): ReadonlyMap<string, number> {
  const scales = new Map<string, number>();
  for (const of of measures) {
    const { low, high } = of.interval ?? { low: 0, high: 0 };
    scales.set(unitOf(of), Math.max(scales.get(unitOf(of)) ?? 0, -low, high));
  }
  return scales;
}

function unitOf({ kind, field }: MeasureComparison): string {
  return kind === "boolean" ? "points" : `of ${field}`;
}

function scaledInterval(of: MeasureComparison, scales: ReadonlyMap<string, number>): Scaled | undefined {
  const { interval, difference } = of;
  const scale = scales.get(unitOf(of))!;
  if (interval === null || difference === null || !(scale > 0)) return undefined;
  return { low: interval.low / scale, high: interval.high / scale, at: difference / scale };
}

const ADJUSTMENTS = {
  holm: "adjusted by Holm",
  bh: "adjusted by Benjamini-Hochberg",
  none: "not adjusted",
};

function howText({ row_count, level, adjustment, comparisons }: CompareResults): string {
  const all = comparisons.flatMap(({ measures }) => measures);
  const tests = all.filter(({ p_value }) => p_value !== null).length;
  const atEveryLook = all.some(({ interval }) => interval?.method === "confidence_sequence");
  return [
    countText(row_count, "row"),
    `${levelText(level)} for each measure`,
    ...(tests > 1 ? [`p ${ADJUSTMENTS[adjustment]} over ${tests} tests`] : []),
    ...(atEveryLook && all.length > 1 && adjustment !== "none"
      ? [`anytime-valid intervals hold for all ${all.length} at once`]
      : []),
  ].join("; ");
}
