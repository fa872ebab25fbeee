// The report of an import, for the user to check.

import type { ImportPlan } from "@assay/importers";
import type { PlannedEvaluation, PlannedScore } from "@assay/importers/internal";
import { counted } from "../terminal/counted.ts";

/** How many evaluations are shown with their scores; further ones are counted. */
const SHOWN = 12;

/** The report of a plan: evaluations with their scores, what was left out, how columns were understood. */
export function importReport({ evaluations, notes }: ImportPlan): readonly string[] {
  const shown = evaluations.slice(0, SHOWN);
  const more = evaluations.length - shown.length;
  return [
    ...shown.flatMap(evaluationLines),
    ...(more > 0 ? [`and ${counted(more, "more evaluation")}`] : []),
    ...notes,
  ];
}

function evaluationLines(evaluation: PlannedEvaluation): readonly string[] {
  const { id, name, model, rows, trials, errors, unscored, scores, leftOut } = evaluation;
  const called = model === undefined || name.includes(model) ? name : `${name} · ${model}`;
  const facts = [
    counted(rows, "row"),
    counted(trials, "trial"),
    ...(errors > 0 ? [`${errors.toLocaleString("en")} ended in an error`] : []),
    ...(unscored > 0 ? [`${unscored.toLocaleString("en")} without a score`] : []),
  ];
  const width = Math.max(0, ...scores.map(({ path }) => path.length));
  return [
    `${called}: ${facts.join(", ")} (${id})`,
    ...scores.map((score) => `  ${score.path.padEnd(width)}  ${scoreText(score)}`),
    ...leftOut.map(({ what, count }) => `  ${leftOutText(what, count)}`),
  ];
}

/** The data left out of all evaluations, as a sentence for each reason. */
export function leftOutTotals({ evaluations }: ImportPlan): readonly string[] {
  const totals = new Map<string, number>();
  for (const { what, count } of evaluations.flatMap(({ leftOut }) => leftOut))
    totals.set(what, (totals.get(what) ?? 0) + count);
  return Array.from(totals, ([what, count]) => leftOutText(what, count));
}

function leftOutText(what: string, count: number): string {
  return `left out: ${count.toLocaleString("en")} × ${what}`;
}

function scoreText({ path, type, mean, trials, passes, direction }: PlannedScore): string {
  const of = `of ${counted(trials, "trial")}`;
  if (type === "text" || type === "mixed") return `${type === "text" ? "text" : "of several types"}, ${of}`;
  const passing =
    passes === undefined
      ? `no pass threshold set: --pass "${path}${direction === "lower" ? "<" : ">"}=0.5"`
      : `passes when ${passes}`;
  const value =
    type === "boolean" ? `true in ${((mean ?? 0) * 100).toFixed(1)}%` : `mean ${rounded(mean ?? 0)}`;
  const better = direction === undefined ? "" : `, ${direction === "lower" ? "lower" : "higher"} is better`;
  return `${value} ${of}${better}, ${passing}`;
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
