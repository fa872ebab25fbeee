// What statistics need of a selection: the rows that a query keeps, in digest order, and what each evaluation has on
// them. The columns of the engine give it, plain objects give it (the reference), and a database may; whatever is
// computed from it is computed once, here, and so has the same bytes.

import type { Json } from "@assay/base";
import type { Call } from "@assay/calls";
import type { FieldPath } from "@assay/query-lang";
import type { Reduction } from "@assay/statistics/exact";
import type { RowValues } from "./row-values.ts";

/** Values of a field, one for each row of a selection. */
export interface RowField {
  /** For each row the place of its value in `values`; -1 for null. */
  readonly codes: Int32Array;
  /** The values that rows of the evaluations have, also those that are not selected; each once. */
  readonly values: readonly Json[];
}

/** What an evaluation has on the rows of a selection. */
export interface SelectedEvaluation {
  /** Its root call's id. */
  readonly id: string;
  /** Its root call, when there is one. */
  readonly root: Call | undefined;
  /** Whether it has any trial, selected or not. */
  readonly hasTrials: boolean;
  /** For each row of the selection, its place in the table of rows; -1 when the evaluation does not have it. */
  readonly places: Int32Array;
  /** By place: how many trials the row has. */
  readonly trials: ArrayLike<number>;
  /** By place, for rows that have any: how many of its trials repeat an earlier one: equal output and equal start. */
  readonly repeated: ReadonlyMap<number, number>;
  /** The dataset that its first rows refer to; null when none of them does. */
  readonly dataset: string | null;
  /** The scorer calls of the first of its rows that has any, by the key of the score. */
  readonly scorerCallIds: { readonly [scorer: string]: string };
  /** The values of its rows at a measure. */
  values(measure: FieldPath, reduction: Reduction): RowValues;
}

/** The rows that a query keeps. */
export interface SelectedRows {
  /** How many they are. */
  readonly length: number;
  /** The requested evaluations, in request order. */
  readonly evaluations: readonly SelectedEvaluation[];
  /** The paths of score leaves that some trial of the evaluations, selected or not, has a number or a boolean at. */
  readonly leaves: readonly FieldPath[];
  /** A field of the row (`inputs.…`), as the first trial of each row has it. It must be one of those asked for. */
  field(path: FieldPath): RowField;
  /** Fields of the row that divide it, when they were asked for; see slice-fields.ts. */
  readonly sliceFields: readonly FieldPath[];
}

/** What is to be prepared of a selection. */
export interface Wanted {
  /** Measures beside the score leaves. */
  readonly measures: readonly FieldPath[];
  /** Fields of the row. */
  readonly fields: readonly FieldPath[];
  /** Whether the fields that divide the rows are to be found. */
  readonly sliceFields: boolean;
}

/** The rows of an evaluation whose first trials say what dataset and which scorers it has. */
export const ROWS_SAMPLED = 64;
