// The input of a page of rows in addition to the selection: rows in the query's order, and their responses. The
// engine's columns and plain objects (the reference) provide it; everything else is computed from it.

import type { Json } from "@assay/base";
import type { EvalResultsRow } from "../query/response.ts";
import type { SelectedRows } from "../statistics/rows/selected-rows.ts";

/** The rows that a query selects, for display. */
export interface ViewRows {
  /** The rows in digest order, with the evaluations' data on them. */
  readonly selection: SelectedRows;

  /** Some of these rows (all if undefined) in the query's order, from index `from` to before `to`. */
  inOrder(rows: Uint32Array | undefined, from: number, to: number): Promise<Uint32Array>;

  /** The response of rows, each with its data resolved. */
  write(rows: Uint32Array): Promise<readonly EvalResultsRow[]>;

  /** The data of all rows of the evaluations, including rows that are not selected, in digest order. */
  allRows(): AsyncIterable<readonly Json[]>;

  /** The full outputs of the first trials of an evaluation's first `most` rows, in digest order. */
  outputs(evaluation: number, most: number): Iterable<Json>;
}
