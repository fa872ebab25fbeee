// The measures of a comparison, and the order in which a reader sees them.

import type { EvalResultsSummary, MeasureComparison } from "@assay/eval-engine";
import { type MeasureKind, scoreField } from "@assay/eval-engine/words";
import type { CompareRoute } from "../state/page-route.ts";
import { FACTS } from "./questions.ts";

/** The fields of scores that are booleans or numbers, booleans first. */
export function scoreFields(summary: EvalResultsSummary | null | undefined): readonly string[] {
  const stats = (summary?.evaluations ?? []).flatMap(({ scorer_stats }) => scorer_stats);
  const passing = stats.filter(({ pass_known_count }) => pass_known_count > 0);
  const numbers = stats.filter(({ numeric_count }) => numeric_count > 0);
  return [...new Set([...passing, ...numbers].map(scoreField))];
}

/** The kind of a field's values: boolean if no evaluation has a number there. */
export function kindOf(summary: EvalResultsSummary | null | undefined, field: string): MeasureKind {
  const stats = (summary?.evaluations ?? [])
    .flatMap(({ scorer_stats }) => scorer_stats)
    .filter((one) => scoreField(one) === field);
  const isBoolean = stats.some(({ pass_known_count }) => pass_known_count > 0);
  return isBoolean && stats.every(({ numeric_count }) => numeric_count === 0) ? "boolean" : "number";
}

/**
 * The measure in focus: the one that a link names, or the first score. A name that no score has is left out, if all rows
 * are known: those that a filter selects may lack a score that others have.
 */
export function focusOf(
  { measure, chips }: Pick<CompareRoute, "measure" | "chips">,
  fields: readonly string[],
): string | undefined {
  const known = measure !== undefined && (fields.includes(measure) || FACTS.includes(measure));
  return known || chips.length > 0 ? (measure ?? fields[0]) : fields[0];
}

/** Measures by importance: those that changed first, otherwise in order. The one in focus comes first. */
export function byVerdict(
  measures: readonly MeasureComparison[],
  focus: string | undefined,
): readonly MeasureComparison[] {
  const rank = ({ field, verdict }: MeasureComparison): number =>
    field === focus ? -1 : verdict === "regressed" || verdict === "improved" ? 0 : 1;
  return measures.toSorted((a, b) => rank(a) - rank(b));
}
