// What is kept with a segment beside its columns, because some query has worked it out: plain data. Whoever makes one
// says how, and when it is still right. Imports nothing that knows a segment.

import type { GrowableArray } from "@assay/base";
import type { Total } from "@assay/statistics";
import type { ScoreColumn } from "../columns/score-columns.ts";
import type { ValueColumn } from "../columns/value-column.ts";

/** A column made from the payload. */
export interface DerivedColumn {
  readonly values: ValueColumn;
  /** Items that are in. */
  filled: number;
  /** The row source's version at which some reference did not resolve; undefined when all did. */
  unresolvedAt: number | undefined;
}

/** Numbers of rows, and up to where in the segment's journal they are right. */
export interface RowNumbers {
  readonly values: GrowableArray<Float64Array>;
  journal: number;
}

/** The counts of one score column. */
export interface ColumnTally {
  readonly column: ScoreColumn;
  /** The first trial, in the order of trials, that has a value. */
  readonly first: number;
  readonly trials: number;
  readonly numbers: Total;
  readonly passTrue: number;
  readonly passKnown: number;
}

/** The counts of some trials. */
export interface Tally {
  readonly trials: number;
  /** Columns in which some trial has a value. */
  readonly columns: readonly ColumnTally[];
  /** With the trials' children read, and without. */
  readonly tokens: Total;
  readonly ownTokens: Total;
}

/** What is kept of a whole segment. */
export interface KeptTally {
  readonly tally: Tally;
  /** The segment's trials and removed trials that it was made of. */
  readonly trials: number;
  readonly removed: number;
}

/** Columns of a segment, trial by trial; each column's array stands for it. */
export interface ScoreMatrix {
  /** Columns whose numbers are small; see kernels/small-sums.ts. */
  readonly small: Side<Int16Array>;
  /** All others; NaN is no number. */
  readonly wide: Side<Float64Array>;
  /** Columns without any number. */
  readonly empty: ReadonlySet<Float64Array>;
}

/** Some columns side by side. */
export interface Side<Numbers> {
  readonly columns: readonly SideColumn[];
  /** The numbers of all columns of a trial, then those of the next. */
  readonly numbers: Numbers;
}

/** A column, and what its numbers are multiples of. */
export interface SideColumn {
  readonly array: Float64Array;
  readonly step: number;
}
