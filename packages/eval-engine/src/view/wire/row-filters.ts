// Selects rows by conditions on rows. Groups use the same conditions for counting and for selecting their rows, so both
// results agree.

import { asNumber, type FieldPath, type Json } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import type { Reduction } from "@assay/statistics/exact";
import { rowDifference } from "../../statistics/rows/row-difference.ts";
import type { SelectedEvaluation, SelectedRows } from "../../statistics/rows/selected-rows.ts";

/** The parsed value that a condition applies to. */
export interface RowValue {
  /** A field of the row, or a measure. */
  readonly path: FieldPath;
  /** For a measure: the index of the evaluation in the query. */
  readonly evaluation: number | undefined;
  /** For a difference: the index of the evaluation to subtract. */
  readonly baseline: number | undefined;
}

/** A parsed condition. */
export interface RowCondition extends RowValue {
  readonly equals: string | number | boolean | undefined;
  readonly noneOf: readonly (string | number | boolean)[] | undefined;
  readonly atLeast: number;
  readonly below: number;
  readonly atMost: number;
  /** Whether it has bounds on numbers. */
  readonly bounded: boolean;
  readonly known: boolean | undefined;
}

/** How a row's trials are reduced to its value. */
export const MEAN: Reduction = { by: "mean", k: 1, ofPasses: false };

/** The selected rows that meet all conditions; undefined for all rows. */
export function rowsWith(
  selection: SelectedRows,
  conditions: readonly RowCondition[],
): Uint32Array | undefined {
  let rows: Uint32Array | undefined;
  for (const condition of conditions)
    rows = filteredRows(selection.length, rows, holds(selection, condition));
  return rows;
}

/** Those of `rows` (all of `length` if undefined) for which `keep` holds. */
export function filteredRows(
  length: number,
  rows: Uint32Array | undefined,
  keep: (row: number) => boolean,
): Uint32Array {
  const among = rows?.length ?? length;
  const found = new Uint32Array(among);
  let n = 0;
  for (let k = 0; k < among; k++) {
    const row = rows === undefined ? k : rows[k]!;
    if (keep(row)) found[n++] = row;
  }
  return found.subarray(0, n);
}

function holds(selection: SelectedRows, condition: RowCondition): (row: number) => boolean {
  if (condition.evaluation === undefined) {
    const { codes, values } = selection.field(condition.path);
    const of = values.map((value) => fieldFits(condition, value));
    return (row) => (codes[row] === -1 ? condition.known === false : of[codes[row]!]!);
  }
  const numbers = numbersOf(selection, condition);
  const equals = condition.equals === undefined ? undefined : Number(condition.equals);
  const others = condition.noneOf?.map(Number);
  return (row) => {
    const number = numbers[row]!;
    if (Number.isNaN(number)) return condition.known === false;
    if (condition.known === false) return false;
    if (equals !== undefined && number !== equals) return false;
    return others?.includes(number) !== true && isWithin(condition, number);
  };
}

function fieldFits(condition: RowCondition, value: Json): boolean {
  const { equals, noneOf, bounded, known } = condition;
  if (known === false) return false;
  const text = asText(value);
  if (equals !== undefined && asText(equals) !== text) return false;
  if (noneOf?.some((one) => asText(one) === text) === true) return false;
  if (!bounded) return true;
  const number = asNumber(value);
  return number !== null && isWithin(condition, number);
}

function isWithin({ atLeast, below, atMost }: RowCondition, number: number): boolean {
  return number >= atLeast && number < below && number <= atMost;
}

/**
 * The number of each selected row: a field's, or its value at a measure, or the difference to the baseline's; NaN for
 * none.
 */
export function numbersOf(selection: SelectedRows, { path, evaluation, baseline }: RowValue): Float64Array {
  if (evaluation === undefined) {
    const { codes, values } = selection.field(path);
    const numbers = values.map((value) => asNumber(value) ?? Number.NaN);
    return Float64Array.from(codes, (code) => (code === -1 ? Number.NaN : numbers[code]!));
  }
  const numbers = rowMeans(selection.evaluations[evaluation]!, path);
  if (baseline === undefined) return numbers;
  const from = rowMeans(selection.evaluations[baseline]!, path);
  for (let row = 0; row < numbers.length; row++) numbers[row] = rowDifference(from[row]!, numbers[row]!);
  return numbers;
}

/** The value of each selected row at a measure in one evaluation; NaN for none. */
function rowMeans(evaluation: SelectedEvaluation, path: FieldPath): Float64Array {
  const { places } = evaluation;
  const { stateOf, values } = evaluation.values(path, MEAN);
  const means = new Float64Array(places.length);
  for (let row = 0; row < means.length; row++) {
    const place = places[row]!;
    means[row] = place === -1 ? Number.NaN : values[stateOf === undefined ? place : stateOf[place]!]!;
  }
  return means;
}
