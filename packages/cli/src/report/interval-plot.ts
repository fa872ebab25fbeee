// Draws intervals as text, one below the other: ····0···├──●──┤··

import type { Bounds } from "@assay/eval-engine/words";

/** The axis that all intervals of a drawing share. */
export interface Axis extends Bounds {
  /** The width of a drawing in characters. */
  readonly columns: number;
}

/** An axis of `columns` characters that fits all of these. */
export function axisOf(shown: readonly Bounds[], columns: number): Axis {
  return {
    low: Math.min(...shown.map(({ low }) => low)),
    high: Math.max(...shown.map(({ high }) => high)),
    columns,
  };
}

/** An interval around `at`, with 0 marked if the axis contains it. */
export function plotInterval(axis: Axis, { low, high }: Bounds, at: number): string {
  const { columns } = axis;
  const span = axis.high - axis.low;
  const column = (value: number): number =>
    span > 0 ? Math.round(((value - axis.low) / span) * (columns - 1)) : Math.floor(columns / 2);
  const cells: string[] = Array.from({ length: columns }, () => "·");
  cells.fill("─", column(low), column(high) + 1);
  cells[column(low)] = "├";
  cells[column(high)] = "┤";
  if (axis.low <= 0 && axis.high >= 0) cells[column(0)] = "0";
  cells[column(at)] = "●";
  return cells.join("");
}
