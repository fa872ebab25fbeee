// The summary of an answer as a table: each score of each evaluation.

import type {
  EvalResultsEvaluationSummary,
  EvalResultsScorerStats,
  EvalResultsSummary,
} from "@assay/eval-engine";
import { numberText } from "./number-text.ts";
import { type Cell, SIDE_BY_SIDE, type TableLook, tableOf } from "./table.ts";

const NOTHING = "—";

/** The summary: a few evaluations side by side, many one below the other, in fewer words. */
export function summaryTable(
  { evaluations, row_count }: EvalResultsSummary,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  const heading = `Summary of ${row_count.toLocaleString("en")} rows`;
  if (evaluations.length === 0) return heading;
  const fit = evaluations.length < width / SIDE_BY_SIDE - 1;
  const table = fit ? sideBySide(evaluations, labels, width) : oneBelowTheOther(evaluations, labels, width);
  return `${heading}\n${table}`;
}

type Evaluations = readonly EvalResultsEvaluationSummary[];
type Line = readonly [name: string, cells: readonly Cell[]];

function sideBySide(evaluations: Evaluations, labels: ReadonlyMap<string, string>, width: number): string {
  const names = evaluations.map(({ evaluation_call_id: id }) => labels.get(id)!);
  const lines: readonly Line[] = [
    ...scoreNames(evaluations).map((name): Line => [name, evaluations.map((of) => statCell(of, name))]),
    ...countLines(evaluations),
  ];
  const rows = lines.map(([name, cells]) => [name, ...cells]);
  return tableOf(["score", ...names], rows, { width, tight: true });
}

function oneBelowTheOther(
  evaluations: Evaluations,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  const scores = scoreNames(evaluations)
    .map((name): Line => [name, evaluations.map((of) => shortStat(of, name))])
    .filter(([, cells]) => cells.some((cell) => cell !== NOTHING));
  const columns = [...scores, ...countLines(evaluations)];
  const rows = evaluations.map(({ evaluation_call_id: id }, i) => [
    labels.get(id)!,
    ...columns.map(([, cells]) => cells[i]!),
  ]);
  // A path stands in its column segment below segment.
  const heads = columns.map(([name]) => name.split(/(?=\.)/));
  const look: TableLook = { width, tight: true, whole: 0 };
  return tableOf(["evaluation", ...heads], rows, look);
}

function scoreNames(evaluations: Evaluations): readonly string[] {
  return [...new Set(evaluations.flatMap(({ scorer_stats }) => scorer_stats.map(scoreName)))];
}

/** How many trials there are, how many of them no rate counts, and the tokens they took, where there is any. */
function countLines(evaluations: Evaluations): readonly Line[] {
  const count = (value: number | null) => value?.toLocaleString("en") ?? NOTHING;
  const line = (name: string, values: readonly (number | null)[]): readonly Line[] =>
    values.some((value) => value !== null && value > 0) ? [[name, values.map(count)]] : [];
  return [
    ...line(
      "trials",
      evaluations.map(({ trial_count }) => trial_count),
    ),
    ...line("unscored", evaluations.map(unscored)),
    ...line(
      "tokens",
      evaluations.map(({ predict_total_tokens }) => predict_total_tokens),
    ),
  ];
}

/** Trials that some pass rate does not count, because they have no such score. */
function unscored({ trial_count, scorer_stats }: EvalResultsEvaluationSummary): number {
  const rates = scorer_stats.filter(({ pass_rate }) => pass_rate !== null);
  return Math.max(0, ...rates.map((of) => trial_count - of.trial_count));
}

function scoreName({ scorer_key, path }: EvalResultsScorerStats): string {
  return path === null ? scorer_key : `${scorer_key}.${path}`;
}

function statOf(of: EvalResultsEvaluationSummary, name: string): EvalResultsScorerStats | undefined {
  return of.scorer_stats.find((one) => scoreName(one) === name);
}

/** What a score came to in an evaluation. */
function statCell(of: EvalResultsEvaluationSummary, name: string): string {
  const stat = statOf(of, name);
  return stat === undefined ? NOTHING : valueText(stat);
}

/** A score and what it came to, in one line. */
export function statText(stat: EvalResultsScorerStats): string {
  return `${scoreName(stat)}: ${valueText(stat)}`;
}

function valueText(stat: EvalResultsScorerStats): string {
  const { pass_rate, pass_true_count, pass_known_count, numeric_mean, trial_count } = stat;
  if (pass_rate !== null) return `${rateText(pass_rate)} (${pass_true_count}/${pass_known_count})`;
  return numeric_mean === null
    ? `${trial_count.toLocaleString("en")} texts`
    : `mean ${numberText(numeric_mean)}`;
}

/** The same in a word; nothing for texts. */
function shortStat(of: EvalResultsEvaluationSummary, name: string): string {
  const { pass_rate = null, numeric_mean = null } = statOf(of, name) ?? {};
  if (pass_rate !== null) return rateText(pass_rate);
  return numeric_mean === null ? NOTHING : numberText(numeric_mean);
}

function rateText(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}
