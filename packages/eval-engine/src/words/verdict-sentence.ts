// A verdict in a sentence: which evaluation is better, by how much, how certain that is, and how many more rows would
// make it conclusive.

import type { MeasureComparison, RankedEvaluation, StatisticsWarning } from "../statistics/wire/response.ts";
import {
  countText,
  differenceBoundsText,
  differenceText,
  levelText,
  type MeasureKind,
  marginText,
  measureName,
} from "./measure-text.ts";

/** The names of the two sides. */
export interface SideNames {
  /** The evaluation to compare with. */
  readonly baseline: string;
  /** The evaluation to compare with the baseline. */
  readonly candidate: string;
}

/** The smallest share of the variance at which more trials are worth suggesting. */
const TRIALS_MATTER = 0.25;

/** The verdict on one measure, in one or two sentences. */
export function verdictSentence(names: SideNames, of: MeasureComparison, level: number): string {
  const settles =
    of.verdict === "inconclusive"
      ? settlesText(of)
      : of.verdict === "no_direction"
        ? " No verdict: set whether higher or lower is better."
        : "";
  if (of.difference === null) return `${claim(names, of)} is unknown: ${of.reason ?? "there is no data"}.`;
  return `${claim(names, of)}: ${evidenceText(of, level)}.${settles}`;
}

/** The difference, its interval, and the number of rows. */
export function evidenceText(of: MeasureComparison, level: number): string {
  const { kind, difference, interval } = of;
  const always = interval?.method === "confidence_sequence" ? "anytime-valid " : "";
  const bounds =
    interval === null ? "" : ` (${always}${levelText(level)} ${differenceBoundsText(kind, interval)})`;
  return `${differenceText(kind, difference, interval)}${bounds}, ${rowsText(of)}`;
}

function rowsText({ paired, pairs, baseline, candidate }: MeasureComparison): string {
  if (paired) return `${countText(pairs, "row")}, paired`;
  const [a, b] = [candidate.rows, baseline.rows].map((rows) => rows.toLocaleString("en"));
  return `${a} and ${b} rows, not paired`;
}

function claim({ baseline, candidate }: SideNames, of: MeasureComparison): string {
  const on = `on ${measureName(of.field)}`;
  const margin = marginText(of.kind, of.margin);
  switch (of.verdict) {
    case "improved":
      return `${candidate} is better than ${baseline} ${on}`;
    case "regressed":
      return `${candidate} is worse than ${baseline} ${on}`;
    case "equivalent":
      return `${candidate} is equivalent to ${baseline} ${on}, within ${margin}`;
    case "not_worse":
      return `${candidate} is not worse than ${baseline} ${on} by ${margin} or more`;
    case "no_direction":
      return `${candidate} against ${baseline} ${on}`;
    case "inconclusive":
      return of.difference === null
        ? `Whether ${candidate} is better than ${baseline} ${on}`
        : `Whether ${candidate} is better than ${baseline} ${on} is inconclusive`;
  }
}

function settlesText(of: MeasureComparison): string {
  const unclear = unclearText(of);
  const why = of.interval === null ? "No interval:" : "The interval excludes 0, but";
  return [unclear && `${why} ${unclear}.`, neededText(of)].map((text) => (text ? ` ${text}` : "")).join("");
}

/** How many rows would make the verdict conclusive, as a sentence; undefined if that is unknown. */
export function neededText(of: MeasureComparison): string | undefined {
  const { margin, kind } = of;
  const needed = rowsToSettle(of);
  if (needed === undefined) return undefined;
  const size = margin > 0 ? `a margin of ${marginText(kind, margin)}` : "a difference of this size";
  return `About ${needed.toLocaleString("en")} rows would settle ${size}${trialsText(of)}.`;
}

/** The number of rows that would make the verdict conclusive; undefined if that is unknown. */
export function rowsToSettle(of: MeasureComparison): number | undefined {
  const { verdict, interval, rows_needed: needed, paired, pairs, baseline, candidate } = of;
  // If the interval and the test disagree, or one of many tests is not clear enough, the estimate is too small.
  const disagrees = interval !== null && unclearText(of) !== undefined;
  if (verdict !== "inconclusive" || needed === null || disagrees) return undefined;
  return needed > (paired ? pairs : Math.min(baseline.rows, candidate.rows)) ? needed : undefined;
}

/** Why a verdict is inconclusive although the interval excludes 0 or is missing. */
export function unclearText({
  verdict,
  interval,
  reason,
}: Pick<MeasureComparison, "verdict" | "interval" | "reason">): string | undefined {
  const shows = interval !== null && interval.low <= 0 && interval.high >= 0;
  return verdict !== "inconclusive" || shows ? undefined : (reason ?? undefined);
}

function trialsText({ noise, rows_needed: needed }: MeasureComparison): string {
  if (noise === null || needed === null || (noise.share_from_trials ?? 0) < TRIALS_MATTER) return "";
  const rows = noise.rows_needed_with_4x_trials;
  return rows === null || rows >= needed
    ? ""
    : `, or ${rows.toLocaleString("en")} rows with four times the trials`;
}

/** The verdicts on the other measures, in one line; undefined without any. */
export function othersSentence(others: readonly MeasureComparison[]): string | undefined {
  if (others.length === 0) return undefined;
  const parts = (
    ["regressed", "improved", "equivalent", "not_worse", "inconclusive", "no_direction"] as const
  ).flatMap((verdict) => {
    const such = others.filter((of) => of.verdict === verdict).map(({ field }) => measureName(field));
    if (such.length === 0) return [];
    // Measures that changed are named; the others are only counted.
    const named = verdict === "regressed" || verdict === "improved" || verdict === "no_direction";
    return [`${such.length} ${verdictText(verdict)}${named ? ` (${listed(such)})` : ""}`];
  });
  return `Of ${countText(others.length, "other measure")}: ${parts.join(", ")}.`;
}

/** Why an evaluation ranks above one with a better mean; undefined if it does not. */
export function rankReasonText(
  kind: MeasureKind,
  { evaluation_call_id: id, ahead_of: ahead }: Pick<RankedEvaluation, "evaluation_call_id" | "ahead_of">,
  name: (id: string) => string,
): string | undefined {
  if (ahead === null) return undefined;
  const { evaluation_call_id: below, beaten_by: by, pairs, difference } = ahead;
  return by === id
    ? `${differenceText(kind, difference, null)} against ${name(below)} on the ${countText(pairs, "row")} that both have`
    : `${name(by)} is better than ${name(below)}, but not clearly better than ${name(id)}`;
}

/** A verdict in words. */
export function verdictText(verdict: MeasureComparison["verdict"]): string {
  return verdict.replace("_", " ");
}

const MOST_NAMES = 5;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${more} more` : names.join(", ");
}

/** Warnings about single evaluations, whose IDs are in their texts. */
const NAMES_ITS_EVALUATION: ReadonlySet<StatisticsWarning["code"]> = new Set([
  "no_rows",
  "still_running",
  "duplicate_trials",
  "missing_uneven",
]);

/** A warning with the labels of evaluations in place of their IDs; of all labels, it names those it is about. */
export function warningText(
  { code, text, evaluations }: StatisticsWarning,
  labels: ReadonlyMap<string, string>,
): string {
  const called = evaluations.map((id) => labels.get(id) ?? id);
  // Only whole IDs are replaced: an ID may be a word of the sentence, or part of one.
  if (NAMES_ITS_EVALUATION.has(code))
    return ` ${text}`.replace(` ${evaluations[0]!} `, () => ` ${called[0]!} `).slice(1);
  // A warning that concerns all evaluations need not name them.
  if (evaluations.length === 0 || (evaluations.length === labels.size && labels.size === 2)) return text;
  return `${called.join(" and ")}: ${text}`;
}
