// Loads evaluations from a table of answers, with one object for each question, model and trial.

import type { Json } from "@assay/base";
import { checkMembers, type Members, setMember } from "@assay/base/internal";
import { checkColumns } from "./check-columns.ts";
import type { LoggedTrial } from "./evaluation-log.ts";
import { errorText, jsonCopy, numberCopy } from "./json-copy.ts";
import { engineOfLoaded, type LoadedEvaluations } from "./loaded-evaluations.ts";
import { loadedEvaluation, numberIn, RowTable, type Trials } from "./logged-evaluations.ts";

/** The name of a column. */
type ColumnOf<Row> = keyof Row & string;

/** The roles of a table's columns. */
export interface TableColumns<Row> {
  /** The column that names the evaluation of each record. */
  readonly evaluation: ColumnOf<Row>;
  /** The columns of the dataset: the question and its other fields. */
  readonly row: ColumnOf<Row> | readonly ColumnOf<Row>[];
  /** The column of the answer. */
  readonly output?: ColumnOf<Row> | undefined;
  /** The columns of scores. */
  readonly scores: ColumnOf<Row> | readonly ColumnOf<Row>[];
  /** The column of the model. Default: the evaluation's name. */
  readonly model?: ColumnOf<Row> | undefined;
  /** The column of the latency, in seconds. */
  readonly latency?: ColumnOf<Row> | undefined;
  /** The column of the total tokens. */
  readonly tokens?: ColumnOf<Row> | undefined;
  /** The column of errors: a trial with one has no scores. Empty, null, false and 0 do not count as errors. */
  readonly error?: ColumnOf<Row> | undefined;
}

const ROLES: Members<TableColumns<object>> = {
  ...{ evaluation: "any", row: "any", output: "any?", scores: "any" },
  ...{ model: "any?", latency: "any?", tokens: "any?", error: "any?" },
};

/**
 * Loads a table. Repeated rows of an evaluation become further trials. Throws a TypeError if no record has a column
 * (latencies, tokens and errors may be missing), and, with the record's index, if a record has no evaluation, none of
 * the row's columns, a latency or tokens that are not numbers, or a value that is not JSON.
 */
export function fromTable<Row extends object>(
  table: readonly Row[],
  columns: TableColumns<Row>,
): LoadedEvaluations {
  if (!Array.isArray(table)) throw new TypeError("the table must be a list of objects, one for each answer");
  checkMembers("columns", columns, ROLES);
  const { latency, tokens, error } = columns;
  const named = Object.values(columns).filter((column) => column !== undefined);
  checkColumns(table, named.flat(), [latency, tokens, error]);
  const rows = new RowTable();
  const tables = new Map<string, TableTrials<Row>>();
  const models = new Map<string, string>();
  const rowColumns = listOf(columns.row);
  if (rowColumns.length === 0) throw new TypeError("columns: row needs a column");
  let number = -1;
  for (let i = 0; i < table.length; i++) {
    const record = table[i]!;
    const key = nameIn(record, columns.evaluation, i) ?? "";
    if (key === "")
      throw new TypeError(`record ${i}: ${columns.evaluation} is empty; it must name the evaluation`);
    let trials = tables.get(key);
    if (trials === undefined) {
      trials = new TableTrials(columns);
      tables.set(key, trials);
      models.set(key, (columns.model && nameIn(record, columns.model, i)) ?? key);
    }
    // Tables often list the answers to a question together.
    if (i === 0 || !haveSameTexts(record, table[i - 1]!, rowColumns)) {
      const row = picked(record, rowColumns, i);
      if (Object.keys(row).length === 0)
        throw new TypeError(`record ${i}: no value in ${rowColumns.join(", ")} to identify its row`);
      number = rows.numberOf(row, asIs);
    }
    trials.add(record, i, number);
  }
  const evaluations = [...tables].map(([name, trials]) =>
    loadedEvaluation({ name, model: models.get(name)! }, trials, Uint32Array.from(trials.rowOf), rows),
  );
  return engineOfLoaded(evaluations, rows);
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
    const scores = [...new Set(listOf(names.scores))].map((column) => ({ column, cells: [] }));
    this.columns = { scores, latency: [], tokens: [] };
  }

  get length(): number {
    return this.rowOf.length;
  }

  /** Adds the record at a place of the table. */
  add(record: Row, place: number, row: number): void {
    const i = this.rowOf.push(row) - 1;
    const { output, latency, tokens, error } = this.names;
    if (latency !== undefined) this.columns.latency.push(numberAt(record, latency, place));
    if (tokens !== undefined) this.columns.tokens.push(numberAt(record, tokens, place));
    if (output !== undefined) this.outputs.push(valueAt(record, output, place));
    if (error !== undefined) this.errors.push(errorAt(record, error, place));
    const hasFailed = error !== undefined && this.errors[i] !== "";
    const { scores } = this.columns;
    for (let k = 0; k < scores.length; k++)
      scores[k]!.cells.push(hasFailed ? undefined : valueAt(record, scores[k]!.column, place));
  }

  at(i: number): Omit<LoggedTrial, "row"> {
    const { latency, tokens } = this.columns;
    const scores = Object.fromEntries(
      this.columns.scores.flatMap(({ column, cells }) =>
        cells[i] === undefined ? [] : [[column, cells[i]] as const],
      ),
    );
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

function listOf<Column extends string>(columns: Column | readonly Column[]): readonly Column[] {
  return typeof columns === "string" ? [columns] : columns;
}

/** A name in a record; undefined for null. Objects would all have the same. */
function nameIn<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): string | undefined {
  const value = valueAt(record, column, place) ?? undefined;
  if (typeof value === "object")
    throw new TypeError(`record ${place}: ${column} must be a text or a number, not an object`);
  return value === undefined ? undefined : String(value);
}

function picked<Row extends object>(
  record: Row,
  columns: readonly ColumnOf<Row>[],
  place: number,
): { readonly [column: string]: Json } {
  const found: { [column: string]: Json } = {};
  for (let k = 0; k < columns.length; k++) {
    const value = valueAt(record, columns[k]!, place);
    if (value !== undefined) setMember(found, columns[k]!, value);
  }
  return found;
}

// Creating the function is separate from calling it for every value: V8 allocates captured variables at every call.

function numberAt<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): number | undefined {
  const value: unknown = record[column];
  return typeof value === "number" ? (numberCopy(value) ?? undefined) : otherNumberAt(value, column, place);
}

function otherNumberAt(value: unknown, column: string, place: number): number | undefined {
  return numberIn(value, () => `record ${place}: ${column}`);
}

/** A value of a record as JSON; undefined if it has none. */
function valueAt<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): Json | undefined {
  const value: unknown = record[column];
  // Most values need no copy.
  if (value === undefined || typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" ? numberCopy(value) : copyAt(value, column, place);
}

function copyAt(value: unknown, column: string, place: number): Json {
  // A score and a field of a row are one level down.
  return jsonCopy(value, () => `record ${place}: ${column}`, 1);
}

function errorAt<Row extends object>(record: Row, column: ColumnOf<Row>, place: number): string {
  return errorText(record[column], () => `record ${place}: ${column}`);
}

const asIs = (row: Json): Json => row;
