// What the routes answer, as the page reads it.

import type { Json } from "@assay/base";
import type { Change } from "../state/place.ts";

/** An evaluation in a list. */
export interface ListedEvaluation {
  readonly id: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly rows: number;
  readonly trials: number;
  readonly started_at: string | null;
  /** Null while it is running. */
  readonly ended_at: string | null;
  readonly dataset?: string | null;
}

/** The beginning of a value. */
export interface Preview {
  readonly value: Json;
  /** Characters of the whole. */
  readonly length: number;
  readonly cut: boolean;
}

/** A trial of a row on the page. */
interface PageTrial {
  readonly predict_and_score_call_id: string;
  readonly output: Preview | null;
  /** At each measure of the page. */
  readonly values: readonly (boolean | number | null)[];
}

/** A row's trials in one evaluation. */
export interface PageCell {
  readonly evaluation_call_id: string;
  readonly trials: readonly PageTrial[];
  readonly means: readonly (number | null)[];
  /** To the baseline; null in it and without one. */
  readonly differences: readonly (number | null)[] | null;
}

/** A row of the grid. */
export interface PageRow {
  readonly row_digest: string;
  readonly row: Preview | null;
  readonly evaluations: readonly PageCell[];
}

/** How many rows each change has, of all that the filters keep. */
export type ChangeCounts = Readonly<Record<Change | "all", number | null>>;

/** A page of rows. */
export interface RowPage {
  readonly rows: readonly PageRow[];
  readonly measures: readonly string[];
  readonly total_rows: number;
  readonly counts: ChangeCounts | null;
}

/** A field of rows, scores or outputs. */
interface ListedField {
  readonly field: string;
  readonly values: readonly { readonly value: Json; readonly count: number }[];
}

/** The fields that evaluations have. */
export interface FieldList {
  readonly inputs: readonly ListedField[];
  readonly scores: readonly ListedField[];
  readonly outputs: readonly ListedField[];
}
