// Computes which rows of a long table to draw. All rows have the same height, so this is a division.

/** Rows from `from` up to and without `to`. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** Rows drawn above and below the visible ones, so that scrolling a step shows no gap. */
const SPARE = 3;

/** The rows to draw of `total`, in a view of `height` pixels that is scrolled by `top`. */
export function rowWindow(view: {
  top: number;
  height: number;
  rowHeight: number;
  total: number;
}): RowWindow {
  const { top, height, rowHeight, total } = view;
  const from = Math.max(0, Math.min(total, Math.floor(top / rowHeight) - SPARE));
  const to = Math.max(from, Math.min(total, Math.ceil((top + height) / rowHeight) + SPARE));
  return { from, to };
}
