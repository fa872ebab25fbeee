// The measures that evaluations have, and which of them a name on the command line means.

import { excerpt } from "@assay/base/internal";
import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { didYouMean, type MeasureKind, measureName, nearest, scoreField } from "@assay/eval-engine/words";
import { printFieldPath, readField, readFieldPath } from "@assay/query-lang/internal";

/** Measures of a trial that are not scores. */
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

/**
 * The measure that `name` means: a field, as requests or as expressions have it, a score without `scores.`, or the end of
 * one score's path.
 */
export function measureNamed(name: string, scores: readonly string[]): FoundMeasure {
  const read = readField(name);
  const written = [name, ...(read.ok ? [printFieldPath(read.value)] : [])];
  const exact = written.flatMap((field) => [field, `scores.${field}`]);
  const field = exact.find((one) => FACTS.includes(one) || scores.includes(one));
  if (field !== undefined) return { field };
  const ends = written.map((one) => `.${one}`);
  const ending = scores.filter(
    (one) => ends.some((end) => one.endsWith(end)) || `.${plainName(one)}`.endsWith(`.${name}`),
  );
  if (ending.length === 1) return { field: ending[0]! };
  if (ending.length > 1)
    return { missing: `${excerpt(name)} is ambiguous: ${ending.map(measureName).join(" or ")}` };
  const known = [...scores.map(measureName), ...FACTS];
  // The end of a path is as good a name as the whole.
  const called = new Map(
    known.flatMap((of) => [[of.slice(of.lastIndexOf(".") + 1), of] as const, [of, of] as const]),
  );
  const meant = [
    ...new Set(nearest(name.replace(/^scores\./, ""), called.keys()).map((alike) => called.get(alike)!)),
  ];
  const hint = meant.length > 0 ? didYouMean(meant) : `; there is ${known.slice(0, LISTED).join(", ")}`;
  return { missing: `no measure named ${excerpt(name)}${hint}` };
}

/** The keys of a score with dots between them, whatever is in them. */
function plainName(field: string): string {
  const path = readFieldPath(field);
  return path.ok ? path.value.slice(1).join(".") : field;
}
