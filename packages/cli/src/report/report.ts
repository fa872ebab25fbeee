// A report of statistics for people, before its layout for a terminal or a page.

import type { StatisticsWarning } from "@assay/eval-engine/internal";
import { SETS_DIRECTION } from "./gate.ts";

/** A line of a cell: words, or a drawing that must keep its layout. */
export type ReportLine = string | { readonly drawn: string };

/** A table whose cells have several lines. */
export interface ReportTable {
  /** Its title, if there are several tables. */
  readonly title: string | undefined;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (readonly ReportLine[])[])[];
}

/** An answer in words: its conclusion, its caveats, and the numbers. */
export interface Report {
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
  /** How the numbers were computed. */
  readonly how: string;
}

/** What a report needs besides the answer. */
export interface ReportOptions {
  /** The names of the evaluations. */
  readonly labels: ReadonlyMap<string, string>;
  /** The width of a drawn interval in characters. */
  readonly drawing: number;
}

/** How many warnings of one kind are printed; the others are counted. */
const WRITTEN = 3;

/** Warnings as sentences that use the labels of evaluations. */
export function notesOf(
  warnings: readonly StatisticsWarning[],
  labels: ReadonlyMap<string, string>,
): readonly string[] {
  const kinds = new Set(warnings.map(({ code }) => code));
  return [...kinds].flatMap((kind) => {
    const alike = warnings.filter(({ code }) => code === kind);
    const texts = [...new Set(alike.map((warning) => noteOf(warning, labels)))];
    const more = texts.length - WRITTEN;
    return more > 1
      ? [...texts.slice(0, WRITTEN), `${more} more like this; see --format json for all`]
      : texts;
  });
}

const TO_DO: { readonly [Code in StatisticsWarning["code"]]?: string } = {
  missing_uneven: "; --missing fail counts them as failed",
  no_direction: `, ${SETS_DIRECTION}`,
};

/** Warnings about single evaluations, whose IDs are in their texts. */
const NAMES_ITS_EVALUATION: ReadonlySet<StatisticsWarning["code"]> = new Set([
  "no_rows",
  "still_running",
  "duplicate_trials",
  "missing_uneven",
]);

function noteOf(
  { code, text: sentence, evaluations }: StatisticsWarning,
  labels: ReadonlyMap<string, string>,
): string {
  // Adds the option that fixes it.
  const text = `${sentence}${TO_DO[code] ?? ""}`;
  const called = evaluations.map((id) => labels.get(id) ?? id);
  // Only whole IDs are replaced: an ID may be a word of the sentence, or part of one.
  if (NAMES_ITS_EVALUATION.has(code))
    return ` ${text}`.replace(` ${evaluations[0]!} `, () => ` ${called[0]!} `).slice(1);
  // A warning that concerns all evaluations need not name them.
  if (evaluations.length === 0 || (evaluations.length === labels.size && labels.size === 2)) return text;
  return `${called.join(" and ")}: ${text}`;
}
