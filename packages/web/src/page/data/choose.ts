// Which evaluations a comparison is of when its link does not say: 75 of 100 people who look at results never get to a
// comparison by themselves, so the page opens with one.

import type { ComparePlace } from "../state/place.ts";
import type { ListedEvaluation } from "./answers.ts";
import type { Chosen } from "./questions.ts";

/** Columns that the page opens with: the newest, the one before it, and one for context. */
const OPENED = 3;

/**
 * The comparison of a place: the evaluations that it names, or the latest that can be compared; the baseline it names,
 * or the last but one; and the candidate, by default the last. Undefined when there is nothing to show.
 */
export function choose(place: ComparePlace, listed: readonly ListedEvaluation[]): Chosen | undefined {
  const evaluations = place.evaluations.length > 0 ? place.evaluations : latest(listed);
  const last = evaluations.at(-1);
  if (last === undefined) return undefined;
  const named = (id: string | undefined) => (id !== undefined && evaluations.includes(id) ? id : undefined);
  const candidate = named(place.candidate) ?? evaluations.findLast((id) => id !== place.baseline) ?? last;
  const baseline =
    named(place.baseline === candidate ? undefined : place.baseline) ??
    evaluations.findLast((id) => id !== candidate);
  return { place, evaluations, baseline, candidate };
}

/** The newest evaluation that has rows, and the ones before it on the same dataset, the oldest first. */
function latest(listed: readonly ListedEvaluation[]): readonly string[] {
  const [newest, ...before] = listed.filter(({ rows }) => rows > 0).toReversed();
  if (newest === undefined) return listed.slice(-1).map(({ id }) => id);
  const alike = before.filter((one) => sameData(one, newest)).slice(0, OPENED - 1);
  return [newest, ...alike].map(({ id }) => id).reverse();
}

function sameData(one: ListedEvaluation, other: ListedEvaluation): boolean {
  if (one.dataset != null && other.dataset != null) return one.dataset === other.dataset;
  return one.rows > 0;
}
