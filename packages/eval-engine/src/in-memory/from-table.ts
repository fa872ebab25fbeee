// A table of answers, one object for each question, model and trial, as evaluations.

import { checkColumns, checkMembers, type Members } from "./check-names.ts";
import type { LoggedTrial } from "./evaluation-log.ts";
import { answering, type LoadedEvaluations } from "./loaded-evaluations.ts";
import { checkDepth, loadedOf, numberIn, RowTable, type Trials } from "./logged-evaluations.ts";

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

const ROLES: Members<TableColumns<object>> = {
  ...{ evaluation: true, row: true, output: false, scores: true },
  ...{ model: false, latency: false, tokens: false, error: false },
};

/**
 * Loads a table. Repeated rows of an evaluation become further trials. Throws a TypeError if no record has a column
 * (latencies, tokens and errors may be missing), and, with the record's index, if a record has no evaluation, none of
 * the row's columns, a latency or tokens that are not numbers, or a BigInt that is too large for one.
 */
export function fromTable<Row extends object>(
  table: readonly Row[],
  columns: TableColumns<Row>,
): LoadedEvaluations {
  if (!Array.isArray(table)) throw new TypeError("the table must be a list of objects, one for each answer");
  checkMembers("columns", columns, ROLES);
  const { latency, tokens, error } = columns;
  checkColumns(table, Object.values(columns).flat(), [latency, tokens, error]);
  const rows = new RowTable();
  const tables = new Map<string, TableTrials<Row>>();
  const models = new Map<string, string>();
  const rowColumns = typeof columns.row === "string" ? [columns.row] : columns.row;
  let number = -1;
  for (let i = 0; i < table.length; i++) {
    const record = table[i]!;
    const name = record[columns.evaluation] ?? "";
    if (name === "")
      throw new TypeError(`record ${i}: ${columns.evaluation} is empty; it must name the evaluation`);
    const key = String(name);
    let trials = tables.get(key);
    if (trials === undefined) {
      trials = new TableTrials(columns);
      tables.set(key, trials);
      models.set(key, textOf(columns.model && record[columns.model]) ?? key);
    }
    // Tables often list the answers to a question together.
    if (i === 0 || !haveSameTexts(record, table[i - 1]!, rowColumns)) {
      const row = picked(record, rowColumns, i);
      if (Object.keys(row).length === 0)
        throw new TypeError(`record ${i}: no value in ${rowColumns.join(", ")} to identify its row`);
      checkDepth(row, trials.length, key);
      number = rows.numberOf(row);
    }
    trials.add(record, i, number, key);
  }
  const evaluations = [...tables].map(([name, trials]) =>
    loadedOf({ name, model: models.get(name)! }, trials, Uint32Array.from(trials.rowOf), rows),
  );
  return answering(evaluations, rows);
}

/** The trials of one evaluation, column by column: an object for each would keep the garbage collector busy. */
class TableTrials<Row extends object> implements Trials {
  readonly rowOf: number[] = [];
  readonly columns: {
    readonly scores: readonly { readonly column: ColumnOf<Row>; readonly cells: unknown[] }[];
    readonly latency: (number | undefined)[];
    readonly tokens: (number | undefined)[];
  };
  private readonly outputs: unknown[] = [];
  private readonly errors: string[] = [];
  private readonly names: TableColumns<Row>;

  constructor(names: TableColumns<Row>) {
    this.names = names;
    const scores = [...new Set(names.scores)].map((column) => ({ column, cells: [] }));
    this.columns = { scores, latency: [], tokens: [] };
  }

  get length(): number {
    return this.rowOf.length;
  }

  /** Adds the record at a place of the table. */
  add(record: Row, place: number, row: number, evaluation: string): void {
    const i = this.rowOf.push(row) - 1;
    const { output, latency, tokens, error } = this.names;
    if (latency !== undefined) this.columns.latency.push(numberAt(record, latency, place));
    if (tokens !== undefined) this.columns.tokens.push(numberAt(record, tokens, place));
    if (output !== undefined) this.outputs.push(valueAt(record, output, place));
    if (error !== undefined) this.errors.push(textOf(record[error]) ?? "");
    const hasFailed = error !== undefined && this.errors[i] !== "";
    let hasObject = false;
    const { scores } = this.columns;
    for (let k = 0; k < scores.length; k++) {
      const score = hasFailed ? undefined : valueAt(record, scores[k]!.column, place);
      if (typeof score === "object") hasObject = true;
      scores[k]!.cells.push(score);
    }
    checkDepth(this.outputs[i], i, evaluation);
    if (hasObject) checkDepth(this.at(i).scores, i, evaluation);
  }

  at(i: number): Omit<LoggedTrial, "row"> {
    const { latency, tokens } = this.columns;
    const scores: { [column: string]: unknown } = {};
    for (const { column, cells } of this.columns.scores)
      if (cells[i] !== undefined) scores[column] = cells[i];
    return {
      ...{ scores, output: this.outputs[i] ?? null, error: this.errors[i] },
      ...{ latency: latency[i], tokens: tokens[i] },
    };
  }
}

/** Whether two records have the same text in each of some columns. By index: an iterator for each record is garbage. */
function haveSameTexts<Row extends object>(a: Row, b: Row, columns: readonly ColumnOf<Row>[]): boolean {
  for (let i = 0; i < columns.length; i++) {
    const text = a[columns[i]!];
    if (typeof text !== "string" || text !== b[columns[i]!]) return false;
  }
  return true;
}

/** A value as text; undefined for null. */
function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function picked<Row extends object>(record: Row, columns: readonly ColumnOf<Row>[], place: number): object {
  const found: { [column: string]: unknown } = {};
  for (const column of columns)
    if (record[column] !== undefined) found[column] = valueAt(record, column, place);
  return found;
}

function numberAt<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): number | undefined {
  const value = valueAt(record, column, place);
  // Without a text for each number.
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return numberIn(value, `record ${place}`, column);
}

/** A value of a record. A BigInt, in which databases return their integers, becomes a number. */
function valueAt<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): unknown {
  const value = record[column];
  if (typeof value !== "bigint") return value;
  if (Number.isSafeInteger(Number(value))) return Number(value);
  throw new TypeError(`record ${place}: ${column} is ${value}, too large for a number; pass it as text`);
}
