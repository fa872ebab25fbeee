// A table of answers, one object for each question, model and trial, as evaluations.

import { type EvaluationLog, evaluation } from "./evaluation-log.ts";
import { type LoadedEvaluations, loadEvaluations } from "./loaded-evaluations.ts";

/** The name of a column. */
type ColumnOf<Row> = keyof Row & string;

/** The roles of a table's columns. */
export interface TableColumns<Row> {
  /** The column that names the evaluation of each record. */
  readonly evaluation: ColumnOf<Row>;
  /** The columns of the dataset: the question and its other fields. */
  readonly row: ColumnOf<Row> | readonly ColumnOf<Row>[];
  /** The column of the answer. */
  readonly output?: ColumnOf<Row>;
  /** The columns of scores. */
  readonly scores: readonly ColumnOf<Row>[];
  /** The column of the model. Default: the evaluation's name. */
  readonly model?: ColumnOf<Row>;
  /** The column of the latency, in seconds. */
  readonly latency?: ColumnOf<Row>;
  /** The column of the total tokens. */
  readonly tokens?: ColumnOf<Row>;
  /** The column of errors. A trial with an error, neither empty nor null, has no scores. */
  readonly error?: ColumnOf<Row>;
}

/**
 * Loads a table. Repeated rows of an evaluation become further trials. Throws a TypeError, with the record's index, if
 * a record has no evaluation or none of the row's columns.
 */
export function fromTable<Row extends object>(
  table: readonly Row[],
  columns: TableColumns<Row>,
): LoadedEvaluations {
  const logs = new Map<string, EvaluationLog>();
  const rowColumns = typeof columns.row === "string" ? [columns.row] : columns.row;
  for (const [i, record] of table.entries()) {
    const cell = (column: ColumnOf<Row> | undefined): unknown =>
      column === undefined ? undefined : (record[column] ?? undefined);
    const name = cell(columns.evaluation);
    if (name === undefined || name === "")
      throw new TypeError(`record ${i}: ${columns.evaluation} is empty; it must name the evaluation`);
    const row = picked(record, rowColumns);
    if (Object.keys(row).length === 0)
      throw new TypeError(`record ${i}: no value in ${rowColumns.join(", ")} to identify its row`);
    const key = String(name);
    const log = logs.get(key) ?? evaluation({ name: key, model: String(cell(columns.model) ?? key) });
    logs.set(key, log);
    const error = cell(columns.error);
    log.trial({
      row,
      output: cell(columns.output) ?? null,
      scores: picked(record, columns.scores),
      latency: numberIn(cell(columns.latency)),
      tokens: numberIn(cell(columns.tokens)),
      error: error === undefined || error === "" ? undefined : String(error),
    });
  }
  return loadEvaluations(...logs.values());
}

function picked<Row extends object>(record: Row, columns: readonly ColumnOf<Row>[]): object {
  const found: { [column: string]: unknown } = {};
  for (const column of columns) if (record[column] !== undefined) found[column] = record[column];
  return found;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
