// Tables for a terminal. Cells are data: each is shown as plain text.

import Table from "cli-table3";
import stringWidth from "string-width";
import { plainText } from "./plain-text.ts";

/** A cell: lines of text, each wrapped where the column ends. Line by line, the cells of a row stand side by side. */
export type Cell = string | readonly string[];

/** A text over the whole width of a table, on as many lines as it takes. */
export interface WideCell {
  readonly wide: string;
}

/** Columns of the terminal that an evaluation needs to be readable beside others. */
export const SIDE_BY_SIDE = 18;

/** How a table looks. */
export interface TableLook {
  /** Columns of the terminal: the widest columns of the table give way to fit in. */
  readonly width: number;
  /** Whether rows have no lines between them. Default false. */
  readonly tight?: boolean;
  /** The number of a column that never gives way, for texts that are to be copied. */
  readonly whole?: number;
}

/** A table with a head. */
export function tableOf(
  head: readonly Cell[],
  rows: readonly (readonly Cell[] | WideCell)[],
  { width, tight = false, whole }: TableLook,
): string {
  const cells = [head, ...rows].map((row) => ("wide" in row ? [] : row.map(plainLines)));
  const needed = head.map((_, i) => Math.max(...cells.map((row) => longest(row[i] ?? []))));
  const widths = fitted(needed, width - (head.length + 1), whole).map((columns) => columns + 2);
  const wrapped = cells.map((row) => sideBySide(row, widths));
  const table = new Table({
    head: wrapped[0]!.map((lines) => lines.join("\n")),
    colWidths: widths,
    style: { head: [], border: [] },
  });
  const [, ...body] = wrapped;
  const inner = widths.reduce((sum, columns) => sum + columns + 1, -3);
  for (const [i, row] of (tight ? [oneBelowTheOther(body, head.length)] : body).entries()) {
    const given = rows[i];
    if (!tight && given !== undefined && "wide" in given)
      table.push([{ colSpan: head.length, content: linesOf(plainText(given.wide), inner).join("\n") }]);
    else table.push(row.map((lines) => lines.join("\n")));
  }
  return table.toString();
}

/** Rows as one row whose cells have the lines of all of them: tables draw no line in a row. */
function oneBelowTheOther(
  rows: readonly (readonly (readonly string[])[])[],
  columns: number,
): readonly string[][] {
  return Array.from({ length: columns }, (_, column) =>
    rows.flatMap((row) => {
      const height = Math.max(...row.map((lines) => lines.length));
      return Array.from({ length: height }, (_, i) => row[column]?.[i] ?? "");
    }),
  );
}

/** The cells of a row wrapped to their columns, so that what was one line in all of them begins on one. */
function sideBySide(
  row: readonly (readonly string[])[],
  widths: readonly number[],
): readonly (readonly string[])[] {
  const height = Math.max(0, ...row.map((lines) => lines.length));
  const cells = row.map((): string[] => []);
  for (let line = 0; line < height; line++) {
    const parts = row.map((lines, column) => linesOf(lines[line] ?? "", widths[column]! - 2));
    const most = Math.max(...parts.map(({ length }) => length));
    for (const [column, lines] of parts.entries())
      for (let i = 0; i < most; i++) cells[column]!.push(lines[i] ?? "");
  }
  return cells;
}

/** A text in lines of at most `width` columns, which end between words where they can. */
export function linesOf(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (stringWidth(rest) > width) {
    const end = fitting(rest, width);
    const space = rest[end] === " " ? end : rest.lastIndexOf(" ", end);
    // A space at the beginning is an indent.
    const atWord = space > 0 && rest.slice(0, space).trim() !== "";
    lines.push(rest.slice(0, atWord ? space : end));
    rest = rest.slice(atWord ? space + 1 : end);
  }
  return [...lines, rest];
}

/** How many UTF-16 units of `text` fit in `width` columns: at least one character. */
function fitting(text: string, width: number): number {
  let end = 0;
  let columns = 0;
  for (const character of text) {
    columns += stringWidth(character);
    if (columns > width && end > 0) break;
    end += character.length;
  }
  return end;
}

function plainLines(cell: Cell): readonly string[] {
  return (typeof cell === "string" ? [cell] : cell).map(plainText);
}

function longest(lines: readonly string[]): number {
  return Math.max(1, ...lines.map((line) => stringWidth(line)));
}

/** Widths of columns of which the widest are made narrower until all fit in `width`, each with its padding of two. */
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
