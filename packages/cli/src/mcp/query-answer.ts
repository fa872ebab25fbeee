// The answer to a query as a model reads it: what every evaluation amounts to, and a page of rows that fits in a message.

import type { Json } from "@assay/base";
import type { EvalResults, EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, scoreField } from "@assay/eval-engine/words";
import { labelsOf } from "../evaluation-labels.ts";
import { bounded } from "./bounded.ts";

/** What an answer is about. */
export interface AnsweredQuery {
  readonly results: EvalResults;
  /** Rows before the page. */
  readonly offset: number;
  /** Whether rows were asked for. */
  readonly rows: boolean;
  /** Sentences that belong to the answer. */
  readonly notes: readonly string[];
}

/** Characters of one text of a row, elements of one of its lists, and characters of all rows together. */
const BOUNDS = { text: 200, items: 20, rows: 16_000 };

/** Scores and trials that are shown of one evaluation: a page is for finding rows, and show_row has all. */
const SHOWN = { scores: 40, trials: 3 };

/** The answer, bounded. */
export function queryAnswer({ results, offset, rows, notes }: AnsweredQuery): Json {
  const labels = labelsOf(results);
  const page = results.rows.map((row) =>
    bounded(
      {
        row: row.row_digest,
        inputs: row.raw_data_row,
        results: Object.fromEntries(
          row.evaluations.map(({ evaluation_call_id: id, trials }) => [
            labels.get(id) ?? id,
            [
              ...trials.slice(0, SHOWN.trials).map(({ model_output, scores }) => ({
                output: model_output,
                scores,
              })),
              ...(trials.length > SHOWN.trials
                ? [`(${trials.length - SHOWN.trials} more trials: show_row)`]
                : []),
            ],
          ]),
        ),
      } as unknown as Json,
      { ...BOUNDS, rest: () => ": show_row" },
    ),
  );
  const fitting = fittingRows(page);
  const next = offset + fitting.length;
  const more = rows ? results.total_rows - next : 0;
  return {
    ...(notes.length > 0 && { notes: [...notes] }),
    evaluations: (results.summary?.evaluations ?? []).map((of) => ({
      id: of.evaluation_call_id,
      name: labels.get(of.evaluation_call_id) ?? of.evaluation_call_id,
      trials: of.trial_count,
      scores: scoresOf(of.scorer_stats),
    })),
    total_rows: results.total_rows,
    ...(rows && { rows: fitting }),
    ...(more > 0 && { more: `${more.toLocaleString("en")} more rows: the same query with offset ${next}` }),
  };
}

/** As many of the first rows as fit in a message; always one. */
function fittingRows(rows: readonly Json[]): Json[] {
  let left = BOUNDS.rows;
  const end = rows.findIndex((row, i) => {
    left -= JSON.stringify(row).length;
    return left < 0 && i > 0;
  });
  return rows.slice(0, end < 0 ? rows.length : end);
}

/** The rate or the mean of every score, by name, with the trials that it is of. */
function scoresOf(stats: readonly EvalResultsScorerStats[]): Json {
  const shown = stats
    .slice(0, SHOWN.scores)
    .map((of): readonly [string, Json] => [
      measureName(scoreField(of)),
      of.pass_rate === null
        ? { mean: of.numeric_mean, of: of.numeric_count }
        : { pass_rate: of.pass_rate, of: of.pass_known_count },
    ]);
  const more = stats.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more scores: compare names them`]] : shown);
}
