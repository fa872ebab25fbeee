// The selection over the engine's columns. The row values of a measure are computed once per segment and cached with
// it; moving a filter then costs only the selected rows.

import type { FieldPath } from "@assay/query-lang";
import { moments, type Reduction, rowValue } from "@assay/statistics/exact";
import { TAG } from "../../columns/value-column.ts";
import { PARSE_COST, type Work } from "../../kernels/work.ts";
import { prepareColumns, type ReadySegment } from "../../plan/derived/value-columns.ts";
import { ABSENT, type Frame } from "../../plan/frame/frame.ts";
import type { Selection } from "../../plan/select-rows.ts";
import { fieldAt } from "../../query/field.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";
import { isBuiltinMetric, LATENCY } from "../measures/builtin-metrics.ts";
import { type ColumnSource, fieldOf, sliceFieldsOf } from "./frame-fields.ts";
import { type RowColumns, type RowValues, rowValues } from "./row-values.ts";
import { datasetOf, repeatedIn } from "./sample.ts";
import {
  type RequestedData,
  ROWS_SAMPLED,
  type RowField,
  type SelectedEvaluation,
  type SelectedRows,
} from "./selected-rows.ts";

/** The rows that a query selects, over columns; all rows if `selection` is undefined. */
export async function columnRows(
  source: ColumnSource,
  selection: Selection | undefined,
  requested: RequestedData,
  work: Work,
): Promise<SelectedRows> {
  const { frame, query } = source;
  const length = selection?.count ?? frame.length;
  const leaves = leavesOf(frame);
  const sliceFields = requested.sliceFields ? await sliceFieldsOf(source, work) : [];
  const measures = [
    ...requested.measures.filter((path) => !isBuiltinMetric(path)),
    ...leaves.map((leaf): FieldPath => ["scores", ...leaf]),
  ];
  const fields = [...requested.fields, ...sliceFields];
  const ready = await prepareColumns(
    frame.segments,
    [...measures, ...fields],
    { source: source.rows, project: source.project },
    work,
  );
  const evaluations: SelectedEvaluation[] = [];
  for (const [e, segment] of frame.segments.entries()) {
    const repeated = await repeatedTrials(segment, work);
    evaluations.push({
      id: query.evaluations[e]!,
      root: source.roots[e],
      hasTrials: segment.trials > segment.removed,
      places: placesOf(frame, e, selection),
      trials: trialCounts(segment),
      repeated,
      ...sampleOf(frame, e),
      values: (measure, reduction) => rowValuesOf(ready[e]!, measure, reduction, query.children),
    });
    const pause = work.spend(length * 4);
    if (pause !== undefined) await pause;
  }
  const known = new Map<string, RowField>();
  return {
    length,
    evaluations,
    leaves: leaves.filter((leaf) =>
      ready.some((segment) => hasKnown(rowValuesOf(segment, ["scores", ...leaf], MEAN, query.children))),
    ),
    field: (path) => {
      const { key } = fieldAt(path);
      const field = known.get(key) ?? fieldOf(frame, ready, selection, path);
      known.set(key, field);
      return field;
    },
    sliceFields,
  };
}

const MEAN: Reduction = { by: "mean", k: 1, ofPasses: false };

/** The paths of score columns that may hold a number or a boolean. */
function leavesOf({ segments }: Frame): readonly FieldPath[] {
  const found = new Map<string, FieldPath>();
  const requested = (1 << TAG.false) | (1 << TAG.true) | (1 << TAG.number);
  for (const { parts } of segments)
    for (const { keys, values } of parts.scores.columns)
      if ((values.kinds & requested) !== 0) found.set(JSON.stringify(keys), keys);
  return [...found.values()];
}

function hasKnown({ known }: RowValues): boolean {
  for (let state = 0; state < known.length; state++) if (known[state]! > 0) return true;
  return false;
}

function placesOf(frame: Frame, e: number, selection: Selection | undefined): Int32Array {
  const rowIn = frame.rowIn[e]!;
  if (selection === undefined) return rowIn;
  const { rows } = selection;
  const places = new Int32Array(rows.length);
  for (let k = 0; k < rows.length; k++) places[k] = rowIn[rows[k]!]!;
  return places;
}

const TRIAL_COUNTS: DerivedKey<Uint32Array, number> = {};

/** The number of trials of each row of a segment. */
function trialCounts(segment: Segment): Uint32Array {
  return segment.memo.kept(TRIAL_COUNTS, "", () => {
    const counts = new Uint32Array(segment.rows);
    const rowOf = segment.parts.rowOf.array;
    for (let i = 0; i < segment.trials; i++) if (rowOf[i] !== -1) counts[rowOf[i]!]!++;
    return counts;
  });
}

const REPEATED: DerivedKey<ReadonlyMap<number, number>, number> = {};

async function repeatedTrials(segment: Segment, work: Work): Promise<ReadonlyMap<number, number>> {
  const known = segment.memo.get(REPEATED);
  if (known !== undefined) return known;
  const { startedAt, outputs } = segment.parts;
  const found = new Map<number, number>();
  for (let row = 0; row < segment.rows; row++) {
    const trials = trialsOf(segment, row);
    if (trials.length < 2) continue;
    let parsed = 0;
    const repeated = repeatedIn(
      trials.map((i) => ({
        startedAt: startedAt.array[i]!,
        output: () => {
          parsed++;
          return outputs.get(i);
        },
      })),
    );
    if (repeated > 0) found.set(row, repeated);
    const pause = work.spend(16 + parsed * PARSE_COST);
    if (pause !== undefined) await pause;
  }
  return segment.memo.set(REPEATED, "", found);
}

/** A row's trials in order. */
function trialsOf({ parts: { firstTrial, next } }: Segment, row: number): number[] {
  const trials: number[] = [];
  for (let i = firstTrial.array[row]!; i !== -1; i = next.array[i]!) trials.push(i);
  return trials;
}

type Sample = Pick<SelectedEvaluation, "dataset" | "scorerCallIds">;

const SAMPLE: DerivedKey<Sample> = {};

/** The facts about an evaluation that the first trials of its first rows reveal. */
function sampleOf(frame: Frame, e: number): Sample {
  return frame.memo.kept(SAMPLE, String(e), () => {
    const { parts } = frame.segments[e]!;
    let dataset: string | null = null;
    let scorerCallIds: { readonly [scorer: string]: string } = {};
    let sampled = 0;
    for (let row = 0; row < frame.length && sampled < ROWS_SAMPLED; row++) {
      const own = frame.rowIn[e]![row]!;
      if (own === ABSENT) continue;
      sampled++;
      const trial = parts.firstTrial.array[own]!;
      dataset ??= datasetOf(parts.examples.get(parts.exampleOf.array[trial]!)) ?? null;
      if (Object.keys(scorerCallIds).length > 0) continue;
      const ids = parts.scorerIds.get(trial);
      if (ids !== "") scorerCallIds = JSON.parse(ids) as { readonly [scorer: string]: string };
    }
    return { dataset, scorerCallIds };
  });
}

/** A trial's number for a measure, and whether it is a number and not a boolean. */
interface TrialNumbers {
  /** NaN if it has none. */
  readonly numbers: Float64Array;
  readonly numeric: (trial: number) => boolean;
}

function trialNumbers(
  { segment, column }: ReadySegment,
  measure: FieldPath,
  children: boolean,
): TrialNumbers {
  const { parts } = segment;
  if (isBuiltinMetric(measure)) {
    const [latency, tokens] = children ? [parts.latency, parts.tokens] : [parts.ownLatency, parts.ownTokens];
    return { numbers: (measure[0] === LATENCY ? latency : tokens).array, numeric: () => true };
  }
  const { values } = column(measure);
  const tags = values.tags.array;
  if (values.isBinary) return { numbers: values.numbers.array, numeric: () => false };
  const numeric = (trial: number): boolean => tags[trial] === TAG.number;
  if (values.isNumeric) return { numbers: values.numbers.array, numeric };
  // Texts that read as numbers do not count.
  const numbers = values.numbers.array.map((number, i) =>
    tags[i] === TAG.number || tags[i] === TAG.true || tags[i] === TAG.false ? number : Number.NaN,
  );
  return { numbers, numeric };
}

const ROW_VALUES: DerivedKey<RowValues, number> = {};

/** The value of each row of a segment for a measure. */
function rowValuesOf(
  ready: ReadySegment,
  measure: FieldPath,
  reduction: Reduction,
  children: boolean,
): RowValues {
  const name = JSON.stringify([measure, reduction.by, reduction.k, children]);
  return ready.segment.memo.kept(ROW_VALUES, name, () =>
    rowValues(inStates(workOut(ready, measure, reduction, children))),
  );
}

function workOut(
  ready: ReadySegment,
  measure: FieldPath,
  reduction: Reduction,
  children: boolean,
): RowColumns {
  const { segment } = ready;
  const { numbers, numeric } = trialNumbers(ready, measure, children);
  const { firstTrial, next } = segment.parts;
  const found = {
    stateOf: undefined,
    values: new Float64Array(segment.rows).fill(Number.NaN),
    known: new Uint32Array(segment.rows),
    within: new Float64Array(segment.rows).fill(Number.NaN),
    numeric: new Uint8Array(segment.rows),
  };
  const trials: number[] = [];
  for (let row = 0; row < segment.rows; row++) {
    trials.length = 0;
    for (let i = firstTrial.array[row]!; i !== -1; i = next.array[i]!) {
      if (Number.isNaN(numbers[i]!)) continue;
      trials.push(numbers[i]!);
      if (numeric(i)) found.numeric[row] = 1;
    }
    if (trials.length === 0) continue;
    found.known[row] = trials.length;
    // Most rows have one trial, which is its own mean.
    const single = trials.length === 1 && reduction.by === "mean";
    found.values[row] = single ? trials[0]! : (rowValue(trials, reduction) ?? Number.NaN);
    if (trials.length > 1) found.within[row] = moments({ values: trials }).variance ?? Number.NaN;
  }
  return found;
}

// As many as fit in a byte.
const MOST_STATES = 256;

/** The same, with equal rows sharing a state, if there are few states. */
function inStates(rows: RowColumns): RowColumns {
  const stateOf = new Uint8Array(rows.values.length);
  const firsts: number[] = [];
  // The states of each value: rows with equal values agree in nearly everything.
  const byValue = new Map<number, number[]>();
  for (let row = 0; row < stateOf.length; row++) {
    const value = rows.values[row]!;
    let alike = byValue.get(value);
    if (alike === undefined) {
      alike = [];
      byValue.set(value, alike);
    }
    let state = alike.find((one) => agree(rows, firsts[one]!, row));
    if (state === undefined) {
      if (firsts.length === MOST_STATES) return rows;
      state = firsts.length;
      alike.push(state);
      firsts.push(row);
    }
    stateOf[row] = state;
  }
  return {
    stateOf,
    values: Float64Array.from(firsts, (row) => rows.values[row]!),
    known: Uint32Array.from(firsts, (row) => rows.known[row]!),
    within: Float64Array.from(firsts, (row) => rows.within[row]!),
    numeric: Uint8Array.from(firsts, (row) => rows.numeric[row]!),
  };
}

/** Whether two rows with equal values agree in everything else. */
function agree({ known, within, numeric }: RowColumns, a: number, b: number): boolean {
  return known[a] === known[b] && Object.is(within[a], within[b]) && numeric[a] === numeric[b];
}
