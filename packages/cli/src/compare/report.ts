// A report of statistics for people, before its layout for a terminal or a page.

import type { StatisticsWarning } from "@assay/eval-engine/internal";

/** A line of a cell: words, or a drawing whose characters must keep their places. */
export type ReportLine = string | { readonly drawn: string };

/** A table whose cells have several lines. */
export interface ReportTable {
  /** What it is about, when there are several. */
  readonly title: string | undefined;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (readonly ReportLine[])[])[];
}

/** An answer in words: what it amounts to, what must be known before believing it, and the numbers. */
export interface Report {
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
  /** How the numbers were made. */
  readonly how: string;
}

/** What is known of an answer beside the answer. */
export interface ReportOptions {
  /** What each evaluation is called. */
  readonly labels: ReadonlyMap<string, string>;
  /** Characters of a drawn interval. */
  readonly drawing: number;
}

/** How many warnings of one kind are written out; the others are counted. */
const WRITTEN = 3;

/** Warnings as sentences, in which evaluations are called by their labels. */
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
  no_direction: ", with assay scores PROJECT NAME --lower, --higher or --none",
};

/** Warnings of one evaluation, whose id is in their text. */
const NAMES_ITS_EVALUATION: ReadonlySet<StatisticsWarning["code"]> = new Set([
  "no_rows",
  "still_running",
  "duplicate_trials",
  "missing_uneven",
]);

function noteOf(
  { code, text: said, evaluations }: StatisticsWarning,
  labels: ReadonlyMap<string, string>,
): string {
  // What to do about it is one flag away.
  const text = `${said}${TO_DO[code] ?? ""}`;
  const called = evaluations.map((id) => labels.get(id) ?? id);
  // Only where the id stands: it may be a word of the sentence, or part of one.
  if (NAMES_ITS_EVALUATION.has(code))
    return ` ${text}`.replace(` ${evaluations[0]!} `, () => ` ${called[0]!} `).slice(1);
  // If it concerns all of them, they need not be named.
  if (evaluations.length === 0 || (evaluations.length === labels.size && labels.size === 2)) return text;
  return `${called.join(" and ")}: ${text}`;
}
