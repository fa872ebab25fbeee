// The view over the engine's columns: rows are found in typed arrays, and the shown content is read from the payload.

import type { Json } from "@assay/base";
import type { RowSource } from "@assay/calls";
import { addRow, noRows } from "../kernels/row-set.ts";
import type { Work } from "../kernels/work.ts";
import { ABSENT, type Frame } from "../plan/frame/frame.ts";
import { page } from "../plan/order.ts";
import type { Prepared } from "../plan/prepare.ts";
import { rowData } from "../plan/row-data.ts";
import { exampleOf, resolveRawRows, writeRows } from "../plan/rows.ts";
import { Selection } from "../plan/select-rows.ts";
import type { SelectedRows } from "../statistics/rows/selected-rows.ts";
import type { ViewRows } from "./view-rows.ts";

/** The sources of a view. */
export interface ColumnView {
  readonly project: string;
  readonly prepared: Prepared;
  readonly rows: RowSource;
  /** The rows that the query selects; all if undefined. */
  readonly kept: Selection | undefined;
  readonly selection: SelectedRows;
}

/** The rows that a query selects, over columns. */
export function columnView({ project, prepared, rows, kept, selection }: ColumnView, work: Work): ViewRows {
  const { query, frame } = prepared;
  const inFrame = (row: number): number => (kept === undefined ? row : kept.rows[row]!);
  return {
    selection,
    async inOrder(some, from, to) {
      const among = some === undefined ? kept : selectionOf(frame, some, inFrame);
      const cut = await page(
        { ...prepared, query: { ...query, offset: from, limit: to - from } },
        among,
        work,
      );
      return kept === undefined ? cut.rows : cut.rows.map((row) => indexOfRow(kept.rows, row));
    },
    async write(some) {
      const shown = { ...query, rawRows: true };
      const written = await writeRows(shown, frame, some.map(inFrame), work);
      return (await resolveRawRows(written, rows, project)).rows;
    },
    allRows: () => rowData(frame, (row) => exampleOf(frame, row), { source: rows, project }, work),
    outputs: (evaluation, most) => firstOutputs(frame, evaluation, most),
  };
}

function selectionOf(frame: Frame, rows: Uint32Array, inFrame: (row: number) => number): Selection {
  const set = noRows(frame.length);
  for (let k = 0; k < rows.length; k++) addRow(set, inFrame(rows[k]!));
  return new Selection(set);
}

/** The index of `row` in an ascending list that contains it. */
function indexOfRow(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* firstOutputs(frame: Frame, e: number, most: number): Generator<Json> {
  const { firstTrial, outputs } = frame.segments[e]!.parts;
  let found = 0;
  for (let row = 0; row < frame.length && found < most; row++) {
    const own = frame.rowIn[e]![row]!;
    if (own === ABSENT) continue;
    found++;
    yield outputs.get(firstTrial.array[own]!);
  }
}
