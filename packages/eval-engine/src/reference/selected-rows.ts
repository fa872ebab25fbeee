// The specification of selections over plain objects, for the implementation over columns. Never make it faster at the
// expense of clarity.

import type { Json } from "@assay/base";
import { type CallSource, type RowSource, rowIdOf } from "@assay/calls";
import { scoresOf } from "@assay/calls/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import { moments, type Reduction, rowValue } from "@assay/statistics/exact";
import type { EvalQuery } from "../query/request.ts";
import { isBuiltinMetric, LATENCY } from "../statistics/measures/builtin-metrics.ts";
import { FieldFinder } from "../statistics/rows/field-finder.ts";
import { type RowValues, rowValues } from "../statistics/rows/row-values.ts";
import { datasetOf, repeatedIn } from "../statistics/rows/sample.ts";
import {
  type RequestedData,
  ROWS_SAMPLED,
  type RowField,
  type SelectedEvaluation,
  type SelectedRows,
} from "../statistics/rows/selected-rows.ts";
import { scoreLeaves } from "../trials/summary.ts";
import type { Trial } from "../trials/trials.ts";
import { matches, type Row, readRows, resolveRows } from "./naive.ts";

/** The rows that a query selects, computed in the simplest way. */
export async function referenceRows(
  source: { readonly calls: CallSource; readonly rows: RowSource },
  project: string,
  query: EvalQuery,
  requested: RequestedData,
): Promise<SelectedRows> {
  const all = await readRows(source.calls, project, query.evaluations);
  const resolved = await resolveRows(source.rows, project, all);
  const rowOf = ({ example }: Trial): Json => {
    const row = rowIdOf(example) === undefined ? undefined : resolved.get(example as string);
    return row === undefined ? example : row;
  };
  const selected = all
    .filter((row) => matches(query, row, rowOf))
    .filter((row) => !query.intersect || query.evaluations.every((id) => row.trials.has(id)));
  const roots = await source.calls.calls(project, query.evaluations);
  const firstRow = (row: Row): Json => rowOf(query.evaluations.flatMap((id) => row.trials.get(id) ?? [])[0]!);
  const finder = new FieldFinder();
  if (requested.sliceFields) for (const row of all) finder.add(firstRow(row));
  return {
    length: selected.length,
    evaluations: query.evaluations.map((id, e) => evaluationOf(query, id, all, selected, roots[e])),
    leaves: leavesOf(all),
    field: (path) => fieldOf(path, all, selected, firstRow),
    sliceFields: finder.fields(),
  };
}

function evaluationOf(
  query: EvalQuery,
  id: string,
  all: readonly Row[],
  selected: readonly Row[],
  root: SelectedEvaluation["root"],
): SelectedEvaluation {
  const own = all.filter((row) => row.trials.has(id));
  const trialsOf = (row: Row): readonly Trial[] => row.trials.get(id)!;
  const sampled = own.slice(0, ROWS_SAMPLED).map((row) => trialsOf(row)[0]!);
  const repeated = own.map((row) =>
    repeatedIn(trialsOf(row).map(({ startedAt, output }) => ({ startedAt, output: () => output }))),
  );
  return {
    id,
    root,
    hasTrials: own.length > 0,
    places: Int32Array.from(selected, (row) => own.indexOf(row)),
    trials: own.map((row) => trialsOf(row).length),
    repeated: new Map(repeated.entries()),
    dataset:
      sampled.map(({ example }) => datasetOf(example)).find((dataset) => dataset !== undefined) ?? null,
    scorerCallIds:
      sampled.map(({ facts }) => facts.scorerCallIds).find((ids) => Object.keys(ids).length > 0) ?? {},
    values: (measure, reduction) =>
      valuesOf(
        own.map((row) => trialsOf(row).map((trial) => measured(query, measure, trial))),
        reduction,
      ),
  };
}

/** A trial's value of a measure. */
function measured(query: EvalQuery, measure: FieldPath, trial: Trial): Json {
  if (!isBuiltinMetric(measure)) return getPath(scoresOf(trial.output), measure, 1);
  const facts = query.children ? trial.facts : trial.ownFacts;
  return measure[0] === LATENCY ? facts.latency : facts.tokens;
}

function valuesOf(rows: readonly (readonly Json[])[], reduction: Reduction): RowValues {
  const known = rows.map((trials) =>
    trials.filter((value) => typeof value === "boolean" || typeof value === "number").map(Number),
  );
  return rowValues({
    stateOf: undefined,
    values: Float64Array.from(known, (trials) => rowValue(trials, reduction) ?? Number.NaN),
    known: Uint32Array.from(known, (trials) => trials.length),
    within: Float64Array.from(known, (trials) => moments({ values: trials }).variance ?? Number.NaN),
    numeric: Uint8Array.from(rows, (trials) => Number(trials.some((value) => typeof value === "number"))),
  });
}

function leavesOf(rows: readonly Row[]): readonly FieldPath[] {
  const found = new Map<string, FieldPath>();
  for (const { output } of rows.flatMap((row) => [...row.trials.values()].flat())) {
    for (const [scorer, value] of Object.entries(scoresOf(output)))
      for (const leaf of scoreLeaves(value, [scorer]))
        if (typeof leaf.value !== "string") found.set(JSON.stringify(leaf.keys), leaf.keys);
  }
  return [...found.values()];
}

function fieldOf(
  path: FieldPath,
  all: readonly Row[],
  selected: readonly Row[],
  rowOf: (row: Row) => Json,
): RowField {
  const valueIn = (row: Row): Json => getPath(rowOf(row), path, 1);
  const values = new Map<string, Json>();
  for (const value of all.map(valueIn)) if (value !== null) values.set(JSON.stringify(value), value);
  const keys = [...values.keys()];
  return {
    codes: Int32Array.from(selected, (row) => {
      const value = valueIn(row);
      return value === null ? -1 : keys.indexOf(JSON.stringify(value));
    }),
    values: [...values.values()],
  };
}
