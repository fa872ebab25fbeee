// Tables for a terminal. Cells are data: each is shown as plain text.

import Table from "cli-table3";
import { plainText } from "./plain-text.ts";

/** A cell: lines of text, cut where the column ends. */
export type Cell = string | readonly string[];

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
  rows: readonly (readonly Cell[])[],
  { width, tight = false, whole }: TableLook,
): string {
  const cells = [head, ...rows].map((row) => row.map(linesOf));
  const needed = head.map((_, i) => Math.max(...cells.map((row) => longest(row[i] ?? []))));
  const table = new Table({
    head: cells[0]!.map((lines) => lines.join("\n")),
    colWidths: fitted(needed, width - (head.length + 1), whole).map((columns) => columns + 2),
    style: { head: [], border: [] },
  });
  const [, ...body] = cells;
  for (const row of tight ? [oneBelowTheOther(body, head.length)] : body) {
    table.push(row.map((lines) => lines.join("\n")));
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

function linesOf(cell: Cell): readonly string[] {
  return (typeof cell === "string" ? [cell] : cell).map(plainText);
}

function longest(lines: readonly string[]): number {
  return Math.max(1, ...lines.map((line) => Array.from(line).length));
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
