// A report as Markdown: a comment for a pull request. Names and values come from data, and are shown as text.

import { plainText } from "../terminal/plain-text.ts";
import type { Report, ReportLine, ReportTable } from "./report.ts";

/** A report as GitHub-flavoured Markdown. */
export function reportMarkdown({ sentences, notes, tables, how }: Report): string {
  const [first, ...others] = sentences.map(escaped);
  return `${[
    ...(first === undefined ? [] : [`**${first}**`]),
    ...others,
    ...notes.map((note) => `> **Note:** ${escaped(note)}`),
    ...tables.flatMap((table) => [
      ...(table.title === undefined ? [] : [`### ${escaped(table.title)}`]),
      markdownTable(table),
    ]),
    `<sub>${escaped(how)}</sub>`,
  ].join("\n\n")}\n`;
}

function markdownTable({ head, rows }: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head.map(escaped)),
    line(head.map(() => "---")),
    ...rows.map((row) => line(row.map((lines) => lines.map(cellLine).join("<br>")))),
  ].join("\n");
}

function cellLine(line: ReportLine): string {
  return typeof line === "string" ? escaped(line) : `\`${line.drawn}\``;
}

const MEANT_AS_TEXT: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  // Code hosts look for mentions of people and issues in the rendered text, in which an entity is an @ again.
  ["@", "@\u200b"],
  ["#", "#\u200b"],
  [":", "&#58;"],
]);

/** Matches list markers at the start of a text, addresses, and marks anywhere. */
const MARKS = /(?<=^\d{1,9})[.)](?= |$)|^[-+](?= |$)|(?<=https?|ftp):|(?<=www)\.|[\\`*_[\]|~#!&<>@$]/gi;

/** Text without effect in Markdown: no emphasis, list, formula, link, HTML, end of a cell or mention. */
function escaped(text: string): string {
  const marked = (mark: string): string => MEANT_AS_TEXT.get(mark) ?? `\\${mark}`;
  return plainText(text).trim().replaceAll(MARKS, marked);
}
