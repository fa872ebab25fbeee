// A report of statistics for people, before its layout for a terminal or a page.

import type { StatisticsWarning } from "@assay/eval-engine/internal";
import { warningText } from "@assay/eval-engine/words";
import { HOW_TO_SET_DIRECTION } from "./gate.ts";

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

/** The input of a report in addition to the answer. */
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
    const texts = [
      ...new Set(
        alike.map((warning) => {
          // Adds the option that fixes it.
          const text = `${warning.text}${TO_DO[warning.code] ?? ""}`;
          return warningText({ ...warning, text }, labels);
        }),
      ),
    ];
    const more = texts.length - WRITTEN;
    return more > 1
      ? [...texts.slice(0, WRITTEN), `${more} more like this; see --format json for all`]
      : texts;
  });
}

const TO_DO: { readonly [Code in StatisticsWarning["code"]]?: string } = {
  missing_uneven: "; --missing fail counts them as failed",
  no_direction: `, ${HOW_TO_SET_DIRECTION}`,
};
