// The answers to what a page of rows asks. Every field is always present.

import type { Json } from "@assay/base";
import type { Interval } from "@assay/statistics";
import type { EvalResultsFilter } from "../query/request.ts";
import type { RowFilter } from "./body.ts";

/** The beginning of a value that may be long. */
export interface Preview {
  /** The value, or as much of it as the characters that were asked for hold. */
  readonly value: Json;
  /** Characters of the whole: of a text itself, of anything else its JSON. */
  readonly length: number;
  /** Whether something of it is left out. */
  readonly cut: boolean;
}

/** A trial on a page of rows. */
export interface PageTrial {
  /** The call that is this trial. */
  readonly predict_and_score_call_id: string;
  /** What the model gave. */
  readonly output: Preview;
  /** What it has at each of the page's measures: a boolean, a number, or null for neither. */
  readonly values: readonly (boolean | number | null)[];
}

/** A row's trials in one evaluation. */
export interface PageRowEvaluation {
  /** The evaluation. */
  readonly evaluation_call_id: string;
  /** Its trials of the row, by start and then id. */
  readonly trials: readonly PageTrial[];
  /** The row's value at each of the page's measures: the mean of what its trials have; null when none has any. */
  readonly means: readonly (number | null)[];
  /** Those less the baseline's; null for the baseline itself, and without one. */
  readonly differences: readonly (number | null)[] | null;
}

/** A row on the page. */
export interface PageRow {
  /** What identifies the row. */
  readonly row_digest: string;
  /** The row's data. */
  readonly row: Preview;
  /** The evaluations that have it, in the order they were asked for. */
  readonly evaluations: readonly PageRowEvaluation[];
}

/** How many rows changed in which way. A page with that `change` has exactly this many. */
export interface ChangeCounts {
  /** All rows. */
  readonly all: number;
  /** Rows that some candidate is worse on than the baseline; null without a baseline, as for the next three. */
  readonly worse: number | null;
  /** Rows that some is better on. */
  readonly better: number | null;
  /** Rows that some is worse or better on. */
  readonly changed: number | null;
  /** Rows on which all are known and none differs. */
  readonly equal: number | null;
  /** Rows whose trials disagree within one of the compared evaluations. */
  readonly flaky: number;
  /** Rows that one of the compared evaluations has no value for. */
  readonly missing: number;
}

/** A page of rows. */
export interface RowPageResults {
  /** The rows. */
  readonly rows: readonly PageRow[];
  /** Rows before paging. */
  readonly total_rows: number;
  /** What values, means and differences are of, in their order. */
  readonly measures: readonly string[];
  /** Of the rows before `change`; null when no measure is asked about. */
  readonly counts: ChangeCounts | null;
  /** What else is to be known, in sentences. */
  readonly warnings: readonly string[];
}

/** A measure in a group: of one evaluation. */
export interface GroupMean {
  /** Rows that have a value. */
  readonly rows: number;
  /** Their mean; of true and false the share that passes. */
  readonly mean: number | null;
}

/** A measure in a group: a candidate less the baseline, on the rows that both have. */
export interface GroupDifference {
  /** Rows that both have a value for. */
  readonly pairs: number;
  /** The mean difference. */
  readonly difference: number | null;
  /** Its interval; null below ten pairs. */
  readonly interval: Interval | null;
  /** The chance of at least such a difference were there none. */
  readonly p_value: number | null;
  /** The same with regard to how many groups were looked at: the false discovery rate at which it would count. */
  readonly q_value: number | null;
}

/** A group of rows. */
export interface RowGroupResult {
  /** What it is, for people. */
  readonly label: string;
  /** One value, numbers between two bounds, all other values, or none. */
  readonly kind: "value" | "range" | "other" | "missing";
  /** The value; null for another kind. */
  readonly value: string | number | boolean | null;
  /** The least number of a range. */
  readonly low: number | null;
  /** The bound that its numbers are below, or at most in the last range. */
  readonly high: number | null;
  /** What selects exactly its rows. */
  readonly row_filter: RowFilter;
  /** The same as a filter of the query itself, where one can say it. */
  readonly filter: EvalResultsFilter | null;
  /** How many rows it has. */
  readonly rows: number;
  /** What each evaluation has at the measures, in the order they were asked for. */
  readonly evaluations: readonly {
    readonly evaluation_call_id: string;
    readonly measures: readonly GroupMean[];
  }[];
  /** Each other evaluation against the baseline; null without one. */
  readonly differences:
    | readonly { readonly evaluation_call_id: string; readonly measures: readonly GroupDifference[] }[]
    | null;
}

/** Groups of rows: each row is in one of them. */
export interface RowGroupsResults {
  /** How many rows they are of. */
  readonly rows: number;
  /** Values by how many rows have them, numbers and ranges from low to high, then others, then missing. */
  readonly groups: readonly RowGroupResult[];
  /** The measures, in the order of the groups' lists. */
  readonly measures: readonly string[];
  /** What else is to be known, in sentences. */
  readonly warnings: readonly string[];
}

/** A value of a field, and how often it occurs. */
export interface FieldValue {
  /** The value. */
  readonly value: string | number | boolean;
  /** Of how many rows or trials. */
  readonly count: number;
}

/** A field that filters, sort keys and groups may name. */
export interface FieldOutline {
  /** As a query writes it. */
  readonly field: string;
  /** The types of its values, null aside. */
  readonly types: readonly ("boolean" | "number" | "string" | "array")[];
  /** Rows (of fields of the row and of measures) or trials (of others) with a value. */
  readonly count: number;
  /** The least number; null when it has none. */
  readonly min: number | null;
  /** The greatest number. */
  readonly max: number | null;
  /** Up to 20 values, the most frequent first; empty when values hardly repeat. */
  readonly values: readonly FieldValue[];
}

/** The fields of evaluations. */
export interface FieldsResults {
  /** Rows of any of the evaluations. */
  readonly rows: number;
  /** Fields of the row, of all rows. */
  readonly inputs: readonly FieldOutline[];
  /** Score leaves: those with numbers or booleans of all rows, texts of the trials that were looked at. */
  readonly scores: readonly FieldOutline[];
  /** Fields of outputs, of the trials that were looked at. */
  readonly outputs: readonly FieldOutline[];
  /** How many trials were looked at for outputs: the first of each of the first thousand rows of an evaluation. */
  readonly looked_at: number;
}
