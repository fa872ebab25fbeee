// Tables drawn with vertical lines, as in Markdown, or as clients of databases print them.

import { csvLine } from "./csv-line.ts";

const RULE = /^[|+]?\s*:?[-=][-=:+|\s]*$/;
const HEADING = /^#{1,6} /;
/** Bold text, in which reports set the best result. */
const BOLD = /^(?:\*\*|__)(.+)(?:\*\*|__)$/s;

/** What psql writes below a table. */
const COUNT = /^\(\d+ rows?\)$/;

/** Whether a line has only dashes, as below the names of columns, or around a table. */
function isRule(line: string): boolean {
  const inside = line.trim();
  return (inside.includes("--") || inside.includes("==")) && RULE.test(inside);
}

/** Whether there is such a table somewhere in a text. */
export function hasPipedTable(text: string): boolean {
  return text.split("\n").some((line) => line.includes("|") && isRule(line));
}

/** Whether a text begins with such a table, perhaps below headings. */
export function isPipedTable(sample: string): boolean {
  const lines = sample.split(/\r?\n/).filter((line) => line.trim() !== "" && !HEADING.test(line));
  const head = isRule(lines[0] ?? "") ? 1 : 0;
  const [names, rule] = [lines[head] ?? "", lines[head + 1] ?? ""];
  const count = cellsOf(names).length;
  return count > 1 && !isRule(names) && isRule(rule) && cellsOf(rule.replaceAll("+", "|")).length === count;
}

/** The table as CSV, each record on its line; undefined if there is other text around it. */
export function csvOfPipes(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const isBeside = (line: string) =>
    line.trim() === "" || isRule(line) || HEADING.test(line) || COUNT.test(line);
  const first = lines.findIndex((line) => !isBeside(line));
  const isOther = (line: string, i: number) => !isBeside(line) && !line.includes("|") && i >= first;
  if (lines.some(isOther) || lines.slice(first).some((line) => HEADING.test(line))) return undefined;
  const table = lines.slice(first);
  return table.map((line) => (isBeside(line) ? "" : csvLine(cellsOf(line)))).join("\n");
}

function cellsOf(line: string): readonly string[] {
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|").replace(BOLD, "$1"));
}
