// Chooses the evaluations of a comparison if its link names none. 75 of 100 people who look at results never open a
// comparison by themselves, so the page opens with one: the pair that the command chooses too.

import {
  cutText,
  type DefaultPair,
  defaultPair,
  distinctLabels,
  isPairOrdered,
} from "@assay/eval-engine/words";
import { type Chip, type CompareRoute, ORDERS } from "../state/page-route.ts";
import type { ListedEvaluation } from "./answers.ts";
import type { Api } from "./api.ts";
import type { Chosen } from "./questions.ts";

/** The default pair to compare. */
export function pairOf(
  api: Pick<Api, "query">,
  project: string,
  listed: readonly ListedEvaluation[],
  signal?: AbortSignal,
): Promise<DefaultPair> {
  return defaultPair(listed, async (ids) => {
    const body = { evaluation_call_ids: ids, require_intersection: true, include_rows: false };
    return (await api.query(project, body, signal)).total_rows > 0;
  });
}

/** How the pair was chosen, and how to choose another; undefined if there was no choice. */
export function pairText(pair: DefaultPair | undefined): string | undefined {
  if (pair?.candidate === undefined || pair.among < 2) return undefined;
  const { baseline, candidate, among, elsewhere } = pair;
  const labels = distinctLabels(baseline === undefined ? [candidate] : [candidate, baseline]);
  const [b = "", a = ""] = labels.map((label) => cutText(label));
  if (baseline === undefined)
    return `No earlier evaluation shares rows with ${b}; “+ add” compares one anyway`;
  if (!isPairOrdered(pair)) return `It is unknown whether ${a} or ${b} came first; the key b swaps them`;
  if (among < 3) return undefined;
  const others = elsewhere === 0 ? "" : ` (${elsewhere} ${elsewhere === 1 ? "uses" : "use"} other datasets)`;
  return `Compares ${b}, the newest of ${among} evaluations${others}, with ${a}, the latest earlier one that shares rows with it; “+ add” compares others`;
}

/**
 * The comparison of a place: the evaluations that it names, or those of the default pair; the baseline it names, or
 * the last but one; and the candidate, by default the last. Undefined if there is nothing to show.
 */
export function choose(
  place: CompareRoute,
  listed: readonly ListedEvaluation[],
  pair: DefaultPair | undefined,
): Chosen | undefined {
  const evaluations = place.evaluations.length > 0 ? place.evaluations : opened(listed, pair);
  const last = evaluations.at(-1);
  if (last === undefined) return undefined;
  const named = (id: string | undefined) => (id !== undefined && evaluations.includes(id) ? id : undefined);
  const candidate = named(place.candidate) ?? evaluations.findLast((id) => id !== place.baseline) ?? last;
  const baseline =
    named(place.baseline === candidate ? undefined : place.baseline) ??
    evaluations.findLast((id) => id !== candidate);
  return { place: baseline === undefined ? ofOne(place) : place, evaluations, baseline, candidate };
}

/** A comparison after removing an evaluation: the others, and the filters that do not name it. */
export function without(
  place: Pick<CompareRoute, "evaluations" | "chips">,
  id: string,
): { readonly evaluations: readonly string[]; readonly chips: readonly Chip[] } {
  const named = (chip: Chip): readonly unknown[] =>
    chip.kind === "condition" ? [chip.evaluation] : Object.values(chip.filter);
  return {
    evaluations: place.evaluations.filter((one) => one !== id),
    chips: place.chips.filter((chip) => !named(chip).includes(id)),
  };
}

/** The place without the parts that require a pair: rows that got worse, and an order by differences. */
function ofOne({ change, ...place }: CompareRoute): CompareRoute {
  return {
    ...place,
    ...((change === "flaky" || change === "missing") && { change }),
    order: place.order === "largest_first" ? ORDERS[0] : place.order,
  };
}

/** The default pair; only the newest evaluation if there is none. */
function opened(listed: readonly ListedEvaluation[], pair: DefaultPair | undefined): readonly string[] {
  const ids = [pair?.baseline, pair?.candidate].flatMap((one) => (one === undefined ? [] : one.id));
  return ids.length > 0 ? ids : listed.slice(-1).map(({ id }) => id);
}
