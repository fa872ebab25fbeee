import type { FieldPath, Json } from "@assay/query-lang";
import type { QueriedTrials, TrialQuery } from "./trial-store.ts";

/** The data to read of trials in addition to their position. */
export interface RequestedColumns {
  /** Scores (`scores.…`) or tokens. */
  readonly measures: readonly FieldPath[];
  /** Fields of the row (`inputs.…`). */
  readonly fields: readonly FieldPath[];
}

/** Trials as columns, with one entry per trial: by row digest, then evaluation in request order, then start and ID. */
export interface TrialColumns {
  /** The row's number, from 0 in order of digests. */
  readonly rows: Int32Array;
  /** The digest of each row, by its number. */
  readonly digests: readonly string[];
  /** By row number: 1 if the query's filters and its intersection select the row. */
  readonly selected: Uint8Array;
  /** The evaluation's index in the request. */
  readonly evaluations: Int32Array;
  /** Microseconds since 1970; NaN if unknown. */
  readonly started: Float64Array;
  /**
   * For each measure, the number of each trial, with booleans as 1 and 0 and NaN for everything else, and whether it
   * is a number.
   */
  readonly measures: readonly { readonly numbers: Float64Array; readonly numeric: Uint8Array }[];
  /** For each field, the value of each trial's row; null if it has none. */
  readonly fields: readonly (readonly Json[])[];
}

/** The trials of one query, also as columns. */
export interface QueriedColumns extends QueriedTrials {
  /**
   * The leaves of scores that trials of the evaluations have or once had, as lists of keys that start with the scorer.
   */
  scoreLeaves(): Promise<readonly FieldPath[]>;

  /** A consistent snapshot of the columns of all trials of the evaluations. */
  columns(asked: RequestedColumns): Promise<TrialColumns>;
}

/**
 * A `TrialStore` that can also return measures of all trials of the evaluations as columns, without their payloads.
 */
export interface TrialColumnSource {
  /** The trials of a query, as `TrialStore` opens them. */
  open(of: TrialQuery): QueriedColumns;
}
