// The answer to slices in words and a table: the verdict on all rows, and where the difference lies.

import type { MeasureComparison, SlicesResults } from "@assay/eval-engine";
import type { Slice } from "@assay/eval-engine/internal";
import {
  chanceText,
  countText,
  differenceBoundsText,
  differenceText,
  differs,
  dividingSlices,
  isTested,
  levelText,
  meanText,
  measureName,
  type SideNames,
  sliceFieldText,
  sliceText,
  unclearText,
  verdictSentence,
  verdictText,
} from "@assay/eval-engine/words";
import { axisOf, plotInterval } from "./interval-plot.ts";
import { notesOf, type Report, type ReportLine, type ReportOptions } from "./report.ts";

/** The pair, and the level of the intervals. */
export interface SlicesReportOptions extends ReportOptions {
  readonly baseline: string;
  readonly candidate: string;
  readonly level: number;
  /** How many slices the table shows; the others are counted. */
  readonly most: number;
  /** Whether the fields were named: otherwise those that do not divide the rows are not shown. */
  readonly isNamed: boolean;
}

/** Slices for people. */
export function slicesReport(results: SlicesResults, options: SlicesReportOptions): Report {
  const { labels, baseline, candidate, level, drawing, most, isNamed } = options;
  const { whole } = results;
  const { dividing: slices, apart } = isNamed
    ? { dividing: results.slices, apart: [] }
    : dividingSlices(results.slices);
  const names = { baseline: labels.get(baseline) ?? baseline, candidate: labels.get(candidate) ?? candidate };
  const shown = slices.slice(0, most);
  const more = slices.length - shown.length;
  const axis = axisOf([{ low: 0, high: 0 }, ...shown.flatMap(({ interval }) => interval ?? [])], drawing);
  return {
    sentences: [verdictSentence(names, whole, level), ...standingOut(results, names, level)],
    notes: notesOf(results.warnings, labels),
    tables:
      shown.length === 0
        ? []
        : [
            {
              title: `${measureName(whole.field)} by slice`,
              head: [
                "slice",
                names.baseline,
                names.candidate,
                `difference, ${levelText(level)}`,
                "verdict",
                "outside",
              ],
              rows: shown.map((slice): readonly (readonly ReportLine[])[] => [
                [...slice.fields.map(sliceFieldText), countText(slice.rows, "row")],
                [meanText(whole.kind, slice.baseline_mean)],
                [meanText(whole.kind, slice.candidate_mean)],
                differenceLines(slice, whole.kind, (of) => plotInterval(axis, of, of.at)),
                outcomeLines(slice),
                [differenceText(whole.kind, slice.outside.difference, slice.interval)],
              ]),
            },
          ],
    how: [
      `${countText(results.looked_at, "slice")} examined, ${results.tested} with enough rows to test`,
      "q is p adjusted by Benjamini-Hochberg",
      ...(apart.length > 0 ? [`not shown: slices by ${apart.join(", ")}, of about one row each`] : []),
      ...(more > 0 ? [`${more} more are in --format json`] : []),
    ].join("; "),
  };
}

function outcomeLines(slice: Slice): readonly string[] {
  const { verdict, q_value: q } = slice;
  if (!isTested(slice)) return ["not tested"];
  const unclear = unclearText(slice);
  return [
    verdictText(verdict),
    ...(q === null ? [] : [`q ${chanceText(q)}`]),
    ...(unclear === undefined ? [] : [unclear]),
  ];
}

function differenceLines(
  { difference, interval }: Slice,
  kind: MeasureComparison["kind"],
  draw: (of: { readonly low: number; readonly high: number; readonly at: number }) => string,
): readonly ReportLine[] {
  if (difference === null || interval === null) return [differenceText(kind, difference, interval)];
  return [
    differenceText(kind, difference, interval),
    differenceBoundsText(kind, interval),
    { drawn: draw({ low: interval.low, high: interval.high, at: difference }) },
  ];
}

/** The slices where it is worse and better, or different without a direction; or that nothing stands out. */
function standingOut(
  { slices, looked_at, tested }: SlicesResults,
  { baseline, candidate }: SideNames,
  level: number,
): readonly string[] {
  const say = (verdict: Slice["verdict"], how: string): readonly string[] => {
    const found = slices.filter((slice) => slice.verdict === verdict && differs(slice, level)).map(sliceText);
    return found.length === 0 ? [] : [`${candidate} ${how} where ${listed(found)}.`];
  };
  if (tested === 0 && looked_at > 0)
    return [
      `No slice stands out, because none of ${looked_at.toLocaleString("en")} has enough rows to test.`,
    ];
  const found = [
    ...say("regressed", "is worse"),
    ...say("improved", "is better"),
    ...say("no_direction", `differs from ${baseline}`),
  ];
  return found.length > 0 ? found : [`Nothing stands out in ${countText(looked_at, "slice")}.`];
}

function listed(found: readonly string[]): string {
  const shown = found.slice(0, 5).join("; ");
  return found.length > 5 ? `${shown}; and in ${found.length - 5} more slices` : shown;
}

/** A slice and its verdict, as a separate sentence. */
export function sliceSentence(
  names: SideNames,
  { kind }: MeasureComparison,
  slice: Slice,
  level: number,
): { readonly name: string; readonly sentence: string } {
  const name = sliceText(slice);
  const { difference, interval, pairs } = slice;
  const unclear = unclearText(slice);
  const bounds = interval === null ? "" : ` (${levelText(level)} ${differenceBoundsText(kind, interval)})`;
  const figure = `${differenceText(kind, difference, interval)}${bounds}, ${countText(pairs, "row")}`;
  return {
    name,
    sentence: `${names.candidate} against ${names.baseline} where ${name}: ${verdictText(slice.verdict)}, ${figure}${unclear === undefined ? "" : `; ${unclear}`}.`,
  };
}
