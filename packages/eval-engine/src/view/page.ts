// A page of rows in a requested order, each cut to fit in table cells.

import { ok, type Result } from "@assay/base";
import { compareText } from "@assay/base/internal";
import { isReference } from "@assay/calls/internal";
import { type FieldPath, getPath, type Json } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import { topRows } from "../kernels/sorting/top-rows.ts";
import type { Work } from "../kernels/work.ts";
import { type EvalResultsRow, type EvalResultsTrial, UNRESOLVED_ROWS } from "../query/response.ts";
import { measuresOf } from "../statistics/measure.ts";
import { isBuiltinMetric, LATENCY, TOKENS } from "../statistics/measures/builtin-metrics.ts";
import { rowDifference } from "../statistics/rows/row-difference.ts";
import type { SelectedRows } from "../statistics/rows/selected-rows.ts";
import { type Changes, changesOf } from "./change.ts";
import { previewOf } from "./preview.ts";
import type { ViewRows } from "./view-rows.ts";
import { VIEW_LIMITS } from "./wire/body.ts";
import type { RowPageRequest } from "./wire/read-body.ts";
import type { PageRow, PageRowEvaluation, PageTrial, RowPageResults } from "./wire/response.ts";
import { filteredRows, MEAN, rowsWith } from "./wire/row-filters.ts";

/** Answers with a page of the rows of a view. */
export async function rowPage(
  view: ViewRows,
  request: RowPageRequest,
  work: Work,
): Promise<Result<RowPageResults>> {
  const { selection } = view;
  const changes = await requestedChanges(selection, request, work);
  if (!changes.ok) return changes;
  const rows = rowsWith(selection, request.conditions);
  const { change } = request;
  const shown =
    change === undefined
      ? rows
      : filteredRows(selection.length, rows, (row) => changes.value!.has(row, change));
  const pause = work.spend(selection.length * selection.evaluations.length * ROW_COST);
  if (pause !== undefined) await pause;

  const total = shown?.length ?? selection.length;
  const cut = await cutOf(view, request, changes.value, shown, total, work);
  const written = await view.write(cut);
  const measures = request.measures ?? measuresShown(selection);
  const cells = cellsOf(selection, request, measures);
  return ok({
    rows: written.map((row, k) => pageRow(row, cut[k]!, request, measures, cells)),
    total_rows: total,
    measures: measures.map(printFieldPath),
    counts: changes.value?.counts(rows) ?? null,
    warnings: written.some(({ raw_data_row }) => isReference(raw_data_row)) ? [UNRESOLVED_ROWS] : [],
  });
}

// The work per row and evaluation, in array items touched.
const ROW_COST = 8;

/** The changes at the requested measure; undefined without one. */
async function requestedChanges(
  selection: SelectedRows,
  { measure, baseline, candidates, kept }: RowPageRequest,
  work: Work,
): Promise<Result<Changes | undefined>> {
  if (measure === undefined) return ok(undefined);
  const measures = measuresOf(selection, [measure], { missing: "exclude", kept });
  if (!measures.ok) return measures;
  const pause = work.spend(selection.length * candidates.length * ROW_COST);
  if (pause !== undefined) await pause;
  const { direction } = measures.value[0]!;
  return ok(changesOf(selection, { path: measure.path, direction, baseline, candidates }));
}

async function cutOf(
  view: ViewRows,
  { query, order }: RowPageRequest,
  changes: Changes | undefined,
  rows: Uint32Array | undefined,
  total: number,
  work: Work,
): Promise<Uint32Array> {
  const from = Math.min(query.offset, total);
  const to = Math.min(query.offset + query.limit!, total);
  if (from >= to) return new Uint32Array(0);
  if (order === undefined || changes === undefined) return view.inOrder(rows, from, to);
  const key = changes.key(order);
  const compare = (a: number, b: number): number => {
    const x = key.numbers[a]!;
    const y = key.numbers[b]!;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return (key.descending ? y - x : x - y) || a - b;
  };
  return (await topRows(view.selection.length, rows, to, key, compare, work)).subarray(from);
}

/** The default measures: those that some trial has. */
function measuresShown({ leaves, evaluations }: SelectedRows): readonly FieldPath[] {
  const scores = leaves
    .map((leaf): FieldPath => ["scores", ...leaf])
    .sort((a, b) => compareText(printFieldPath(a), printFieldPath(b)));
  const facts = [[LATENCY], [TOKENS]].filter((path) =>
    evaluations.some((evaluation) => evaluation.values(path, MEAN).known.some((count) => count > 0)),
  );
  return [...scores.slice(0, VIEW_LIMITS.shown), ...facts];
}

/** The values of a selected row, by evaluation, then by measure; NaN for none. */
type Cells = (row: number, evaluation: number, measure: number) => number;

function cellsOf({ evaluations }: SelectedRows, _: RowPageRequest, measures: readonly FieldPath[]): Cells {
  const values = evaluations.map((evaluation) => measures.map((path) => evaluation.values(path, MEAN)));
  return (row, e, m) => {
    const place = evaluations[e]!.places[row]!;
    if (place === -1) return Number.NaN;
    const of = values[e]![m]!;
    return of.values[of.stateOf === undefined ? place : of.stateOf[place]!]!;
  };
}

function pageRow(
  written: EvalResultsRow,
  row: number,
  { query, previewChars, baseline }: RowPageRequest,
  measures: readonly FieldPath[],
  cells: Cells,
): PageRow {
  const evaluations = written.evaluations.map(({ evaluation_call_id, trials }): PageRowEvaluation => {
    const e = query.evaluations.indexOf(evaluation_call_id);
    const means = measures.map((_, m) => cells(row, e, m));
    const differences = means.map((mean, m) =>
      baseline === undefined ? mean : rowDifference(cells(row, baseline, m), mean),
    );
    return {
      evaluation_call_id,
      trials: trials.map((trial) => pageTrial(trial, measures, previewChars)),
      means: means.map(orNull),
      differences: baseline === undefined || e === baseline ? null : differences.map(orNull),
    };
  });
  return { row_digest: written.row_digest, row: previewOf(written.raw_data_row, previewChars), evaluations };
}

function pageTrial(trial: EvalResultsTrial, measures: readonly FieldPath[], previewChars: number): PageTrial {
  return {
    predict_and_score_call_id: trial.predict_and_score_call_id,
    output: previewOf(trial.model_output, previewChars),
    values: measures.map((path) => {
      const value = isBuiltinMetric(path) ? factOf(trial, path) : getPath(trial.scores as Json, path, 1);
      return typeof value === "boolean" || typeof value === "number" ? value : null;
    }),
  };
}

function factOf(trial: EvalResultsTrial, path: FieldPath): Json {
  return path[0] === LATENCY ? trial.model_latency_seconds : trial.total_tokens;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
