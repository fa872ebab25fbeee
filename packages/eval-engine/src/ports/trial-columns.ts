import type { FieldPath, Json } from "@assay/query-lang";
import type { QueriedTrials, TrialQuery } from "./trial-store.ts";

/** What is to be read of trials, beside where they stand. */
export interface AskedColumns {
  /** Scores (`scores.…`) or the tokens: what is measured. */
  readonly measures: readonly FieldPath[];
  /** Fields of the row (`inputs.…`). */
  readonly fields: readonly FieldPath[];
}

/** Trials as columns, each with one entry for each trial: rows by digest, evaluations as requested, then start and id. */
export interface TrialColumns {
  /** The row's number, from 0 on in the order of digests. */
  readonly rows: Int32Array;
  /** The digest of each row, by its number. */
  readonly digests: readonly string[];
  /** By a row's number: 1 when the query's filters and its intersection keep it. */
  readonly selected: Uint8Array;
  /** The place of the evaluation in the request, from 0 on. */
  readonly evaluations: Int32Array;
  /** Microseconds since 1970; NaN when unknown. */
  readonly started: Float64Array;
  /** For each measure the number of each trial, 1 and 0 of booleans, NaN of everything else; and 1 where it is a number. */
  readonly measures: readonly { readonly numbers: Float64Array; readonly numeric: Uint8Array }[];
  /** For each field the value of each trial's row; null when it has none. */
  readonly fields: readonly (readonly Json[])[];
}

/** The trials of one query, as columns too. */
export interface QueriedColumns extends QueriedTrials {
  /** The leaves of the scores that trials of the evaluations have or once had: keys, the first the scorer. */
  scoreLeaves(): Promise<readonly FieldPath[]>;

  /** The columns of all trials of the evaluations, at one moment. */
  columns(asked: AskedColumns): Promise<TrialColumns>;
}

/**
 * A `TrialStore` that also gives what is measured on trials as columns: those of all rows of the evaluations, without
 * their payloads.
 */
export interface TrialColumnSource {
  /** The trials of a query, as `TrialStore` opens them. */
  open(of: TrialQuery): QueriedColumns;
}
