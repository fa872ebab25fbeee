// The measures that evaluations have, and which of them a name on the command line means.

import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { scoreField } from "@assay/eval-engine/internal";
import { didYouMean, type MeasureKind, measureName, nearest } from "@assay/eval-engine/words";

/** Measures of a trial that are no scores. */
const FACTS: readonly string[] = ["model_latency_seconds", "total_tokens"];

/** Names that are listed when none is like the one that was given. */
const LISTED = 5;

/** The fields of scores that pass or fail or are numbers, those that pass or fail first. */
export function scoreMeasures(stats: readonly EvalResultsScorerStats[]): readonly string[] {
  const binary = stats.filter(({ pass_known_count: known }) => known > 0);
  const numbers = stats.filter(({ numeric_count }) => numeric_count > 0);
  return [...new Set([...binary, ...numbers].map(scoreField))];
}

/** What the values of a measure are. */
export function kindOf(field: string, stats: readonly EvalResultsScorerStats[]): MeasureKind {
  const of = stats.filter((stat) => scoreField(stat) === field);
  return of.length > 0 && of.every(({ numeric_count }) => numeric_count === 0) ? "boolean" : "number";
}

/** A name that means a measure, or what is wrong with it. */
export type FoundMeasure = { readonly field: string } | { readonly missing: string };

/** The measure that `name` means: a field, a score without `scores.`, or the end of one score's path. */
export function measureNamed(name: string, scores: readonly string[]): FoundMeasure {
  if (FACTS.includes(name) || scores.includes(name)) return { field: name };
  if (scores.includes(`scores.${name}`)) return { field: `scores.${name}` };
  const ending = scores.filter((field) => field.endsWith(`.${name}`));
  if (ending.length === 1) return { field: ending[0]! };
  if (ending.length > 1)
    return { missing: `${JSON.stringify(name)} may be ${ending.map(measureName).join(" or ")}: say which` };
  const known = [...scores.map(measureName), ...FACTS];
  // The end of a path is as good a name as the whole.
  const called = new Map(
    known.flatMap((of) => [[of.slice(of.lastIndexOf(".") + 1), of] as const, [of, of] as const]),
  );
  const meant = [...new Set(nearest(measureName(name), called.keys()).map((alike) => called.get(alike)!))];
  const hint = meant.length > 0 ? didYouMean(meant) : `; there is ${known.slice(0, LISTED).join(", ")}`;
  return { missing: `no measure is called ${JSON.stringify(name)}${hint}` };
}
