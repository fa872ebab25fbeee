// The input of every contender: the same trials as call lines and as flat rows, and the parameters of the queries over
// them. A data set keeps no trials in memory: each iterator generates or reads them again, so that a million rows fit
// next to the measured engines.

import type { Json } from "@assay/base";

/** The type of a leaf of `scores`, in the terms of the summary's `value_type`. */
type LeafType = "binary" | "continuous" | "text";

/** One leaf of `scores`: a scorer's value (`path` null) or a path inside it. `column` is its name in flat tables. */
export interface Dimension {
  readonly column: string;
  readonly scorer: string;
  readonly path: string | null;
  readonly type: LeafType;
}

/** The value of one dimension in one trial. */
export type Score = number | boolean | string | null;

/** One flat trial. `row` is an index into the data set's digests, `evaluation` into its evaluations. */
export interface Trial {
  readonly row: number;
  readonly evaluation: number;
  readonly trial: number;
  readonly category: number;
  readonly scores: readonly Score[];
  readonly output: string;
}

/** A dataset row with the digest that identifies it. */
export interface DatasetRow {
  readonly digest: string;
  readonly val: Json;
}

/** The parameters of the queries over a data set. */
interface Questions {
  /** The continuous column that queries sort and filter by. */
  readonly numeric: string;
  /**
   * The thresholds for the column, one per turn: consecutive requests are never equal, as when a user drags a filter.
   */
  readonly thresholds: readonly number[];
  /** An index into `categories`. */
  readonly category: number;
  /** The texts to search outputs for, one per turn. */
  readonly needles: readonly string[];
  /** The path of the text in a trial's output; empty if the output is the text. */
  readonly outputPath: readonly string[];
}

/** The same evaluations in the forms that the contenders read. */
export interface Dataset {
  readonly name: string;
  readonly project: string;
  readonly evaluations: readonly string[];
  readonly dimensions: readonly Dimension[];
  readonly categories: readonly string[];
  /** Every digest of the data set, in byte order. Some may have no trial in any evaluation. */
  readonly digests: readonly string[];
  readonly questions: Questions;
  /** By row, then evaluation, then trial. */
  trials(): Iterable<Trial>;
  /** The calls of one evaluation as JSON lines, in the order of their creation: the root first. */
  lines(evaluation: number): Iterable<string>;
  rows(): Iterable<DatasetRow>;
}
