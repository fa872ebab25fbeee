// The summary of an answer as a table: each score of each evaluation.

import type {
  EvalResultsEvaluationSummary,
  EvalResultsScorerStats,
  EvalResultsSummary,
} from "@assay/eval-engine";
import {
  measureName,
  numberText,
  pointsText,
  rateText,
  rowDifference,
  scoreField,
  signedText,
  statsAsCompared,
} from "@assay/eval-engine/words";
import { counted } from "../terminal/counted.ts";
import { type Cell, MIN_COLUMN_WIDTH, tableOf } from "./table.ts";

const NOTHING = "—";

/** The summary: few evaluations side by side, many below each other with fewer details. */
export function summaryTable(
  { evaluations, row_count }: EvalResultsSummary,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  const heading = `Summary of ${counted(row_count, "row")}`;
  if (evaluations.length === 0) return heading;
  const fit = evaluations.length < width / MIN_COLUMN_WIDTH - 1;
  const table = fit ? sideBySide(evaluations, labels, width) : oneBelowTheOther(evaluations, labels, width);
  return `${heading}\n${table}`;
}

type Evaluations = readonly EvalResultsEvaluationSummary[];
type Line = readonly [name: Cell, cells: readonly Cell[]];

function sideBySide(evaluations: Evaluations, labels: ReadonlyMap<string, string>, width: number): string {
  const names = evaluations.map(({ evaluation_call_id: id }) => labels.get(id)!);
  const lines: readonly Line[] = [
    ...scoreNames(evaluations).map((name): Line => scoreLines(evaluations, name, labels)),
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
  const names = evaluations.map(({ evaluation_call_id: id }) => labels.get(id)!);
  const longest = Math.min(width / 2, Math.max(...names.map((name) => name.length)));
  const most = Math.max(1, Math.floor((width - longest) / NARROW));
  // Columns that do not fit get a separate table below.
  const tables = Array.from({ length: Math.ceil(columns.length / most) }, (_, t) => {
    const some = columns.slice(t * most, (t + 1) * most);
    const rows = names.map((name, i) => [name, ...some.map(([, cells]) => cells[i]!)]);
    // A path is split into one line per segment.
    const heads = some.map(([name]) => (name as string).split(/(?=\.)/));
    return tableOf(["evaluation", ...heads], rows, { width, tight: true });
  });
  return tables.join("\n");
}

/** The columns of the terminal that a score needs in a table with many evaluations. */
const NARROW = 12;

function scoreNames(evaluations: Evaluations): readonly string[] {
  return [...new Set(evaluations.flatMap(({ scorer_stats }) => scorer_stats.map(scoreName)))];
}

/** The counts of trials, those without a rate, tokens and costs, if there are any. */
function countLines(evaluations: Evaluations): readonly Line[] {
  const count = (value: number | null) => value?.toLocaleString("en") ?? NOTHING;
  const line = (name: string, values: readonly (number | null)[], text = count): readonly Line[] =>
    values.some((value) => value !== null && value > 0) ? [[name, values.map(text)]] : [];
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
    ...line(
      "cost",
      evaluations.map(({ predict_total_cost = null }) => predict_total_cost),
      (cost) => (cost === null ? NOTHING : `$${cost.toLocaleString("en", { maximumFractionDigits: 12 })}`),
    ),
  ];
}

/** Trials that some pass rate does not count, because they lack the score. */
function unscored({ trial_count, scorer_stats }: EvalResultsEvaluationSummary): number {
  const rates = scorer_stats.filter(({ pass_rate }) => pass_rate !== null);
  return Math.max(0, ...rates.map((of) => trial_count - of.trial_count));
}

function scoreName(stat: EvalResultsScorerStats): string {
  return measureName(scoreField(stat));
}

function statOf(of: EvalResultsEvaluationSummary, name: string): EvalResultsScorerStats | undefined {
  const stat = of.scorer_stats.find((one) => scoreName(one) === name);
  return stat && statsAsCompared(stat);
}

/** A score's value in each evaluation, with the difference to the first evaluation that has it below. */
function scoreLines(evaluations: Evaluations, name: string, labels: ReadonlyMap<string, string>): Line {
  const stats = evaluations.map((of) => statOf(of, name));
  const isRate = stats.some((stat) => typeof stat?.pass_rate === "number");
  const incomplete = evaluations.some(({ trial_count }, e) => trial_count > (stats[e]?.trial_count ?? 0));
  const cells = stats.map((stat) => {
    if (stat === undefined) return NOTHING;
    const among = incomplete && stat.pass_rate === null && stat.numeric_mean !== null;
    return among ? `${valueText(stat)} (${stat.numeric_count.toLocaleString("en")})` : valueText(stat);
  });
  // Rates over different trials cannot be compared: if some have no score, all trials count, and those as failed.
  const measures = evaluations.map(({ trial_count }, e) => {
    const stat = stats[e];
    if (!isRate) return stat?.numeric_mean ?? undefined;
    const passed = stat?.pass_true_count ?? 0;
    return incomplete && trial_count > 0 ? passed / trial_count : (stat?.pass_rate ?? undefined);
  });
  const first = measures.findIndex((measure) => measure !== undefined);
  const baseline = measures[first];
  if (evaluations.length < 2 || baseline === undefined) return [name, cells];
  const failing = isRate && incomplete;
  const below = measures.map((measure, e) => {
    if (measure === undefined) return NOTHING;
    if (e === first) return failing ? rateText(measure) : "";
    const difference = rowDifference(baseline, measure);
    if (failing) return `${rateText(measure)} (${pointsText(difference)})`;
    return isRate ? `${pointsText(difference)} points` : signedText(difference);
  });
  const label = failing
    ? "  unscored as fail"
    : `  against ${labels.get(evaluations[first]!.evaluation_call_id)!}`;
  return [[name, label], cells.map((cell, e) => [cell, below[e]!])];
}

/** The value of a score in an evaluation with this many trials, on one line. */
export function statText(given: EvalResultsScorerStats, trials: number): string {
  const stat = statsAsCompared(given);
  const missing = trials - stat.trial_count;
  const rest = stat.pass_rate === null || missing <= 0 ? "" : `, ${missing.toLocaleString("en")} unscored`;
  return `${scoreName(stat)}: ${valueText(stat)}${rest}`;
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
  // The number of trials, if it is not all of them.
  const known = statOf(of, name)?.pass_known_count ?? 0;
  const among = known < of.trial_count ? ` of ${known.toLocaleString("en")}` : "";
  if (pass_rate !== null) return `${rateText(pass_rate)}${among}`;
  return numeric_mean === null ? NOTHING : numberText(numeric_mean);
}
