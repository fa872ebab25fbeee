// Tables for a terminal. Cells are data: each is shown as plain text.

import { cutText } from "@assay/eval-engine/words";
import stringWidth from "string-width";
import { plainText } from "../terminal/plain-text.ts";

/** A cell: lines of text, each wrapped at the column's width. The lines of a row's cells are aligned. */
export type Cell = string | readonly string[];

/** A text across the whole width of a table, wrapped. */
export interface WideCell {
  readonly wide: string;
}

/** The columns of the terminal that an evaluation needs to be readable next to others. */
export const MIN_COLUMN_WIDTH = 18;

/** How a table looks. */
export interface TableOptions {
  /** The width of the terminal: the widest columns of the table shrink to fit. */
  readonly width: number;
  /** Whether to omit the lines between rows. Default false. */
  readonly tight?: boolean;
  /** The index of a column that never shrinks, for texts to copy. */
  readonly whole?: number | undefined;
}

/** A table with a head. */
export function tableOf(
  head: readonly Cell[],
  rows: readonly (readonly Cell[] | WideCell)[],
  { width, tight = false, whole }: TableOptions,
): string {
  const cells = [head, ...rows].map((row) => ("wide" in row ? [] : row.map(plainLines)));
  const needed = head.map((_, i) =>
    cells.reduce((most, row) => Math.max(most, longest(row[i] ?? [], width)), 0),
  );
  const widths = fitted(needed, width - (head.length + 1), whole);
  const inner = widths.reduce((sum, columns) => sum + columns + 3, -3);
  const drawn = [head, ...rows].map(
    (row, i): DrawnRow =>
      "wide" in row
        ? { wide: true, lines: linesOf(plainText(row.wide), inner).map((line) => [line]) }
        : { wide: false, lines: sideBySide(cells[i]!, widths) },
  );
  const [first, ...body] = drawn;
  const blocks = tight ? [{ wide: false, lines: body.flatMap(({ lines }) => lines) }] : body;
  const shown = [first!, ...blocks.filter(({ lines }) => lines.length > 0)];
  return [
    ...shown.flatMap((row, i) => [
      borderBetween(shown[i - 1], row, widths),
      ...row.lines.map((line) => drawnLine(line, row.wide ? [inner] : widths)),
    ]),
    borderBetween(shown.at(-1), undefined, widths),
  ].join("\n");
}

/** A row to draw: its lines, each with a text for every column, or one across all of them. */
interface DrawnRow {
  readonly wide: boolean;
  readonly lines: readonly (readonly string[])[];
}

function drawnLine(texts: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((columns, i) => {
    const text = texts[i] ?? "";
    return ` ${text}${" ".repeat(Math.max(0, columns - stringWidth(text)))} `;
  });
  return `│${cells.join("│")}│`;
}

/** The line between two rows; undefined stands for the outside of the table. */
function borderBetween(
  above: DrawnRow | undefined,
  below: DrawnRow | undefined,
  widths: readonly number[],
): string {
  const divided = [above, below].map((row) => row !== undefined && !row.wide);
  const joint = divided[0] ? (divided[1] ? "┼" : "┴") : divided[1] ? "┬" : "─";
  const [left, right] = above === undefined ? "┌┐" : below === undefined ? "└┘" : "├┤";
  return `${left}${widths.map((columns) => "─".repeat(columns + 2)).join(joint)}${right}`;
}

/** The lines of a row, with its cells wrapped so that corresponding lines of all cells start together. */
function sideBySide(
  row: readonly (readonly string[])[],
  widths: readonly number[],
): readonly (readonly string[])[] {
  const height = Math.max(0, ...row.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = widths.map((columns, i) => linesOf(row[i]?.[line] ?? "", columns));
    const most = Math.max(...parts.map(({ length }) => length));
    return Array.from({ length: most }, (_, i) => parts.map((lines) => lines[i] ?? ""));
  }).flat();
}

/** The most characters of a text in a report: more than any sentence needs unless it repeats a long text. */
const LONGEST = 2000;

/** A sentence, possibly with texts from data, in lines of at most `width` columns. */
export function paragraph(text: string, width: number): readonly string[] {
  return linesOf(cutText(plainText(text), LONGEST), width);
}

/** A text in lines of at most `width` columns, broken between words if possible. */
export function linesOf(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  for (let end = fitting(rest, width); end < rest.length; end = fitting(rest, width)) {
    const space = rest[end] === " " ? end : rest.lastIndexOf(" ", end);
    // A space at the beginning is an indent.
    const atWord = space > 0 && rest.slice(0, space).trim() !== "";
    lines.push(rest.slice(0, atWord ? space : end));
    rest = rest.slice(atWord ? space + 1 : end);
  }
  return [...lines, rest];
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * How many UTF-16 units of `text` fit in `width` columns: at least one character. It only reads as much of the text as
 * fits on a line, so that wrapping takes linear time.
 */
function fitting(text: string, width: number): number {
  const start = text.slice(0, 4 * Math.max(1, width) + 64);
  if (/^[ -~]*$/.test(start)) return Math.min(Math.max(1, width), text.length);
  let end = 0;
  let columns = 0;
  for (const { segment } of SEGMENTS.segment(start)) {
    columns += stringWidth(segment);
    if (columns > width && end > 0) break;
    end += segment.length;
  }
  return end;
}

function plainLines(cell: Cell): readonly string[] {
  return (typeof cell === "string" ? [cell] : cell).map(plainText);
}

/** The width of the longest line; a line that is too long for any column is not measured further. */
function longest(lines: readonly string[], most: number): number {
  return lines.reduce((max, line) => Math.max(max, stringWidth(line.slice(0, 4 * most))), 1);
}

/** The widths of columns, with their padding of two, after shrinking the widest until all fit in `width`. */
function fitted(needed: readonly number[], width: number, whole: number | undefined): readonly number[] {
  const widths = [...needed];
  const narrowest = 4;
  let excess = widths.reduce((sum, columns) => sum + columns + 2, 0) - width;
  while (excess > 0) {
    const giving = widths.map((columns, i) => (i === whole ? 0 : columns));
    const widest = giving.indexOf(Math.max(...giving));
    if (giving[widest]! <= narrowest) break;
    widths[widest]!--;
    excess--;
  }
  return widths;
}
