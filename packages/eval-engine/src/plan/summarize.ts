// The summary (SEMANTICS §5): statistics of every score dimension over the rows that are in. Of whole evaluations it is
// computed once and kept.

import { TAG } from "../columns/value-column.ts";
import { ABSENT, type Frame } from "../frame.ts";
import { addExactly, newTotal, type Total, totalOf } from "../kernels/total.ts";
import type { EvalQuery } from "../request.ts";
import type { EvalResultsEvaluationSummary, EvalResultsScorerStats } from "../response.ts";
import type { ScoreColumn } from "../score-columns.ts";
import type { Segment } from "../segment.ts";
import { scoreLeaves, scorerStats } from "../summary.ts";
import { scoresOf } from "../trials.ts";
import type { Work } from "../work.ts";
import { countRows, type Selection } from "./select.ts";

/** What a summary says of one evaluation but for the metadata of its root call. */
export type Statistics = Pick<
  EvalResultsEvaluationSummary,
  "trial_count" | "scorer_stats" | "predict_total_tokens"
>;

/** The statistics of each evaluation over the selected rows; undefined for one that has none of them. */
export async function summarize(
  query: EvalQuery,
  frame: Frame,
  selection: Selection,
  work: Work,
): Promise<(Statistics | undefined)[]> {
  const found: (Statistics | undefined)[] = [];
  for (let e = 0; e < frame.segments.length; e++) {
    const segment = frame.segments[e]!;
    const name = `summary ${query.children}`;
    let statistics =
      selection === undefined ? (segment.computed.get(name) as Statistics | undefined) : undefined;
    if (statistics === undefined && segment.trials > segment.removed) {
      const trials = trialsIn(frame, e, selection);
      const pause = work.spend(
        countRows(frame, selection) + trials.length * (segment.parts.scores.columns.length + 1),
      );
      if (pause !== undefined) await pause;
      statistics = trials.length === 0 ? undefined : statisticsOf(segment, trials, query.children);
      if (selection === undefined && statistics !== undefined) segment.computed.set(name, statistics);
    }
    found.push(statistics);
  }
  return found;
}

/** An evaluation's trials in the selected rows: rows by digest, trials in order. */
function trialsIn(frame: Frame, e: number, selection: Selection): Uint32Array {
  const segment = frame.segments[e]!;
  const { firstTrial, next } = segment.parts;
  const rowIn = frame.rowIn[e]!;
  const trials = new Uint32Array(segment.trials);
  let n = 0;
  const rows = countRows(frame, selection);
  for (let k = 0; k < rows; k++) {
    const own = rowIn[selection === undefined ? k : selection[k]!]!;
    if (own === ABSENT) continue;
    for (let i = firstTrial.array[own]!; i !== -1; i = next.array[i]!) trials[n++] = i;
  }
  return trials.subarray(0, n);
}

function statisticsOf(segment: Segment, trials: Uint32Array, children: boolean): Statistics {
  const tokens = (children ? segment.parts.tokens : segment.parts.ownTokens).array;
  const total = newTotal();
  for (const i of trials) if (!Number.isNaN(tokens[i]!)) addExactly(total, tokens[i]!);
  return {
    trial_count: trials.length,
    scorer_stats: scorerStatistics(segment, trials),
    predict_total_tokens: total.count === 0 ? null : totalOf(total),
  };
}

/** The counts of one column, and where in the order of trials it first has a value. */
interface Counted {
  readonly column: ScoreColumn;
  readonly first: number;
  readonly trials: number;
  readonly numbers: Total;
  readonly passTrue: number;
  readonly passKnown: number;
}

function scorerStatistics(segment: Segment, trials: Uint32Array): EvalResultsScorerStats[] {
  const counted = segment.parts.scores.columns
    .map((column) => countColumn(column, trials))
    .filter((counts) => counts.trials > 0);
  const place = placeInTrial(segment, trials);
  counted.sort((a, b) => a.first - b.first || place(a) - place(b));
  // Different paths can join to the same text (`{"a.b": 1}` and `{"a": {"b": 1}}`): they are one dimension.
  const dimensions = new Map<string, [Counted, ...Counted[]]>();
  for (const counts of counted) {
    const [scorer, ...keys] = counts.column.keys;
    const name = JSON.stringify([scorer, keys.length === 0 ? null : keys.join(".")]);
    const same = dimensions.get(name);
    if (same === undefined) dimensions.set(name, [counts]);
    else same.push(counts);
  }
  return [...dimensions.values()].map((same) => statsOf(same, trials));
}

function countColumn(column: ScoreColumn, trials: Uint32Array): Counted {
  const [tags, numbers] = [column.values.tags.array, column.values.numbers.array];
  const total = newTotal();
  let [first, count, passTrue, passFalse] = [-1, 0, 0, 0];
  for (let k = 0; k < trials.length; k++) {
    const i = trials[k]!;
    const tag = tags[i]!;
    if (tag === TAG.null) continue;
    if (count++ === 0) first = k;
    if (tag === TAG.number) addExactly(total, numbers[i]!);
    else if (tag === TAG.true) passTrue++;
    else if (tag === TAG.false) passFalse++;
  }
  return { column, first, trials: count, numbers: total, passTrue, passKnown: passTrue + passFalse };
}

function statsOf(same: readonly [Counted, ...Counted[]], trials: Uint32Array): EvalResultsScorerStats {
  const [{ column, first }] = same;
  const [scorer, ...keys] = column.keys;
  const sum = newTotal();
  const counts = { trials: 0, numeric: 0, passTrue: 0, passKnown: 0 };
  for (const one of same) {
    counts.trials += one.trials;
    counts.numeric += one.numbers.count;
    counts.passTrue += one.passTrue;
    counts.passKnown += one.passKnown;
    addExactly(sum, one.numbers.high);
    addExactly(sum, one.numbers.low);
  }
  const tag = column.values.tags.array[trials[first]!]!;
  const valueType = tag === TAG.number ? "continuous" : tag === TAG.text ? "text" : "binary";
  return scorerStats(scorer!, keys.length === 0 ? null : keys.join("."), {
    ...counts,
    valueType,
    sum: totalOf(sum),
  });
}

/** Where a column's leaf stands in the scores of the trial that has it first. */
function placeInTrial(segment: Segment, trials: Uint32Array): (counts: Counted) => number {
  const places = new Map<number, Map<string, number>>();
  return ({ column, first }) => {
    let known = places.get(first);
    if (known === undefined) {
      const scores = scoresOf(segment.parts.outputs.get(trials[first]!));
      const leaves = Object.entries(scores).flatMap(([scorer, value]) => scoreLeaves(value, [scorer]));
      known = new Map(leaves.map(({ keys }, place) => [JSON.stringify(keys), place]));
      places.set(first, known);
    }
    return known.get(JSON.stringify(column.keys))!;
  };
}
