// A report of statistics as plain lines: sentences first, then a line for each row of a table.

import type { Report, ReportLine } from "../report/report.ts";
import { plainText } from "../terminal/plain-text.ts";
import { firstThatFit, formatCount, MOST_CHARACTERS, truncateText } from "./truncate.ts";

/** The most characters of one line, and of one cell. */
const LINE = 2000;
const CELL = 200;

/**
 * The lines, and how many did not fit; `narrower` explains how to get fewer. Drawings are left out: they are for
 * people.
 */
export function reportLines({ sentences, notes, tables, how }: Report, narrower: string): string {
  const lines = [
    ...sentences,
    ...notes.map((note) => `Note: ${note}`),
    ...tables.flatMap(({ title, head, rows }) => [
      "",
      ...(title === undefined ? [] : [title]),
      head.map((name) => truncateText(name, CELL)).join(" | "),
      ...rows.map((cells) => cells.map((cell) => truncateText(cellText(cell), CELL)).join(" | ")),
    ]),
  ].map((line) => truncateText(plainText(line), LINE));
  const end = truncateText(plainText(how), LINE);
  const shown = firstThatFit(lines, MOST_CHARACTERS - end.length - narrower.length - 100);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`(${formatCount(more)} more lines: ${narrower})`] : []), "", end].join(
    "\n",
  );
}

function cellText(lines: readonly ReportLine[]): string {
  return lines.filter((line) => typeof line === "string").join("; ");
}
