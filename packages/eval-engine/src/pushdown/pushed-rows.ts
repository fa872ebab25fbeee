// The selection over a database: measures are read as columns of the trials. Payloads are read only of the few trials
// that determine the dataset and scorers of an evaluation, and of those that may be duplicates.

import type { Call, CallSource } from "@assay/calls";
import type { FieldPath, Json } from "@assay/query-lang";
import { moments, type Reduction, rowValue } from "@assay/statistics/exact";
import type { QueriedColumns, TrialColumns } from "../ports/trial-columns.ts";
import type { QueriedTrials, TrialQuery } from "../ports/trial-store.ts";
import { type RowValues, rowValues } from "../statistics/rows/row-values.ts";
import { datasetOf, repeatedIn } from "../statistics/rows/sample.ts";
import {
  type RequestedData,
  ROWS_SAMPLED,
  type RowField,
  type SelectedEvaluation,
  type SelectedRows,
} from "../statistics/rows/selected-rows.ts";
import { compareTrials, type Trial } from "../trials/trials.ts";

/** Where the query's trials and the calls come from. */
export interface PushedSource {
  readonly trials: QueriedColumns;
  readonly calls: Pick<CallSource, "calls">;
}

/** The rows that a query selects, as a database selects them. The slice fields must be named. */
export async function pushedRows(
  { trials, calls }: PushedSource,
  of: TrialQuery,
  requested: RequestedData,
): Promise<SelectedRows> {
  const { project, query } = of;
  if (query.evaluations.length === 0)
    return { length: 0, evaluations: [], leaves: [], field: () => NO_FIELD, sliceFields: [] };
  const leaves = await trials.scoreLeaves();
  const measures = distinct([...requested.measures, ...leaves.map((leaf): FieldPath => ["scores", ...leaf])]);
  const fields = distinct(requested.fields);
  const [columns, roots] = await Promise.all([
    trials.columns({ measures, fields }),
    calls.calls(project, query.evaluations),
  ]);
  const placeOf = (path: FieldPath, paths: readonly FieldPath[]): number =>
    paths.findIndex((one) => nameOf(one) === nameOf(path));
  const evaluations = query.evaluations.map((_, e) => rowsOf(columns, e));
  const measured = (path: FieldPath) => columns.measures[placeOf(path, measures)]!;
  const payloads = await payloadsOf(trials, columns, evaluations);
  return {
    length: evaluations[0]!.places.length,
    evaluations: evaluations.map((rows, e) =>
      evaluationOf(query.evaluations[e]!, roots[e], rows, columns, payloads, measured),
    ),
    leaves: leaves.filter((leaf) =>
      measured(["scores", ...leaf]).numbers.some((number) => !Number.isNaN(number)),
    ),
    field: (path) => fieldOf(columns, columns.fields[placeOf(path, fields)]!),
    sliceFields: [],
  };
}

const NO_FIELD: RowField = { codes: new Int32Array(0), values: [] };

const nameOf = (path: FieldPath): string => JSON.stringify(path);

function distinct(paths: readonly FieldPath[]): readonly FieldPath[] {
  return [...new Map(paths.map((path) => [nameOf(path), path])).values()];
}

/** The rows of one evaluation. */
interface OwnRows {
  /** The index of each row's first trial among the columns, and one more entry for the end of the last row. */
  readonly starts: readonly number[];
  /** By selected row, its row in the evaluation; -1 if the evaluation does not have it. */
  readonly places: Int32Array;
}

function rowsOf({ rows, evaluations, selected }: TrialColumns, e: number): OwnRows {
  const placeOfRow = new Int32Array(selected.length).fill(-1);
  const starts: number[] = [];
  let end = 0;
  for (let i = 0; i < rows.length; i++) {
    if (evaluations[i] !== e) continue;
    // The trials of a row and evaluation are contiguous.
    if (placeOfRow[rows[i]!] === -1) {
      placeOfRow[rows[i]!] = starts.length;
      starts.push(i);
    }
    end = i + 1;
  }
  return { starts: [...starts, end], places: placeOfRow.filter((_, row) => selected[row] === 1) };
}

/** The trials of a row of an evaluation, starting at its first. */
function trialsAt({ rows, evaluations }: TrialColumns, { starts }: OwnRows, place: number): number[] {
  const first = starts[place]!;
  const found: number[] = [];
  for (let i = first; rows[i] === rows[first] && evaluations[i] === evaluations[first]; i++) found.push(i);
  return found;
}

function evaluationOf(
  id: string,
  root: Call | undefined,
  own: OwnRows,
  columns: TrialColumns,
  payloads: Payloads,
  measured: (path: FieldPath) => TrialColumns["measures"][number],
): SelectedEvaluation {
  const count = own.starts.length - 1;
  const trials = Array.from({ length: count }, (_, place) => trialsAt(columns, own, place));
  const digestAt = (place: number): string => columns.digests[columns.rows[own.starts[place]!]!]!;
  const sampled = Array.from({ length: Math.min(ROWS_SAMPLED, count) }, (_, place) =>
    payloads.get(keyOf(id, digestAt(place)))?.at(0),
  ).filter((trial) => trial !== undefined);
  const repeated = new Map<number, number>();
  for (const [place, indexes] of trials.entries()) {
    if (!startTwice(columns, indexes)) continue;
    const found = payloads.get(keyOf(id, digestAt(place))) ?? [];
    const times = repeatedIn(found.map(({ startedAt, output }) => ({ startedAt, output: () => output })));
    if (times > 0) repeated.set(place, times);
  }
  return {
    id,
    root,
    hasTrials: count > 0,
    places: own.places,
    trials: trials.map(({ length }) => length),
    repeated,
    dataset:
      sampled.map(({ example }) => datasetOf(example)).find((dataset) => dataset !== undefined) ?? null,
    scorerCallIds:
      sampled.map(({ facts }) => facts.scorerCallIds).find((ids) => Object.keys(ids).length > 0) ?? {},
    values: (measure, reduction) => valuesOf(trials, measured(measure), reduction),
  };
}

function valuesOf(
  rows: readonly (readonly number[])[],
  { numbers, numeric }: TrialColumns["measures"][number],
  reduction: Reduction,
): RowValues {
  const known = rows.map((trials) =>
    trials.map((i) => numbers[i]!).filter((number) => !Number.isNaN(number)),
  );
  return rowValues({
    stateOf: undefined,
    values: Float64Array.from(known, (trials) => rowValue(trials, reduction) ?? Number.NaN),
    known: Uint32Array.from(known, (trials) => trials.length),
    within: Float64Array.from(known, (trials) => moments({ values: trials }).variance ?? Number.NaN),
    numeric: Uint8Array.from(rows, (trials) => Number(trials.some((i) => numeric[i] === 1))),
  });
}

/** Whether two of a row's trials started at the same moment: only those can be duplicates. */
function startTwice({ started }: TrialColumns, trials: readonly number[]): boolean {
  return trials.some((i, k) => k > 0 && started[i] === started[trials[k - 1]!]);
}

/** All trials of some rows in order, by evaluation and digest. */
type Payloads = ReadonlyMap<string, readonly Trial[]>;

const keyOf = (evaluation: string, digest: string): string => JSON.stringify([evaluation, digest]);

// The number of rows whose payloads are in memory together.
const ROWS_AT_ONCE = 500;

async function payloadsOf(
  queried: QueriedTrials,
  columns: TrialColumns,
  evaluations: readonly OwnRows[],
): Promise<Payloads> {
  const needed = new Set<number>();
  for (const own of evaluations) {
    for (let place = 0; place < own.starts.length - 1; place++)
      if (place < ROWS_SAMPLED || startTwice(columns, trialsAt(columns, own, place)))
        needed.add(columns.rows[own.starts[place]!]!);
  }
  const digests = Array.from(needed, (row) => columns.digests[row]!);
  const found = new Map<string, Trial[]>();
  for (let at = 0; at < digests.length; at += ROWS_AT_ONCE) {
    for (const { evaluation, trial } of await queried.trials(digests.slice(at, at + ROWS_AT_ONCE))) {
      const key = keyOf(evaluation, trial.digest);
      const same = found.get(key);
      if (same === undefined) found.set(key, [trial]);
      else same.push(trial);
    }
  }
  for (const same of found.values()) same.sort(compareTrials);
  return found;
}

function fieldOf({ rows, selected }: TrialColumns, ofTrials: readonly Json[]): RowField {
  const values = new Map<string, { readonly value: Json; readonly code: number }>();
  const codes = new Int32Array(selected.length);
  let last = -1;
  for (let i = 0; i < rows.length; i++) {
    // A row's content comes from its first trial, in request order.
    if (rows[i] === last) continue;
    last = rows[i]!;
    const value = ofTrials[i]!;
    const key = JSON.stringify(value);
    if (value !== null && !values.has(key)) values.set(key, { value, code: values.size });
    codes[last] = value === null ? -1 : values.get(key)!.code;
  }
  return {
    codes: codes.filter((_, row) => selected[row] === 1),
    values: Array.from(values.values(), ({ value }) => value),
  };
}
