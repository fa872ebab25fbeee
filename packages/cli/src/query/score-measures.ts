// The measures of evaluations, and which of them a name on the command line refers to.

import { excerpt } from "@assay/base/internal";
import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { didYouMean, type MeasureKind, measureName, nearest, scoreField } from "@assay/eval-engine/words";
import { printFieldPath, readField, readFieldPath } from "@assay/query-lang/internal";

/** Measures of a trial that are not scores. */
const FACTS: readonly string[] = ["model_latency_seconds", "total_tokens"];

/** The number of names listed if none is similar. */
const LISTED = 5;

/** The fields of scores that are booleans or numbers, booleans first. */
export function scoreMeasures(stats: readonly EvalResultsScorerStats[]): readonly string[] {
  const binary = stats.filter(({ pass_known_count: known }) => known > 0);
  const numbers = stats.filter(({ numeric_count }) => numeric_count > 0);
  return [...new Set([...binary, ...numbers].map(scoreField))];
}

/** The kind of a measure's values. */
export function kindOf(field: string, stats: readonly EvalResultsScorerStats[]): MeasureKind {
  const of = stats.filter((stat) => scoreField(stat) === field);
  return of.length > 0 && of.every(({ numeric_count }) => numeric_count === 0) ? "boolean" : "number";
}

/** The measure that a name means, or why it means none. */
export type FoundMeasure = { readonly field: string } | { readonly missing: string };

/**
 * The measure that `name` means: a field as in requests or expressions, a score without `scores.`, or the end of a
 * single score's path. `facts` are the possible measures other than scores.
 */
export function measureNamed(
  name: string,
  scores: readonly string[],
  facts: readonly string[] = FACTS,
): FoundMeasure {
  const read = readField(name);
  const written = [name, ...(read.ok ? [printFieldPath(read.value)] : [])];
  const exact = written.flatMap((field) => [field, `scores.${field}`]);
  const field = exact.find((one) => facts.includes(one) || scores.includes(one));
  if (field !== undefined) return { field };
  const ends = written.map((one) => `.${one}`);
  const ending = scores.filter(
    (one) => ends.some((end) => one.endsWith(end)) || `.${plainName(one)}`.endsWith(`.${name}`),
  );
  if (ending.length === 1) return { field: ending[0]! };
  if (ending.length > 1)
    return { missing: `${excerpt(name)} is ambiguous: ${ending.map(measureName).join(" or ")}` };
  const known = [...scores.map(measureName), ...facts];
  // The end of a path identifies the whole if it is unique.
  const called = new Map(
    known.flatMap((of) => [[of.slice(of.lastIndexOf(".") + 1), of] as const, [of, of] as const]),
  );
  const suggestions = [
    ...new Set(nearest(name.replace(/^scores\./, ""), called.keys()).map((alike) => called.get(alike)!)),
  ];
  const hint =
    suggestions.length > 0 ? didYouMean(suggestions) : `; available: ${known.slice(0, LISTED).join(", ")}`;
  return { missing: `no measure named ${excerpt(name)}${hint}` };
}

/** The keys of a score joined by dots, without escaping. */
function plainName(field: string): string {
  const path = readFieldPath(field);
  return path.ok ? path.value.slice(1).join(".") : field;
}
