// The input of statistics from a selection: the rows that a query selects, in digest order, with each evaluation's data
// on them. The engine's columns, plain objects (the reference) and databases provide it; everything computed from it is
// computed here, so the results are the same to the byte.

import type { Json } from "@assay/base";
import type { Call } from "@assay/calls";
import type { FieldPath } from "@assay/query-lang";
import type { Reduction } from "@assay/statistics/exact";
import type { RowValues } from "./row-values.ts";

/** The values of a field for the rows of a selection. */
export interface RowField {
  /** The index of each row's value in `values`; -1 for null. */
  readonly codes: Int32Array;
  /** The distinct values in all rows of the evaluations, including rows that are not selected. */
  readonly values: readonly Json[];
}

/** One evaluation's data on the rows of a selection. */
export interface SelectedEvaluation {
  /** The ID of its root call. */
  readonly id: string;
  /** Its root call, if it exists. */
  readonly root: Call | undefined;
  /** Whether it has any trials, selected or not. */
  readonly hasTrials: boolean;
  /** For each row of the selection, its place in the row values; -1 if the evaluation does not have it. */
  readonly places: Int32Array;
  /** By place: the number of the row's trials. */
  readonly trials: ArrayLike<number>;
  /**
   * By place, for rows with any: how many of its trials duplicate an earlier one, with equal output and equal start.
   */
  readonly repeated: ReadonlyMap<number, number>;
  /** The dataset that its first rows refer to; null if they refer to none. */
  readonly dataset: string | null;
  /** The scorer calls of the first of its rows that has any, by the score's key. */
  readonly scorerCallIds: { readonly [scorer: string]: string };
  /** The values of its rows at a measure. */
  values(measure: FieldPath, reduction: Reduction): RowValues;
}

/** The rows that a query selects. */
export interface SelectedRows {
  /** The number of rows. */
  readonly length: number;
  /** The requested evaluations, in request order. */
  readonly evaluations: readonly SelectedEvaluation[];
  /** The paths of score leaves with a number or boolean in some trial of the evaluations, selected or not. */
  readonly leaves: readonly FieldPath[];
  /** A field of the row (`inputs.…`), from the first trial of each row. It must be one of the prepared fields. */
  field(path: FieldPath): RowField;
  /** The fields that can slice the rows, if they were requested; see slice-fields.ts. */
  readonly sliceFields: readonly FieldPath[];
}

/** The data to prepare of a selection. */
export interface RequestedData {
  /** Measures in addition to the score leaves. */
  readonly measures: readonly FieldPath[];
  /** Fields of the row. */
  readonly fields: readonly FieldPath[];
  /** Whether to find the fields that can slice the rows. */
  readonly sliceFields: boolean;
}

/** The number of rows whose first trials determine an evaluation's dataset and scorers. */
export const ROWS_SAMPLED = 64;
