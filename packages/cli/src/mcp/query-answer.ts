// The answer to a query for a language model: a summary of every evaluation, and a page of rows that fits in a message.

import type { Json } from "@assay/base";
import type { EvalResults, EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, scoreField, statsAsCompared } from "@assay/eval-engine/words";
import { labelsOf } from "../render/evaluation-labels.ts";
import { firstThatFit, formatCount, truncateText, truncateToFit } from "./truncate.ts";

/** The query of an answer. */
export interface AnsweredQuery {
  readonly results: EvalResults;
  /** The number of rows before the page. */
  readonly offset: number;
  /** Whether rows were requested. */
  readonly rows: boolean;
  /** Sentences for the answer in addition to its warnings. */
  readonly notes: readonly string[];
}

/** The most characters of one text, of all rows, of the summary of each evaluation and of a note. */
const BOUNDS = { text: 200, rows: 16_000, evaluations: 6000, note: 500 };

/** The most scores, trials and notes to show: a page is for finding rows, and show_row has everything. */
const SHOWN = { scores: 40, trials: 3, notes: 2 };

/** The answer as JSON, within the limits. */
export function queryAnswer({ results, offset, rows, ...besides }: AnsweredQuery): string {
  const notes = [...results.warnings, ...besides.notes];
  const labels = labelsOf(results);
  const nameOf = (id: string) => labels.get(id) ?? id;
  const page = results.rows.map((row) =>
    truncateToFit(
      {
        row: row.row_digest,
        inputs: row.raw_data_row,
        results: Object.fromEntries(
          row.evaluations.map(({ evaluation_call_id: id, trials }) => [
            nameOf(id),
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
      // A page has at least one row, however long, so that paging always advances.
      { most: BOUNDS.rows - 1, text: BOUNDS.text, rest: () => ": show_row" },
    ),
  );
  const shown = firstThatFit(page, BOUNDS.rows);
  const evaluations = (results.summary?.evaluations ?? []).map((of) => ({
    id: of.evaluation_call_id,
    name: nameOf(of.evaluation_call_id),
    trials: of.trial_count,
    scores: scoresOf(of.scorer_stats),
  }));
  const next = offset + shown.length;
  const more = rows ? results.total_rows - next : 0;
  const parts: readonly (readonly [name: string, json: string] | undefined)[] = [
    notes.length === 0
      ? undefined
      : ["notes", JSON.stringify(notes.slice(0, SHOWN.notes).map((note) => truncateText(note, BOUNDS.note)))],
    [
      "evaluations",
      truncateToFit(evaluations, {
        most: BOUNDS.evaluations,
        text: BOUNDS.text,
        rest: () => ": name fewer evaluations",
      }),
    ],
    ["total_rows", String(results.total_rows)],
    rows ? ["rows", `[${shown.join(",")}]`] : undefined,
    more > 0
      ? ["more", JSON.stringify(`${formatCount(more)} more rows: the same query with offset ${next}`)]
      : undefined,
  ];
  return `{${parts.flatMap((part) => (part === undefined ? [] : [`"${part[0]}":${part[1]}`])).join(",")}}`;
}

/** The rate or the mean of every score, by name, with its number of trials, or the number of its texts. */
function scoresOf(stats: readonly EvalResultsScorerStats[]): Json {
  const shown = stats
    .slice(0, SHOWN.scores)
    .map((of): readonly [string, Json] => [measureName(scoreField(of)), scoreOf(statsAsCompared(of))]);
  const more = stats.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more scores: compare names them`]] : shown);
}

function scoreOf({ pass_rate, numeric_mean, ...counts }: EvalResultsScorerStats): Json {
  if (pass_rate !== null) return { pass_rate, of: counts.pass_known_count };
  return numeric_mean === null
    ? { texts: counts.trial_count }
    : { mean: numeric_mean, of: counts.numeric_count };
}
