// What every contender is given: the same trials as call lines, as flat rows and as a few questions about them.
// A data set holds no trial in memory: each iterator makes or reads them again, so that a million rows fit beside
// the engines that are measured.

import type { Json } from "@assay/base";

/** What one leaf of `scores` holds, in the words of the summary's `value_type`. */
type LeafType = "binary" | "continuous" | "text";

/** One leaf of `scores`: a scorer's value (`path` null) or a path inside it. `column` names it in flat tables. */
export interface Dimension {
  readonly column: string;
  readonly scorer: string;
  readonly path: string | null;
  readonly type: LeafType;
}

/** The value of one dimension in one trial. */
export type Score = number | boolean | string | null;

/** One trial, flat. `row` is an index into the data set's digests, `evaluation` into its evaluations. */
export interface Trial {
  readonly row: number;
  readonly evaluation: number;
  readonly trial: number;
  readonly category: number;
  readonly scores: readonly Score[];
  readonly output: string;
}

/** A dataset row, as it is looked up by its digest. */
export interface DatasetRow {
  readonly digest: string;
  readonly val: Json;
}

/** What the workloads ask of a data set. */
interface Questions {
  /** The column that is sorted and filtered by; continuous. */
  readonly numeric: string;
  /** What the column is compared with, in turns: no one drags a filter to where it already is. */
  readonly thresholds: readonly number[];
  /** Index into `categories`. */
  readonly category: number;
  /** The texts that outputs are searched for, in turns. */
  readonly needles: readonly string[];
  /** Where the text is in a trial's output; empty when the output is the text. */
  readonly outputPath: readonly string[];
}

/** The same evaluations in the forms that the contenders read. */
export interface Dataset {
  readonly name: string;
  readonly project: string;
  readonly evaluations: readonly string[];
  readonly dimensions: readonly Dimension[];
  readonly categories: readonly string[];
  /** Every digest of the data set, ascending by bytes. Some may have no trial in any evaluation. */
  readonly digests: readonly string[];
  readonly questions: Questions;
  /** By row, then evaluation, then trial. */
  trials(): Iterable<Trial>;
  /** The calls of one evaluation as JSON lines, in the order in which they were made: its root first. */
  lines(evaluation: number): Iterable<string>;
  rows(): Iterable<DatasetRow>;
}
