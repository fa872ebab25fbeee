// The summary (docs/reference/semantics.md, "Summary"): statistics of every score dimension over the selected rows.
// Computed once for whole evaluations, and cached.

import { scoresOf } from "@assay/calls/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import { meanOf, totalOf } from "@assay/statistics/exact";
import { TAG } from "../columns/value-column.ts";
import { scratchBuffer } from "../kernels/scratch-buffer.ts";
import type { Work } from "../kernels/work.ts";
import type { EvalResultsEvaluationSummary, EvalResultsScorerStats } from "../query/response.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import type { Segment } from "../segment/segment.ts";
import { scoreLeaves, scorerStats } from "../trials/summary.ts";
import {
  type ColumnCounts,
  type SummaryCounts,
  summaryCountsOf,
  summaryCountsOfAll,
  sumOfCounts,
} from "./derived/summary-counts.ts";
import { ABSENT, type Frame } from "./frame/frame.ts";
import type { Prepared } from "./prepare.ts";
import { countRows, type Selection } from "./select-rows.ts";

/** A summary of one evaluation, without the metadata of its root call. */
export type Statistics = Pick<
  EvalResultsEvaluationSummary,
  "trial_count" | "scorer_stats" | "predict_total_tokens"
>;

const STATISTICS: DerivedKey<Statistics, number> = {};

/** The statistics of each evaluation over the selected rows; undefined for one that has none of them. */
export async function summarize(
  { query, frame }: Prepared,
  selection: Selection | undefined,
  work: Work,
): Promise<(Statistics | undefined)[]> {
  const found: (Statistics | undefined)[] = [];
  for (let e = 0; e < frame.segments.length; e++) {
    const segment = frame.segments[e]!;
    if (segment.trials === segment.removed) {
      found.push(undefined);
      continue;
    }
    const name = query.children ? "with children" : "";
    let statistics = selection === undefined ? segment.memo.get(STATISTICS, name) : undefined;
    if (statistics === undefined) {
      const count = () => tallyOfRows(frame, e, selection, work);
      const counts = await (selection === undefined ? summaryCountsOfAll(segment, count) : count());
      statistics = statisticsOf(segment, counts, query.children);
      if (selection === undefined) segment.memo.set(STATISTICS, name, statistics);
    }
    found.push(statistics.trial_count === 0 ? undefined : statistics);
  }
  return found;
}

// The number of rows counted between two checks of the time.
const ROWS_AT_ONCE = 8192;

/** The counts of an evaluation's trials in the selected rows. */
async function tallyOfRows(
  frame: Frame,
  e: number,
  selection: Selection | undefined,
  work: Work,
): Promise<SummaryCounts> {
  const segment = frame.segments[e]!;
  const rows = countRows(frame, selection);
  let counts = summaryCountsOf(segment, NO_TRIALS);
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const to = Math.min(rows, from + ROWS_AT_ONCE);
    const some = summaryCountsOf(segment, trialsIn(frame, e, selection?.rows, from, to));
    counts = sumOfCounts(segment, counts, some);
    const pause = work.spend((to - from) * ROW_COST + some.trials * some.columns.length * CELL_COST);
    if (pause !== undefined) await pause;
  }
  return counts;
}

// The work of looking a row up and of counting one score of a trial, in array items touched.
const ROW_COST = 32;
const CELL_COST = 12;

const NO_TRIALS = new Uint32Array(0);

/**
 * An evaluation's trials in the selected rows from index `from` up to `to`: rows by digest, trials in order. In
 * scratch memory.
 */
function trialsIn(
  frame: Frame,
  e: number,
  rows: Uint32Array | undefined,
  from: number,
  to: number,
): Uint32Array {
  const segment = frame.segments[e]!;
  const { firstTrial, next } = segment.parts;
  const rowIn = frame.rowIn[e]!;
  const trials = scratchBuffer(segment.trials);
  let n = 0;
  if (segment.tidy) {
    // Each row's trials are numbered consecutively, up to the next row's.
    for (let k = from; k < to; k++) {
      const own = rowIn[rows === undefined ? k : rows[k]!]!;
      if (own === ABSENT) continue;
      const end = own + 1 < segment.rows ? firstTrial.array[own + 1]! : segment.trials;
      for (let i = firstTrial.array[own]!; i < end; i++) trials[n++] = i;
    }
    return trials.subarray(0, n);
  }
  for (let k = from; k < to; k++) {
    const own = rowIn[rows === undefined ? k : rows[k]!]!;
    if (own === ABSENT) continue;
    for (let i = firstTrial.array[own]!; i !== -1; i = next.array[i]!) trials[n++] = i;
  }
  return trials.subarray(0, n);
}

function statisticsOf(segment: Segment, counts: SummaryCounts, children: boolean): Statistics {
  const tokens = children ? counts.tokens : counts.ownTokens;
  return {
    trial_count: counts.trials,
    scorer_stats: scorerStatistics(segment, counts.columns),
    predict_total_tokens: tokens.count === 0 ? null : totalOf(tokens),
  };
}

function scorerStatistics(segment: Segment, columns: readonly ColumnCounts[]): EvalResultsScorerStats[] {
  const place = leafIndexInTrial(segment);
  const inOrder = columns.toSorted((a, b) =>
    a.first === b.first ? place(a) - place(b) : segment.compareTrials(a.first, b.first),
  );
  return inOrder.map(statsOf);
}

function statsOf({ column, first, ...counts }: ColumnCounts): EvalResultsScorerStats {
  const [scorer, ...keys] = column.keys;
  const tag = column.values.tags.array[first]!;
  const valueType = tag === TAG.number ? "continuous" : tag === TAG.text ? "text" : "binary";
  return scorerStats(scorer!, keys.length === 0 ? null : printFieldPath(keys), {
    trials: counts.trials,
    numeric: counts.numbers.count,
    passTrue: counts.passTrue,
    passKnown: counts.passKnown,
    valueType,
    mean: meanOf(counts.numbers),
  });
}

/** Where a column's leaf is in the scores of the first trial that has it. */
function leafIndexInTrial(segment: Segment): (counts: ColumnCounts) => number {
  const places = new Map<number, Map<string, number>>();
  return ({ column, first }) => {
    let known = places.get(first);
    if (known === undefined) {
      const scores = scoresOf(segment.parts.outputs.get(first));
      const leaves = Object.entries(scores).flatMap(([scorer, value]) => scoreLeaves(value, [scorer]));
      known = new Map(leaves.map(({ keys }, place) => [JSON.stringify(keys), place]));
      places.set(first, known);
    }
    return known.get(JSON.stringify(column.keys))!;
  };
}
