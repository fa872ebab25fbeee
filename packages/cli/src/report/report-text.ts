// A report for a terminal: sentences, notes and tables that fit in its width.

import { linesOf, paragraph, tableOf } from "../render/table.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Report, ReportLine, ReportTable } from "./report.ts";

/** A column with words up to this length is never narrower than its longest word. */
const LONGEST_WORD = 14;

/** Where a line may be broken: after a word, and within a name. */
const PARTS = /(?<=[ _/-])|(?=\.\p{L})/u;

/** The width of a drawn interval on a terminal with `width` columns. */
export function drawingWidth(width: number): number {
  return width < 110 ? 17 : 31;
}

/** A report in lines of at most `width` characters. */
export function reportText({ sentences, notes, tables, how }: Report, width: number): string {
  const wrapped = (text: string): readonly string[] => paragraph(text, width);
  return [
    ...sentences.flatMap(wrapped),
    ...notes.flatMap((note) => wrapped(`Note: ${note}`)),
    ...tables.flatMap((table) => [
      ...(table.title === undefined ? [] : wrapped(table.title)),
      reportTable(table, width),
    ]),
    ...wrapped(how),
  ].join("\n");
}

function reportTable({ head, rows }: ReportTable, width: number): string {
  const all = [head.map((text): readonly ReportLine[] => [text]), ...rows];
  const widths = widthsOf(all, width - (3 * head.length + 1));
  const cells = all.map((row) =>
    row.map((lines, column) => lines.flatMap((line) => brokenLine(line, widths[column]!))),
  );
  const [first, ...body] = cells;
  // An empty line separates rows with several lines.
  const tall = body.some((row) => row.some((lines) => lines.length > 1));
  const spaced = tall ? body.flatMap((row, i) => (i === 0 ? [row] : [head.map(() => ""), row])) : body;
  return tableOf(first!, spaced, { width, tight: true });
}

/** The widths of columns: the widest columns with words shrink, drawings do not. */
function widthsOf(rows: readonly (readonly (readonly ReportLine[])[])[], room: number): readonly number[] {
  const columns = rows[0]!.map((_, column) => rows.flatMap((row) => row[column]!));
  const widest = (lines: readonly ReportLine[], of: (text: string) => number): number =>
    Math.max(1, ...lines.map((line) => (typeof line === "string" ? of(plainText(line)) : line.drawn.length)));
  const least = columns.map((lines) =>
    widest(lines, (text) => Math.min(LONGEST_WORD, Math.max(...text.split(PARTS).map(lengthOf)))),
  );
  const widths = columns.map((lines) => widest(lines, lengthOf));
  for (let excess = widths.reduce((sum, columns) => sum + columns, 0) - room; excess > 0; excess--) {
    const giving = widths.map((columns, i) => (columns > least[i]! ? columns : 0));
    const most = Math.max(...giving);
    if (most === 0) break;
    widths[giving.indexOf(most)]!--;
  }
  return widths;
}

/** Breaks a line between words or parts of a name. */
function brokenLine(line: ReportLine, width: number): readonly string[] {
  if (typeof line !== "string") return [line.drawn];
  const lines = [""];
  for (const part of plainText(line).split(PARTS)) {
    if (lengthOf(lines.at(-1)!) + lengthOf(part.trimEnd()) > width) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.flatMap((text) => linesOf(text.trim(), width)).filter((text, i) => text !== "" || i > 0);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
