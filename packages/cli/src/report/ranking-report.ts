// The answer to a ranking in words and a table: which evaluation is best, as far as known, and the range of ranks of
// each.

import type { MeasureComparison, RankingResults } from "@assay/eval-engine";
import type { RankedEvaluation } from "@assay/eval-engine/internal";
import {
  countText,
  levelText,
  meanBoundsText,
  meanText,
  measureName,
  NO_VALUE,
  rankReasonText,
} from "@assay/eval-engine/words";
import { axisOf, plotInterval } from "./interval-plot.ts";
import { notesOf, type Report, type ReportLine, type ReportOptions } from "./report.ts";

/** What was ranked. */
export interface RankingReportOptions extends ReportOptions {
  readonly field: string;
  readonly kind: MeasureComparison["kind"];
  readonly level: number;
}

/** A ranking for people. */
export function rankingReport(results: RankingResults, options: RankingReportOptions): Report {
  const { labels, drawing, field, kind, level } = options;
  const { evaluations, pairs, row_count } = results;
  const name = ({ evaluation_call_id: id }: RankedEvaluation): string => labels.get(id) ?? id;
  const axis = axisOf(
    evaluations.flatMap(({ interval }) => interval ?? []),
    drawing,
  );
  const shrunken = evaluations.some((of) => of.shrunken !== null);
  const cells = (of: RankedEvaluation): readonly (readonly ReportLine[])[] => {
    const { mean, interval, rank } = of;
    const ahead = rankReasonText(kind, of, (id) => labels.get(id) ?? id);
    return [
      [rankText(rank)],
      [name(of)],
      [meanText(kind, mean), ...(ahead === undefined ? [] : [ahead])],
      ...(shrunken ? [[meanText(kind, of.shrunken)]] : []),
      [meanBoundsText(kind, interval)],
      [interval === null || mean === null ? NO_VALUE : { drawn: plotInterval(axis, interval, mean) }],
    ];
  };
  return {
    sentences: [bestSentence(evaluations, options)],
    notes: notesOf(results.warnings, labels),
    tables: [
      {
        title: undefined,
        head: [
          "place",
          "evaluation",
          measureName(field),
          ...(shrunken ? ["shrunken"] : []),
          levelText(level),
          "",
        ],
        rows: evaluations.map(cells),
      },
    ],
    how: `${countText(row_count, "row")}${scoredText(evaluations, row_count)}; tied evaluations share a range of places; ${countText(pairs.length, "pair")} tested, p adjusted by Holm${shrunken ? "; shrunken: the mean corrected for the luck of being best" : ""}`,
  };
}

/** Which evaluation is best, and how certain that is. */
export function bestSentence(
  evaluations: readonly RankedEvaluation[],
  { labels, field, kind, level }: Omit<RankingReportOptions, "drawing">,
): string {
  const name = ({ evaluation_call_id: id }: RankedEvaluation): string => labels.get(id) ?? id;
  const [best] = evaluations;
  if (best === undefined || best.mean === null) return `No evaluation has a value for ${measureName(field)}.`;
  const ranked = evaluations.filter(({ mean }) => mean !== null);
  if (ranked.length === 1)
    return `Only ${name(best)} of ${countText(evaluations.length, "evaluation")} has a value for ${measureName(field)}: ${meanText(kind, best.mean)}.`;
  const which = `Which of ${countText(ranked.length, "evaluation")} is best on ${measureName(field)}`;
  if (best.rank === null) return `${which} is unknown: no direction.`;
  const ahead = rankReasonText(kind, best, (id) => labels.get(id) ?? id);
  const figure = `${meanText(kind, best.mean)} (${levelText(level)} ${meanBoundsText(kind, best.interval)}${ahead === undefined ? "" : `; ${ahead}`})`;
  // If each is worse than another, none is best.
  const rivals = ranked.filter((of) => of !== best && (best.rank!.low > 1 || of.rank!.low === 1));
  const among = `${countText(ranked.length, "evaluation")} on ${measureName(field)}`;
  if (rivals.length === 0) return `${name(best)} is the best of ${among}: ${figure}.`;
  const others = rivals.slice(0, 5).map(name);
  const more = rivals.length > 5 ? ` and ${rivals.length - 5} more` : "";
  return `${which} is inconclusive: ${name(best)} leads with ${figure}, but ${others.join(", ")}${more} may be as good.`;
}

/** The number of rows with a value, if it differs between evaluations. */
function scoredText(evaluations: readonly RankedEvaluation[], all: number): string {
  const counts = evaluations.map(({ rows }) => rows);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  if (fewest === all) return "";
  const range = fewest === most ? "" : ` to ${most.toLocaleString("en")}`;
  return `, of which each has ${fewest.toLocaleString("en")}${range}`;
}

/** The range of places of an evaluation. */
function rankText(rank: RankedEvaluation["rank"]): string {
  if (rank === null) return NO_VALUE;
  return rank.low === rank.high ? String(rank.low) : `${rank.low}–${rank.high}`;
}
