// The answers to questions of a page. Every field is always present.

import type { Json } from "@assay/base";
import type { Interval } from "@assay/statistics";
import type { EvalResultsFilter } from "../../query/request.ts";
import type { RowFilter } from "./body.ts";

/** The beginning of a possibly long value. */
export interface Preview {
  /** The value, or as much of it as fits in the requested number of characters. */
  readonly value: Json;
  /** The full length in characters: of a text itself, of anything else its JSON. */
  readonly length: number;
  /** Whether part of it was left out. */
  readonly cut: boolean;
}

/** A trial on a page of rows. */
export interface PageTrial {
  /** The ID of the predict-and-score call. */
  readonly predict_and_score_call_id: string;
  /** The model's output. */
  readonly output: Preview;
  /** Its value for each of the page's measures: a boolean, a number, or null for neither. */
  readonly values: readonly (boolean | number | null)[];
}

/** A row's trials in one evaluation. */
export interface PageRowEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its trials of the row, by start and then ID. */
  readonly trials: readonly PageTrial[];
  /** The row's value for each of the page's measures: the mean of its trials; null without values. */
  readonly means: readonly (number | null)[];
  /** These values minus the baseline's; null for the baseline itself, and without one. */
  readonly differences: readonly (number | null)[] | null;
}

/** A row on the page. */
export interface PageRow {
  /** The row's digest, which identifies it. */
  readonly row_digest: string;
  /** The row's data. */
  readonly row: Preview;
  /** The evaluations that have it, in request order. */
  readonly evaluations: readonly PageRowEvaluation[];
}

/** How many rows changed in which way. A page with that `change` has exactly this many rows. */
export interface ChangeCounts {
  /** All rows. */
  readonly all: number;
  /** Rows that some candidate is worse on than the baseline; null without a baseline, as are the next three. */
  readonly worse: number | null;
  /** Rows that some candidate is better on. */
  readonly better: number | null;
  /** Rows that some candidate is worse or better on. */
  readonly changed: number | null;
  /** Rows on which all values are known and equal. */
  readonly equal: number | null;
  /** Rows whose trials disagree within one of the compared evaluations. */
  readonly flaky: number;
  /** Rows without a value in one of the compared evaluations. */
  readonly missing: number;
}

/** A page of rows. */
export interface RowPageResults {
  /** The rows. */
  readonly rows: readonly PageRow[];
  /** The number of rows before paging. */
  readonly total_rows: number;
  /** The measures of values, means and differences, in their order. */
  readonly measures: readonly string[];
  /** Counts of the rows before `change`; null without a measure. */
  readonly counts: ChangeCounts | null;
  /** Caveats, as sentences. */
  readonly warnings: readonly string[];
}

/** A measure of one evaluation in a group. */
export interface GroupMean {
  /** The number of rows with a value. */
  readonly rows: number;
  /** Their mean; for booleans, the pass rate. */
  readonly mean: number | null;
}

/** A measure of a candidate minus the baseline in a group, on the rows that both have. */
export interface GroupDifference {
  /** The number of rows with a value in both. */
  readonly pairs: number;
  /** The mean difference. */
  readonly difference: number | null;
  /** Its confidence interval; null below ten pairs. */
  readonly interval: Interval | null;
  /** The probability of a difference at least this large if there were none. */
  readonly p_value: number | null;
  /**
   * The q-value, adjusted for the number of groups: the lowest false discovery rate at which it would count as a
   * finding.
   */
  readonly q_value: number | null;
}

/** A group of rows. */
export interface RowGroupResult {
  /** Its name for people. */
  readonly label: string;
  /** One value, numbers between two bounds, all other values, or no value. */
  readonly kind: "value" | "range" | "other" | "missing";
  /** The value; null for other kinds. */
  readonly value: string | number | boolean | null;
  /** The lower bound of a range, inclusive. */
  readonly low: number | null;
  /** The upper bound of a range, inclusive in the last one and in ranges of whole numbers. */
  readonly high: number | null;
  /** The row filter that selects exactly its rows. */
  readonly row_filter: RowFilter;
  /** The same as a filter of the query itself, if one can express it. */
  readonly filter: EvalResultsFilter | null;
  /** The number of its rows. */
  readonly rows: number;
  /** The measures of each evaluation, in request order. */
  readonly evaluations: readonly {
    readonly evaluation_call_id: string;
    readonly measures: readonly GroupMean[];
  }[];
  /** Each other evaluation against the baseline; null without one. */
  readonly differences:
    | readonly { readonly evaluation_call_id: string; readonly measures: readonly GroupDifference[] }[]
    | null;
}

/** Groups of rows: each row is in exactly one of them. */
export interface RowGroupsResults {
  /** The number of rows in all groups. */
  readonly rows: number;
  /** Values by frequency, numbers and ranges in ascending order, then other values, then missing ones. */
  readonly groups: readonly RowGroupResult[];
  /** The measures, in the order of the groups' lists. */
  readonly measures: readonly string[];
  /** Caveats, as sentences. */
  readonly warnings: readonly string[];
}

/** A value of a field and its count. */
export interface FieldValue {
  /** The value. */
  readonly value: string | number | boolean;
  /** The number of rows or trials with it. */
  readonly count: number;
}

/** A field that filters, sort keys and groups may name. */
export interface FieldOutline {
  /** Its name, as in a query. */
  readonly field: string;
  /** The types of its values other than null. */
  readonly types: readonly ("boolean" | "number" | "string" | "array")[];
  /** The number of rows (for fields of the row and measures) or trials (for other fields) with a value. */
  readonly count: number;
  /** The smallest number; null without numbers. */
  readonly min: number | null;
  /** The largest number. */
  readonly max: number | null;
  /** Up to 20 values, the most frequent first; empty if nearly all values are distinct. */
  readonly values: readonly FieldValue[];
}

/** The fields of evaluations. */
export interface FieldsResults {
  /** The number of rows that any of the evaluations has. */
  readonly rows: number;
  /** Fields of the row, from all rows. */
  readonly inputs: readonly FieldOutline[];
  /** Score leaves: numbers and booleans from all rows, texts from the trials that were read. */
  readonly scores: readonly FieldOutline[];
  /** Fields of outputs, from the trials that were read. */
  readonly outputs: readonly FieldOutline[];
  /**
   * The number of trials whose outputs were read: the first trial of each of the first thousand rows of an evaluation.
   */
  readonly looked_at: number;
}
