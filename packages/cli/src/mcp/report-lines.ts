// A report of statistics as plain lines: sentences first, then a line for each row of a table.

import type { Report, ReportLine } from "../compare/report.ts";

/** The lines. Drawings are left out: they are for eyes. */
export function reportLines({ sentences, notes, tables, how }: Report): string {
  return [
    ...sentences,
    ...notes.map((note) => `Note: ${note}`),
    ...tables.flatMap(({ title, head, rows }) => [
      "",
      ...(title === undefined ? [] : [title]),
      head.join(" | "),
      ...rows.map((cells) => cells.map(cellText).join(" | ")),
    ]),
    "",
    how,
  ].join("\n");
}

function cellText(lines: readonly ReportLine[]): string {
  return lines.filter((line) => typeof line === "string").join("; ");
}
